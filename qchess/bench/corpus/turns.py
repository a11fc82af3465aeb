"""Single moves, as games have them.

Each square of a move begins in its certain value. If it is uncertain or in the way, it begins in a superposition, so
that every branch of the move is used. A move with a question comes twice: with the recorded answer as a flag, and with
real feed-forward.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from qchess.bench.corpus.circuit import Circuit, flagged, steady
from qchess.bench.corpus.features import everything
from qchess.bench.corpus.plays import Moment, Play, moments
from qchess.circuits.operations import Operation, ry
from qchess.circuits.program import Program

#: the angle that puts the first uncertain square into superposition, and the increment for each other
FIRST, MORE = 0.625, 0.375


def single_moves(plays: Iterable[Play], count: int, wires: int) -> list[Circuit]:
    """Return `count` moves of these games, of different shapes from short to long, on at most `wires` wires each."""
    found: dict[str, Circuit] = {}
    for play in plays:
        for moment in moments(play):
            circuit = _begun(moment, play)
            if len(circuit.wires) <= wires and _matters(circuit):
                found.setdefault(shape(circuit), circuit)
    short_first = sorted(found.values(), key=lambda circuit: len(circuit.program.text()))
    chosen = short_first[:: max(1, -(-len(short_first) // count))]
    return [form for k, circuit in enumerate(chosen) for form in _forms(replace(circuit, name=f"{circuit.name}-{k}"))]


def shape(circuit: Circuit) -> str:
    """Return the circuit with numbered wires, equal for moves of one kind."""
    numbered = {q: f"q{k}" for k, q in enumerate(circuit.wires)}
    full = sorted(numbered[q] for q in circuit.full)
    return f"{full}\n{circuit.program.renamed(numbered).text()}"


def _begun(moment: Moment, play: Play) -> Circuit:
    """Return the move with a start for its squares; its questions stay."""
    program = steady(moment.program)
    values = {q: moment.before.registers.known(q) for q in program.qubits}
    controls = {q for step in everything(program) if isinstance(step, Operation) for q, _ in step.controls}
    uncertain = [q for q, value in values.items() if value is None or q in controls]
    turns = [ry(q, FIRST + k * MORE) for k, q in enumerate(uncertain)]
    full = frozenset(q for q, value in values.items() if value == 1 and q not in uncertain)
    name = f"move-{play.game}"
    return Circuit(name, "move", Program(*turns, program), full, answers=moment.answers, game=play.game)


def _matters(circuit: Circuit) -> bool:
    """Tell whether anything is in superposition."""
    return any(isinstance(step, Operation) and step.gate.mixes for step in circuit.program)


def _forms(circuit: Circuit) -> list[Circuit]:
    """Return a quiet move unchanged; one with a question with a flag, and with feed-forward."""
    if not circuit.program.answers:
        return [replace(circuit, answers={})]
    program, kept = flagged(circuit.program, circuit.answers)
    told = replace(circuit, name=f"{circuit.name}-flagged", program=program, kept=kept, answers={})
    return [told, replace(circuit, name=f"{circuit.name}-asked", family="move-asked")]

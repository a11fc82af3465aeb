"""Compile many controls without ancillas: only CX and CZ keep a control.

Flags in ancillas are cheaper. Without further wires the number of CX grows with the square of the number of controls.
A flip borrows any other wire, in any state, and restores it (Barenco et al. 1995, lemma 7.4); a phase is halved until
it is on few wires (lemma 7.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import pi

from qchess.circuits.compiling.decompositions import doubly_controlled, toffoli
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, h, ry, rz, x, z
from qchess.circuits.program import Branch, Program, Step


def without_ancillas(program: Program) -> Program:
    """Return the program with every operation under two or more controls rewritten without further wires.

    A question about several qubits still needs one ancilla when compiled.

    >>> from qchess.circuits.compiling.compiler import compile_program
    >>> program = Program(x('t').when(a=1, b=1, c=0, d=1))
    >>> [len(compile_program(p, level='exact').ancillas) for p in (program, without_ancillas(program))]
    [2, 0]
    """
    return Program(*(part for step in program for part in _step(step, program.qubits)))


def _step(step: Step, wires: Sequence[Qubit]) -> Iterator[Step]:
    if isinstance(step, Branch):
        cases = ((value, [part for inner in case for part in _step(inner, wires)]) for value, case in step.cases)
        yield Branch(step.name, tuple((value, Program(*case)) for value, case in cases))
    elif isinstance(step, Operation) and len(step.controls) > 1:
        holes = [x(q) for q, value in step.controls if not value]
        spare = [q for q in wires if q not in step.qubits]
        yield from (*holes, *_under([q for q, _ in step.controls], step.gate, step.targets, spare), *holes)
    else:
        yield step


def _under(held: Sequence[Qubit], gate: Gate, targets: Sequence[Qubit], spare: Sequence[Qubit]) -> Iterator[Operation]:
    """Apply the gate where all of `held` are 1."""
    t, q = gate.parameter, targets[0]
    match gate.name:
        case "SWAP" | "ISWAP":
            # where the second wire of the frame is 1, the first one turns
            turn, frame = (Gate("X"), []) if gate.name == "SWAP" else (Gate("RZ", -pi * t), [h(q)])
            yield from (cnot(q, targets[1]), *frame)
            yield from _under([*held, targets[1]], turn, [q], spare)
            yield from (*frame, cnot(q, targets[1]))
        case "Z":
            yield from _phase([*held, q], t, spare)
        case "X":
            yield from (h(q), *_phase([*held, q], t, spare), h(q))
        case "RZ" if len(held) == 2:
            yield from doubly_controlled(gate, held[0], held[1], q)
        case "RZ" if len(held) > 4 and spare:
            flip = list(_flip(held, q, spare))
            yield from (rz(q, t / 2), *flip, rz(q, -t / 2), *flip)
        case "RZ":
            yield from _phase([*held, q], t / pi, spare)
            yield from _phase(held, -t / (2 * pi), [q, *spare])
        case "RY":
            yield from (z(q, -0.5), h(q), *_under(held, Gate("RZ", t), [q], spare), h(q), z(q, 0.5))
        case _:
            yield from (ry(q, -pi / 4), *_phase([*held, q], 1, spare), ry(q, pi / 4))


def _phase(wires: Sequence[Qubit], t: float, spare: Sequence[Qubit]) -> Iterator[Operation]:
    """Apply the phase (-1)^t where all the wires are 1."""
    *rest, last = wires
    if t % 2 == 0:
        return
    if len(wires) < 3:
        yield z(last, t).when(dict.fromkeys(rest, 1))
    elif len(wires) == 3:
        yield from doubly_controlled(Gate("Z", t), *wires)
    elif t % 2 == 1 and spare:
        yield from (h(last), *_flip(rest, last, spare), h(last))
    else:
        *rest, pivot = rest
        half = z(last, t / 2).when({pivot: 1})
        flip = list(_flip(rest, pivot, [last, *spare]))
        yield from (half, *flip, half.inverse(), *flip, *_phase([*rest, last], t / 2, [pivot, *spare]))


def _flip(held: Sequence[Qubit], target: Qubit, spare: Sequence[Qubit]) -> Iterator[Operation]:
    """Flip the target where all of `held` are 1; borrows the first spare wire, whatever it holds."""
    if len(held) == 1:
        yield cnot(held[0], target)
    elif len(held) == 2:
        yield from toffoli(held[0], held[1], target)
    else:
        borrowed, *more = spare
        half = (len(held) + 1) // 2
        first, second = held[:half], held[half:]
        for _ in range(2):
            yield from _flip(first, borrowed, [*second, target, *more])
            yield from _flip([*second, borrowed], target, [*first, *more])

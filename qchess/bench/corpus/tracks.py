"""Tracks: a native circuit in CX and one-qubit gates, and on the graph of a chip.

The form matters more than the simulator, so results are compared only within a form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from qchess.bench.corpus.circuit import Circuit
from qchess.bench.corpus.graphs import graph
from qchess.bench.corpus.routing import mapped
from qchess.circuits.compiling.compiler import compile_program
from qchess.circuits.operations import Qubit

#: track -> the smallest corpus that contains a circuit on it
Sizes = Mapping[str, str]
#: a circuit, or a function that makes it if that takes time, with its tracks
Listed = tuple[Circuit | Callable[[], Circuit], Sizes]


def on(native: str, lowered: str | None = None, heavy_hex: str | None = None, grid: str | None = None) -> Sizes:
    """Return the tracks of a circuit, each with the smallest corpus that contains it."""
    given = {"native": native, "lowered": lowered, "heavy-hex": heavy_hex, "grid": grid}
    return {track: size for track, size in given.items() if size}


@dataclass(frozen=True)
class Tracked:
    """A circuit on a track, all its wires in order, and the final wire of each wire of the native form."""

    circuit: Circuit
    wires: tuple[Qubit, ...]
    layout: Mapping[Qubit, Qubit]


def native(circuit: Circuit) -> Tracked:
    """Return the circuit in the gates of the vocabulary."""
    circuit = circuit.steady()
    return Tracked(circuit, circuit.wires, {})


def lowered(circuit: Circuit) -> Tracked:
    """Return the circuit in CX and one-qubit gates; its ancillas come after its own wires."""
    circuit = circuit.steady()
    compiled = compile_program(circuit.program, level="exact", basis="cx")
    wires = (*circuit.wires, *compiled.ancillas)
    layout = {q: compiled.layout.get(q, q) for q in circuit.wires}
    kept = {layout[q]: value for q, value in circuit.kept.items()}
    return Tracked(replace(circuit, program=compiled.program, kept=kept), wires, layout)


def on_graph(low: Tracked, name: str) -> Tracked:
    """Return a lowered circuit on the smallest graph of that kind, without the chip's unused wires."""
    found = mapped(low.circuit.program, low.wires, graph(name, len(low.wires)))
    spots = dict.fromkeys([*found.program.qubits, *found.first.values(), *found.last.values()])
    wires = tuple(sorted(spots, key=lambda spot: int(spot[1:])))
    full = frozenset(found.first[q] for q in low.circuit.full)
    kept = {found.last[q]: value for q, value in low.circuit.kept.items()}
    layout = {q: found.last[at] for q, at in low.layout.items()}
    circuit = replace(low.circuit, program=found.program, full=full, kept=kept)
    return Tracked(circuit, wires, layout)

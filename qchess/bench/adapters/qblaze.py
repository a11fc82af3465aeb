"""qblaze: sparse, gates queued until they must be done. X, SWAP and phases under any controls are its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from qchess.bench.adapters.adapter import Adapter, chosen
from qchess.bench.adapters.atoms import Atom, Phase, atoms
from qchess.bench.adapters.circuit import Circuit

Call = tuple[str, tuple[Any, ...]]


class QBlaze(Adapter):
    """One Python call a gate, and a flush. Wire k is bit k of its keys."""

    name = "qblaze"
    modules = ("qblaze",)
    packages = ("qblaze",)
    inside = "a fresh `Simulator`, a Python call a gate, and the flush of its queue"
    outside = "the names and arguments of the calls"
    options_why = (
        "threads by `thread_count`; X, exchanges and phases under any controls are its own; iSWAP^t is six calls, "
        "for it has no other turn under controls"
    )

    def lower(self, circuit: Circuit) -> tuple[Circuit, list[Call]]:
        """The names and arguments of the calls."""
        calls = [("x", (wire,)) for wire in circuit.full]
        return circuit, [*calls, *(call for atom in _steps(circuit) for call in [_call(atom)])]

    def run(self, lowered: tuple[Circuit, list[Call]], desk: Any) -> Any:
        """A fresh simulator after all gates."""
        from qblaze import Simulator

        circuit, calls = lowered
        simulator = Simulator(thread_count=self.threads, qubit_count=circuit.wires)
        for name, arguments in calls:
            getattr(simulator, name)(*arguments)
        simulator.flush()
        return circuit, simulator

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """It gives its branches one after the other."""
        circuit, simulator = state
        wanted = {circuit.turned(key): 0j for key in keys}
        for key, amplitude in simulator:
            if key in wanted:
                wanted[key] = amplitude
        return [wanted[circuit.turned(key)] for key in keys]

    def touch(self, state: Any, key: int) -> None:
        """One branch: it gives them one after the other, and has been flushed."""
        next(iter(state[1]))

    def norm(self, state: Any) -> float:
        """That of its branches, one after the other."""
        return float(sum(abs(a) ** 2 for _, a in state[1]))

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Draws from the branches; of its own it only measures."""
        circuit, simulator = state
        keys, amplitudes = zip(*simulator, strict=True)
        return [circuit.turned(key) for key in chosen(keys, amplitudes, shots, seed)]


def _steps(circuit: Circuit) -> Iterator[Atom]:
    """The atoms, but for exchanges, which it has itself."""
    for step in circuit.steps:
        if step.name == "SWAP":
            yield step
        else:
            yield from atoms([step])


def _call(atom: Atom) -> Call:
    if isinstance(atom, Phase):
        return "mcphase", ([(wire, bool(value)) for wire, value in atom.conditions], atom.angle)
    controls = [(wire, bool(value)) for wire, value in atom.controls]
    if atom.name == "SWAP":
        return ("mcswap", (controls, *atom.targets)) if controls else ("swap", atom.targets)
    (q,) = atom.targets
    if atom.name == "X" and atom.parameter == 1.0:
        return ("mcx", (controls, q)) if controls else ("x", (q,))
    if atom.name == "H":
        return "h", (q,)
    if atom.name == "X":  # RX, but for a phase of the whole state
        return "rx", (q, math.pi * atom.parameter)
    return atom.name.lower(), (q, atom.parameter)

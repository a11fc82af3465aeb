"""Stim: stabiliser tableaus. Clifford circuits only; amplitudes, in single precision, only of few wires."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit, Complex, Step

#: more wires take too long to be written out as amplitudes, and nothing unverified counts
MOST = 20


class State(NamedTuple):
    """The simulator, and the number of wires."""

    simulator: Any
    wires: int


class Stim(Adapter):
    """`TableauSimulator`; the state is a tableau, which is exact, and its amplitudes are read in single precision."""

    name = "stim"
    modules = ("stim",)
    packages = ("stim",)
    precision = "tableau"
    inside = "a fresh `TableauSimulator`, and `do_circuit`"
    outside = "the circuit as a `stim.Circuit`"
    options_why = "none; what is no Clifford gate is refused"

    def objection(self, circuit: Circuit) -> str | None:
        """Only Clifford gates, and few enough wires for their amplitudes."""
        if said := self.objection_to_asking(circuit):
            return said
        return (
            f"amplitudes of {circuit.wires} wires are not written out, {MOST} at most" if circuit.wires > MOST else None
        )

    def objection_to_asking(self, circuit: Circuit) -> str | None:
        """Only Clifford gates; no amplitude is written out where something else is asked."""
        if wrong := next((step for step in circuit.steps if _words(step) is None), None):
            return f"{wrong.name}^{wrong.parameter:g} with {len(wrong.controls)} controls is no Clifford gate"
        return None

    def lower(self, circuit: Circuit) -> Any:
        """The circuit as Stim's text."""
        import stim

        lines = []
        for step in (*circuit.starting_flips(), *circuit.steps):
            words = _words(step)
            assert words is not None, "what is no Clifford gate was refused"
            lines += words
        lines += [f"I {wire}" for wire in range(circuit.wires)]
        return circuit, stim.Circuit("\n".join(lines))

    def run(self, lowered: Any, desk: Any) -> State:
        """The tableau after the circuit."""
        import stim

        simulator = stim.TableauSimulator()
        simulator.do_circuit(lowered[1])
        return State(simulator, lowered[0].wires)

    def amplitudes(self, state: State, keys: Sequence[int]) -> Sequence[complex]:
        """Writes the whole vector out."""
        picked: Sequence[complex] = self._vector(state)[list(keys)].tolist()
        return picked

    def norm(self, state: State) -> float:
        """That of the whole vector."""
        vector = self._vector(state)
        return float(np.vdot(vector, vector).real)

    def _vector(self, state: State) -> Complex:
        return np.asarray(state.simulator.state_vector(endian="big"))

    def touch(self, state: State, key: int) -> None:
        """A tableau is done gate by gate; all amplitudes would be written out for one."""

    def sample(self, lowered: Any, state: State, shots: int, seed: int) -> Sequence[int]:
        """Its own fast sampler."""
        circuit, made = lowered
        measured = made.copy()
        measured.append("M", range(circuit.wires))
        rows = measured.compile_sampler(seed=seed).sample(shots)
        return [int("".join("1" if bit else "0" for bit in row), 2) for row in rows]


def _words(step: Step) -> list[str] | None:
    """The gate in Stim's words, up to a phase of the whole state; None if it is no Clifford gate of theirs."""
    name, t, targets, controls = step
    wires = " ".join(map(str, targets))
    if controls:
        ((control, value), *more) = controls
        if more or t != 1.0 or name not in ("X", "Z"):
            return None
        flip = [] if value else [f"X {control}"]
        return [*flip, f"C{name} {control} {wires}", *flip]
    if name in ("SWAP", "H"):
        return [f"{name} {wires}"]
    turns = _quarter_turns(name, t)
    if turns is None:
        return None
    table: dict[str, tuple[list[str], ...]] = {
        "ISWAP": ([], [f"ISWAP {wires}"], [f"Z {q}" for q in targets], [f"ISWAP_DAG {wires}"]),
        "X": ([], [f"SQRT_X {wires}"], [f"X {wires}"], [f"SQRT_X_DAG {wires}"]),
        "Z": ([], [f"S {wires}"], [f"Z {wires}"], [f"S_DAG {wires}"]),
        "RY": ([], [f"SQRT_Y {wires}"], [f"Y {wires}"], [f"SQRT_Y_DAG {wires}"]),
        "RZ": ([], [f"S {wires}"], [f"Z {wires}"], [f"S_DAG {wires}"]),
    }
    return table[name][turns % 4]


def _quarter_turns(name: str, t: float) -> int | None:
    """How many quarters of its period a gate turns by; None where that is no whole number."""
    unit = {"ISWAP": 1.0, "X": 0.5, "Z": 0.5, "RY": math.pi / 2, "RZ": math.pi / 2}[name]
    turns = t / unit
    return round(turns) if abs(turns - round(turns)) < 1e-12 else None

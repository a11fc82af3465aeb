"""Amazon Braket's local simulator: a dense numpy vector, gate after gate.

Its own controls lose the gate: version 1.41 writes what a controlled gate on one wire does into a copy (`reshape` of a
slice) and drops it. So controls are part of the matrices here; ``braket,own_controls=1`` shows the fault.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense
from qchess.bench.adapters.circuit import Circuit, Complex, Step

#: wider gates make larger matrices than are worth multiplying
WIDEST = 8
#: numbers of wires for which it has code of its own, as far as loading it is quicker than a run
COMPILED = range(11, 21)


class Braket(Dense):
    """`StateVectorSimulation`; wire 0 is the most significant bit, as here."""

    name = "braket"
    modules = ("braket.default_simulator",)
    packages = ("amazon-braket-default-simulator",)
    copies = 2
    inside = "a fresh `StateVectorSimulation`, and `evolve`"
    outside = "the circuit in Braket's gate operations; what numba compiles for each number of wires"
    options_why = (
        "controls are part of the matrices, for its own lose the gate (`own_controls` 1 shows it); gates on eight "
        "wires at most"
    )

    def __init__(self, own_controls: int = 0) -> None:
        super().__init__(own_controls=own_controls)
        self.form = _operation if own_controls else _whole

    def load(self) -> None:
        """Imports it, and lets numba compile what turns larger vectors, for each number of wires.

        It keeps that on disk; otherwise the first run of each width would be one of the compiler.
        """
        super().load()
        gates = [("H", 1.0), ("Z", 0.5), ("ISWAP", 0.5), ("SWAP", 1.0)]
        steps = [Step(name, t, (0, 1) if "SWAP" in name else (0,)) for name, t in gates]
        steps += [Step(name, 1.0, (2,), under) for name in "XZ" for under in (((0, 1),), ((0, 1), (1, 0)))]
        for wires in COMPILED:
            self.run(self.lower(Circuit(wires, (), tuple(steps))), None)

    def objection(self, circuit: Circuit) -> str | None:
        """Matrices on few wires only."""
        widest = max((len(step.all_wires) for step in circuit.steps), default=0)
        return f"a gate on {widest} wires; {WIDEST} at most" if widest > WIDEST else None

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in Braket's gate operations."""
        return circuit, [self.form(step) for step in (*circuit.starting_flips(), *circuit.steps)]

    def run(self, lowered: Any, desk: Any) -> Any:
        """The final vector."""
        from braket.default_simulator import StateVectorSimulation

        circuit, operations = lowered
        simulation = StateVectorSimulation(circuit.wires, 0, 1)
        simulation.evolve(operations)
        return simulation.state_vector

    def vector(self, state: Any) -> Complex:
        """The vector itself."""
        return np.asarray(state).reshape(-1)


def _whole(step: Step) -> Any:
    """The gate, with its controls in its matrix."""
    from braket.default_simulator import gate_operations as gates

    if not step.controls:
        return _operation(step)
    if (step.name, step.parameter, len(step.controls), step.controls[0][1]) == ("X", 1.0, 1, 1):
        return gates.CX(step.all_wires)
    return gates.Unitary(step.all_wires, step.whole_matrix())


def _operation(step: Step) -> Any:
    """The gate with Braket's own control values."""
    from braket.default_simulator import gate_operations as gates

    t = step.parameter
    targets = step.all_wires
    values = tuple([value for _, value in step.controls])
    match step.name:
        case "ISWAP":
            return gates.XY(targets, math.pi * t, ctrl_modifiers=values)
        case "SWAP":
            return gates.Swap(targets, ctrl_modifiers=values)
        case "H":
            return gates.Hadamard(targets, ctrl_modifiers=values)
        case "RY":
            return gates.RotY(targets, t, ctrl_modifiers=values)
        case "RZ":
            return gates.RotZ(targets, t, ctrl_modifiers=values)
        case "Z":
            return gates.PhaseShift(targets, math.pi * t, ctrl_modifiers=values)
        case "X" if t == 1.0:
            return gates.PauliX(targets, ctrl_modifiers=values)
    return gates.Unitary(targets, step.whole_matrix())

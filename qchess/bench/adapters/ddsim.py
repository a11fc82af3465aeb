"""MQT DDSIM: decision diagrams. Every gate of ours is native there, negative controls included."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit, Step

#: states of more wires are not written out for their norm
WRITTEN = 20


class State(NamedTuple):
    """The diagram, with the package that owns its nodes."""

    circuit: Circuit
    package: Any
    diagram: Any


class DDSim(Adapter):
    """The simulation of MQT Core, on which DDSIM stands; the level of wire 0 is the lowest of its diagram."""

    name = "ddsim"
    modules = ("mqt.core", "mqt.ddsim")
    packages = ("mqt.core", "mqt.ddsim")
    inside = "a fresh `DDPackage`, and `simulate` with the diagrams of all gates"
    outside = "the circuit as a `QuantumComputation`"
    options_why = (
        "no options; every gate is native, controls on 0 included. A reused package would answer a repeated run "
        "from its tables"
    )

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in MQT's own representation."""
        from mqt.core.ir import QuantumComputation

        made = QuantumComputation(circuit.wires)
        for step in (*circuit.starting_flips(), *circuit.steps):
            _append(made, step)
        return circuit, made

    def run(self, lowered: Any, desk: Any) -> State:
        """Builds the diagram of the state in a fresh package: what one remembers of a run would answer the next."""
        from mqt.core.dd import DDPackage, simulate

        circuit, made = lowered
        package = DDPackage(circuit.wires)
        return State(circuit, package, simulate(made, package.zero_state(circuit.wires), package))

    def amplitudes(self, state: State, keys: Sequence[int]) -> Sequence[complex]:
        """Follows one path of the diagram a key."""
        circuit = state.circuit
        return [state.diagram.get_amplitude(circuit.wires, circuit.digits(key)) for key in keys]

    def norm(self, state: State) -> float | None:
        """That of the whole vector, where it is not too long."""
        if state.circuit.wires > WRITTEN:
            return None
        vector = np.asarray(state.diagram.get_vector())
        return float(np.vdot(vector, vector).real)

    def sample(self, lowered: Any, state: State, shots: int, seed: int) -> Sequence[int]:
        """Its own shots; it simulates again for them."""
        from mqt.ddsim import CircuitSimulator

        circuit, measured = self.lower(lowered[0])  # MQT's circuits cannot be copied
        measured.measure_all()
        counts = CircuitSimulator(measured, seed=seed).simulate(shots)
        return [circuit.turned(int(bits, 2)) for bits, count in counts.items() for _ in range(count)]

    def notes(self, state: State) -> dict[str, Any]:
        """How large the diagram is."""
        return {"nodes": state.diagram.size()}


def _append(made: Any, step: Step) -> None:
    from mqt.core.ir.operations import Control

    kind = {1: Control.Type.Pos, 0: Control.Type.Neg}
    controls = {Control(wire, kind[value]) for wire, value in step.controls}
    t = step.parameter
    match step.name:
        case "ISWAP":
            made.mcxx_plus_yy(-math.pi * t, 0.0, controls, *step.targets)
        case "SWAP":
            made.mcswap(controls, *step.targets)
        case "H":
            made.mch(controls, *step.targets)
        case "RY":
            made.mcry(t, controls, *step.targets)
        case "RZ":
            made.mcrz(t, controls, *step.targets)
        case "Z":
            made.mcp(math.pi * t, controls, *step.targets)
        case "X" if t == 1.0:
            made.mcx(controls, *step.targets)
        case _:  # X^t = H Z^t H
            made.h(*step.targets)
            made.mcp(math.pi * t, controls, *step.targets)
            made.h(*step.targets)

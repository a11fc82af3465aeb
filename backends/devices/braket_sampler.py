"""Sample circuits with Amazon Braket's local simulators; the managed devices take the same circuits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qchess.backends.devices.sampler import BaseSampler, Capabilities, Provenance, Shots, check_circuits
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Operation
from qchess.circuits.program import Program, ReadOut

SIMULATOR = Capabilities(native_2q="cz", max_qubits=20, ordered=True)


class BraketSampler(BaseSampler):
    """Runs circuits on a Braket device. It reads all qubits at the end, so questions in between are refused."""

    def __init__(self, device: Any) -> None:
        self.name, self.capabilities = f"braket {device.name}", SIMULATOR
        self._device = device

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the shots of each circuit, in order."""
        check_circuits(self, circuits, shots)
        return [self._shots(circuit, shots) for circuit in circuits]

    def _shots(self, circuit: Program, shots: int) -> Shots:
        task = self._device.run(braket_circuit(circuit), shots=shots)
        result = task.result()
        place = {int(wire): k for k, wire in enumerate(result.measured_qubits)}
        wires = {q: place[k] for k, q in enumerate(circuit.qubits)}
        reads = [step for step in circuit if isinstance(step, ReadOut)]
        outcomes = [
            tuple(sum(int(row[wires[q]]) << k for k, q in enumerate(read.qubits)) for read in reads)
            for row in result.measurements
        ]
        return Shots.in_order(circuit.answers, outcomes, Provenance(self.name, shots, len(outcomes)))


def braket_circuit(program: Program) -> Any:
    """Return the gates of a compiled program as a Braket circuit; qubit k is ``program.qubits[k]``.

    RZ and RY have Braket's own matrices, and Z^t is its PhaseShift(pi t): amplitudes agree exactly.
    """
    from braket.circuits import Circuit  # type: ignore[import-not-found, unused-ignore]

    wire = {q: k for k, q in enumerate(program.qubits)}
    made, read = Circuit(), False
    for q in wire.values():
        made.i(q)  # a wire without a gate would not be read
    for step in program:
        if isinstance(step, ReadOut):
            read = True
        elif isinstance(step, Operation) and not read:
            _gate(made, step, [wire[q] for q in step.qubits])
        else:
            raise BackendError(f"Braket reads all qubits at the end, and {step!r} comes after or is a question")
    return made


def _gate(made: Any, step: Operation, wires: Sequence[int]) -> None:
    """Append one gate of a compiled program: a one-qubit gate, CNOT or CZ."""
    from math import pi

    name, t = step.gate.name, step.gate.parameter
    if step.controls:
        target, control = wires[0], wires[1]
        {"X": made.cnot, "Z": made.cz}[name](control, target)
    elif name in ("RY", "RZ"):
        {"RY": made.ry, "RZ": made.rz}[name](wires[0], t)
    elif name == "H":
        made.h(wires[0])
    elif name == "Z":
        made.phaseshift(wires[0], pi * t)
    elif name == "X" and t in (1.0, 0.5):
        {1.0: made.x, 0.5: made.v}[t](wires[0])
    else:
        raise BackendError(f"Braket is given one-qubit gates, CNOT and CZ, got {step!r}")

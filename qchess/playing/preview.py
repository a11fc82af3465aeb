"""Previews: what a device would be sent for a move, computed without sending anything.

No shot is run, no random number is drawn, and the game is unchanged. The record of the question, asked later with the
same settings and calibration, agrees with the preview.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qchess.backends.budget import WORDS
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.sampler import fake_line
from qchess.backends.devices.source import DeviceSource
from qchess.circuits.engine import Source
from qchess.circuits.errors import BackendError
from qchess.circuits.program import Program
from qchess.circuits.running import Pause
from qchess.errors import MissingExtraError

if TYPE_CHECKING:
    import cirq
    from qiskit import QuantumCircuit


@dataclass(frozen=True, slots=True)
class SentCircuit:
    """A circuit as the machine gets it, with the chip's figures if there are any.

    `circuit` is in the form of the machine's library: a Qiskit ``QuantumCircuit``, a ``cirq.Circuit``, or a `Program`.
    """

    circuit: Any
    #: for each square, or qubit of the game, the machine's qubit that is read for it
    places: Mapping[str, str] = field(default_factory=dict)
    #: as in the record under ``machine``: physical qubits, two-qubit gates, depth, expected fidelity
    machine: Mapping[str, Any] = field(default_factory=dict)
    #: as in the record under ``figures``: the shares of shots that coin flips, and this device, will keep
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def library(self) -> str:
        """Return the library of the circuit: ``qiskit``, ``cirq`` or ``qchess``."""
        return type(self.circuit).__module__.partition(".")[0]

    def text(self) -> str:
        """Return the circuit drawn, without the machine's unused qubits."""
        if isinstance(self.circuit, Program):
            return self.circuit.draw()
        return str(self.circuit.draw("text", fold=-1, idle_wires=False) if self.library == "qiskit" else self.circuit)

    def qasm(self, version: int = 3) -> str:
        """Return the circuit as OpenQASM 2 or 3."""
        if isinstance(self.circuit, Program):
            return self.circuit.qasm(version)
        if version not in (2, 3):
            raise BackendError(f"expected OpenQASM version 2 or 3, got {version!r}")
        if self.library == "cirq":
            return str(self.circuit.to_qasm(version=f"{version}.0"))
        from qiskit import qasm2, qasm3

        return str(qasm2.dumps(self.circuit) if version == 2 else qasm3.dumps(self.circuit))

    def to_qiskit(self) -> QuantumCircuit:
        """Return the circuit for Qiskit; a Cirq circuit goes through OpenQASM 2, which renumbers its qubits."""
        if isinstance(self.circuit, Program):
            return self.circuit.to_qiskit()
        if self.library == "qiskit":
            made: QuantumCircuit = self.circuit
            return made
        try:
            from qiskit import qasm2
        except ModuleNotFoundError as error:
            raise MissingExtraError("a circuit for Qiskit needs Qiskit: pip install qiskit") from error
        return qasm2.loads(self.qasm(2), custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)

    def to_cirq(self) -> cirq.Circuit:
        """Return the circuit for Cirq; a Qiskit circuit goes through OpenQASM 2, with qubits ``q_0``, ``q_1``, ..."""
        if self.library in ("cirq", "qchess"):
            made: cirq.Circuit = self.circuit.to_cirq() if isinstance(self.circuit, Program) else self.circuit
            return made
        try:
            from cirq.contrib.qasm_import import circuit_from_qasm
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                "a circuit of Qiskit's for Cirq needs Cirq and ply: pip install cirq-core ply"
            ) from error
        read: cirq.Circuit = circuit_from_qasm(self.qasm(2))
        return read


@dataclass(frozen=True, slots=True)
class Preview:
    """One open question of a move as its device would get it, or a move that sends nothing.

    `details` are those of the answer's record, as far as known. Without a device or an open question they are empty,
    and the only circuit is the move's program.
    """

    move: str
    #: the question's name; None if the move has no open question
    question: str | None
    circuits: tuple[SentCircuit, ...]
    details: Mapping[str, Any] = field(default_factory=dict)
    #: shots that test the qubits before their first use, by the setting's name
    trials: Mapping[str, int] = field(default_factory=dict)
    #: the number of jobs, and the device; 0 and empty if the device answers at once
    jobs: int = 0
    queue: str = ""
    #: the budget that would be reserved: shots, seconds of use
    reserves: Mapping[str, int] = field(default_factory=dict)

    @property
    def kept_expected(self) -> float | None:
        """Return the expected share of shots that the device keeps; None if it reports no errors."""
        shares = [one.figures.get("kept_expected") for one in self.circuits]
        told = [share for share in shares if share is not None]
        return round(sum(told) / len(told), 4) if told and len(told) == len(shares) else None

    def __str__(self) -> str:
        if self.question is None:
            return f"{self.move} measures nothing: nothing is sent"
        if not self.details:
            return f"{self.move} asks {self.question!r}: no device is asked"
        return f"{self.move} asks {self.question!r} on {self.details['backend']}: {self.size}"

    @property
    def size(self) -> str:
        """Return what is sent, in words: circuits, shots, jobs, gates, and expected figures. For devices only."""
        told = self.details
        parts = [f"circuits {told['circuits']}", f"shots {told['asked']}"]
        if self.jobs:
            parts.append(f"jobs {self.jobs}")
        parts += [f"two-qubit gates {_chip_sum(self, 'two_qubit_gates')}", f"depth {max(_chip(self, 'depth'))}"]
        if "expected_fidelity" in told:
            parts.append(f"expected fidelity {told['expected_fidelity']:.3f}")
        if self.kept_expected is not None:
            parts.append(f"kept as expected {self.kept_expected:.1%}")
        if "expected_seconds" in told:
            parts.append(f"about {told['expected_seconds']:.2f} s of the chip's time without the queue")
            parts.append(f"{told['expected_overhead']:g} s of it to load the job")
        if self.reserves:
            amounts = " and ".join(f"{number} {WORDS[unit]}" for unit, number in self.reserves.items())
            parts.append(f"reserves {amounts} of the budget")
        elif longest := self.circuits[0].machine.get("max_execution_time"):
            parts.append(f"ended after {longest} seconds of use")
        if told.get("left_out"):
            parts.append("the asked squares alone")
        if told.get("readout_twirling"):
            parts.append("half of the shots with every bit turned over")
        parts += [f"before it {name} with {shots} shots a circuit" for name, shots in self.trials.items()]
        fake = f"; {fake_line(told['on_a_fake'])}" if "on_a_fake" in told else ""
        return ", ".join(parts) + fake


def _chip(preview: Preview, name: str) -> list[int]:
    """Return a figure of each circuit on the chip, or before placing if the machine does not give it."""
    return [int(one.machine.get(name, preview.details[name])) for one in preview.circuits]


def _chip_sum(preview: Preview, name: str) -> int:
    on_chip = all(name in one.machine for one in preview.circuits)
    return sum(_chip(preview, name)) if on_chip else int(preview.details[name])


def preview_of(source: Source, at: Pause, move: str, program: Program, squares: Mapping[str, str]) -> Preview:
    """Return the preview of one question of a move; without a device, of the move's own program."""
    name = at.step.name
    if not isinstance(source, DeviceSource):
        return Preview(move, name, (SentCircuit(program),))
    details, circuits, places, reserves = source.preview(at)
    figures = details["figures"]
    sent = tuple(
        SentCircuit(one.circuit, _on_squares(spots, squares), one.details, told)
        for one, spots, told in zip(circuits, places, figures, strict=True)
    )
    trials = {"preflight": source.preflight, "mitigation": source.mitigation}
    wanted = {what: shots for what, shots in trials.items() if shots}
    if not isinstance(source, QueuedSource):
        return Preview(move, name, sent, details, wanted, reserves=reserves)
    runs = 2 * len(sent) if details.get("readout_twirling") else len(sent)
    jobs = runs if source.sampler.capabilities.job_each else 1
    return Preview(move, name, sent, details, wanted, jobs, source.sampler.name, reserves)


def in_all(previews: Sequence[Preview]) -> str:
    """Return what several questions to a device would cost together."""
    jobs = sum(told.jobs for told in previews)
    seconds = [told.details["expected_seconds"] for told in previews if "expected_seconds" in told.details]
    use = f"about {sum(seconds):.2f} s of the chip's time" if seconds and len(seconds) == len(previews) else ""
    circuits, shots = (sum(len(told.circuits) for told in previews), sum(told.details["asked"] for told in previews))
    parts = [
        f"questions {len(previews)}",
        f"circuits {circuits}",
        f"shots {shots}",
        f"jobs {jobs}" if jobs else "",
        use,
    ]
    return ", ".join(filter(None, parts))


def _on_squares(spots: Mapping[str, str], squares: Mapping[str, str]) -> dict[str, str]:
    """Return the places by square; a qubit keeps its own name if it does not have a square to itself."""
    named = [squares.get(qubit, qubit) for qubit in spots]
    return {
        square if named.count(square) == 1 else qubit: spot
        for square, (qubit, spot) in zip(named, spots.items(), strict=True)
    }

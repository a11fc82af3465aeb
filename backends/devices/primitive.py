"""Sample with any Qiskit Sampler primitive (version 2): IBM's, Aer's, Qiskit's own, other vendors'.

A primitive gives each shot in order, perhaps more than requested. Its circuits must already use the machine's gates
and connections; the target's compiler makes them so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import numpy as np

from qchess.backends.devices.preflight import Place, Tried
from qchess.backends.devices.sampler import Capabilities, Provenance, Shots, Shown, check_circuits
from qchess.backends.devices.targets import Placed, TargetCompiler
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program, ReadOut


class Pace(NamedTuple):
    """The time a machine takes besides the circuits, in seconds: after every shot, and for every job."""

    delay: float
    overhead: float


#: a circuit as written, as sent, and its place
Sent = tuple[Any, Any, Placed | None]
#: a state-vector simulator takes too long beyond this many qubits
SIMULATOR = Capabilities(mid_measure=True, reset=True, max_qubits=24, ordered=True)
#: distance between the seeds of the circuits of one run
APART = 1_000_003


class PrimitiveSampler(Tried):
    """Runs circuits with ``primitive.run([circuits], shots=...)``, after the compiler of its target.

    Without a compiler the circuits go unchanged, in one-qubit gates and CZ. `reseed` gives the primitive a seed for the
    next run; without it the provenance has no seed.
    """

    def __init__(
        self,
        primitive: Any,
        *,
        name: str,
        compiler: TargetCompiler | None = None,
        capabilities: Capabilities = SIMULATOR,
        reseed: Any = None,
        packages: Sequence[str] = ("qiskit",),
        details: Mapping[str, Any] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.name, self.capabilities, self.compiler, self.pace = name, capabilities, compiler, pace
        self._primitive, self._reseed = primitive, reseed
        self._versions, self._details = versions(packages), dict(details or {})
        #: the options that change what runs, including those that are off
        self.settings: dict[str, Any] = {}
        self.good: set[Any] = set()

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the shots of each circuit, in order; all circuits are one job.

        A simulator with one seed would give each circuit of a job the same random numbers, so each gets its own seed.
        """
        check_circuits(self, circuits, shots)
        if self._reseed is not None and seed is not None and len(circuits) > 1:
            seeds = [(seed + APART * k) % 2**31 for k in range(len(circuits))]
            return [self.run([c], shots, own)[0] for c, own in zip(circuits, seeds, strict=True)]
        placed = [self._placed(circuit) for circuit in circuits]
        job = self.send(placed, shots, seed)
        return self.read(circuits, placed, job.result(), shots, seed, self._listed(job))

    def shots_given(self, shots: int) -> int:
        """Return how many shots come if this many are requested: twirling takes equal rounds."""
        told: Any = getattr(getattr(self._primitive, "options", None), "twirling", None)
        if True not in (getattr(told, "enable_gates", False), getattr(told, "enable_measure", False)):
            return shots
        size, rounds = told.shots_per_randomization, told.num_randomizations
        if size == "auto":
            size = max(64, math.ceil(shots / 32)) if rounds == "auto" else math.ceil(shots / int(rounds))
        return int(size) * (math.ceil(shots / int(size)) if rounds == "auto" else int(rounds))

    def note(self, **settings: Any) -> None:
        """Record the options that change what runs; those that are on are reported with every run."""
        self.settings.update(settings)
        self._details.update({key: value for key, value in settings.items() if value not in (None, False)})

    def expected_fidelity(self, circuits: Sequence[Program]) -> list[float] | None:
        """Return the expected fidelity of each circuit, by the last calibration; None if unknown."""
        if self.compiler is None or not self.compiler.knows:
            return None
        return [self.compiler.compile(circuit).fidelity for circuit in circuits]

    def expected_seconds(self, circuits: Sequence[Program], shots: int) -> tuple[float, float] | None:
        """Return the expected seconds of use of a job, and the fixed part of them; None if unknown."""
        if self.pace is None or self.compiler is None:
            return None
        told = [seconds for circuit in circuits if (seconds := self.compiler.seconds(circuit)) is not None]
        if len(told) < len(circuits):
            return None
        shots = self.shots_given(shots)
        return self.pace.overhead + shots * sum(each + self.pace.delay for each in told), self.pace.overhead

    def show(self, circuits: Sequence[Program]) -> list[Shown]:
        """Return the circuits as a run would send them."""
        return [self._shown(circuit, *self._placed(circuit)) for circuit in circuits]

    def _shown(self, circuit: Program, _: Any, sent: Any, where: Placed | None) -> Shown:
        if where is None or self.compiler is None or not self.compiler.knows:
            return Shown(sent, details=self.told(where))
        reads = {name: tuple(map(str, spots)) for name, spots in _reads(circuit, where).items()}
        return Shown(sent, reads, self.told(where))

    def place(self, circuit: Program) -> Place:
        """Return where the compiler puts a circuit."""
        placed = self._chip().compile(circuit)
        return Place(placed.qubits, tuple((pair[0], pair[1]) for pair in placed.pairs), _reads(circuit, placed))

    def ban(self, spots: Sequence[int]) -> None:
        """Take qubits of the chip out of use."""
        self._chip().ban(spots)

    def _chip(self) -> TargetCompiler:
        if self.compiler is None or not self.compiler.knows:
            raise BackendError(f"{self.name} does not report which qubits it uses, so none can be tested first")
        return self.compiler

    def probe(
        self, circuits: Sequence[Program], place: Mapping[Qubit, int], shots: int, seed: int | None
    ) -> list[Shots]:
        """Return the shots of circuits whose qubits are put on these qubits of the chip."""
        placed: list[Sent] = [(c.to_qiskit(), self._chip().fixed(c, place), None) for c in circuits]
        job = self.send(placed, shots, seed)
        return self.read(circuits, placed, job.result(), shots, seed, self._listed(job))

    def _listed(self, job: Any) -> str | None:
        """Return the vendor's name of a job; None for a simulator, so that equal seeds give equal records."""
        return job_id(job) if self.capabilities.quantum else None

    def send(self, placed: Sequence[Sent], shots: int, seed: int | None) -> Any:
        """Submit a job of these circuits."""
        if self._reseed is not None and seed is not None:
            self._reseed(self._primitive, seed)
        return self._primitive.run([circuit for _, circuit, _ in placed], shots=shots)

    def read(
        self, circuits: Sequence[Program], placed: Sequence[Sent],
        result: Any, asked: int, seed: int | None, job: str | None,
    ) -> list[Shots]:  # fmt: skip
        """Return the shots in a job's result."""
        return [
            self.shots(circuit, made, result[k].data, asked, self.told(where), job=job, seed=seed,
                       calibrated=self.calibrated if where is not None else None)
            for k, (circuit, (made, _, where)) in enumerate(zip(circuits, placed, strict=True))
        ]  # fmt: skip

    @property
    def calibrated(self) -> str | None:
        """Return the time of the calibration used for placing; None if there is none."""
        return self.compiler.chip.calibrated if self.compiler is not None and self.compiler.knows else None

    def told(self, where: Placed | None) -> dict[str, Any]:
        """Return a record's data on how a circuit was sent and where it went."""
        if where is None or self.compiler is None or not self.compiler.knows:
            return dict(self._details)
        both = {"undetected_error": where.undetected, "undetected_error_twirled": where.twirled}
        unseen = {name: round(error, 4) for name, error in both.items() if error < math.inf}
        return {**self._details, "physical": list(where.qubits), "two_qubit_gates": where.two_qubit_gates,
                "depth": where.circuit.depth(), "expected_fidelity": round(where.fidelity, 4), **unseen}  # fmt: skip

    def shots(
        self, circuit: Program, made: Any, data: Any, asked: int, told: Mapping[str, Any], *,
        job: str | None, calibrated: str | None, seed: int | None = None,
    ) -> Shots:  # fmt: skip
        """Return the shots of one circuit, as the vendor gives them, with their provenance."""
        columns = [numbers(data[made.metadata["answers"][name]]) for name in circuit.answers]
        origin = Provenance(
            self.name, asked, len(columns[0]), job=job, calibrated=calibrated,
            seed=seed if self._reseed is not None else None, versions=self._versions,
            details=dict(told),
        )  # fmt: skip
        return Shots.in_order(circuit.answers, zip(*columns, strict=True), origin)

    def _placed(self, circuit: Program) -> Sent:
        """Return the circuit as written, as sent, and its place."""
        if self.compiler is None:
            made = circuit.to_qiskit()
            return made, made, None
        found = self.compiler.compile(circuit)
        return found.made, found.circuit, found


def _reads(circuit: Program, placed: Placed) -> dict[str, tuple[int, ...]]:
    """Return for each answer the chip's qubits that are read for it, bit by bit."""
    found: dict[tuple[str, int], int] = {}
    for step in placed.circuit.data:
        if step.operation.name == "measure":
            register, bit = placed.circuit.find_bit(step.clbits[0]).registers[0]
            found[register.name, bit] = placed.circuit.find_bit(step.qubits[0]).index
    names = placed.made.metadata["answers"]
    widths = {step.name: len(step.qubits) for step in circuit if isinstance(step, ReadOut)}
    return {name: tuple(found[names[name], k] for k in range(width)) for name, width in widths.items()}


def numbers(bits: Any) -> list[int]:
    """Return each shot of a Qiskit bit array as a number, in the order taken."""
    rows = np.asarray(bits.array).reshape(-1, bits.array.shape[-1])
    found = np.zeros(len(rows), dtype=object)
    for column in rows.T:  # the highest byte first
        found = found * 256 + column.astype(object)
    return [int(number) for number in found]


def job_id(job: Any) -> str | None:
    """Return the vendor's name of a job, or None."""
    told = getattr(job, "job_id", None)
    return str(told()) if callable(told) else None


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue  # a vendor's fake may do without its own package
    return found

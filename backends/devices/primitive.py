"""Samples with any Sampler primitive of Qiskit (version 2): IBM's, Aer's, Qiskit's own, other vendors'.

A primitive gives each shot in order. It may give more than asked, and its circuits must already be made of
what its machine has; the compiler of the target sees to that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from qchess.backends.devices.sampler import Capabilities, Provenance, Shots, check_circuits
from qchess.backends.devices.targets import Placed, TargetCompiler
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program

#: a circuit as written, as sent, and where it was put
Sent = tuple[Any, Any, Placed | None]
#: a simulator of state vectors takes no more in tolerable time
SIMULATOR = Capabilities(mid_measure=True, reset=True, max_qubits=24, ordered=True)


class PrimitiveSampler:
    """Runs circuits with ``primitive.run([circuits], shots=...)``, after the compiler of its target.

    Without a compiler the circuits go as they are, in one-qubit gates and CZ. `reseed` takes a seed for the
    next run to the primitive, where that is possible; without it the provenance has no seed.
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
    ) -> None:
        self.name, self.capabilities, self.compiler = name, capabilities, compiler
        self._primitive, self._reseed = primitive, reseed
        self._versions, self._details = versions(packages), dict(details or {})

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """The shots of each circuit, in order; all circuits are one job."""
        check_circuits(self, circuits, shots)
        placed = [self._placed(circuit) for circuit in circuits]
        job = self.send(placed, shots, seed)
        # a simulator's job ids are noise and nobody can look them up: without them equal seeds give equal records
        name = job_id(job) if self.capabilities.quantum else None
        return self.read(circuits, placed, job.result(), shots, seed, name)

    def note(self, **details: Any) -> None:
        """Adds to what every provenance says."""
        self._details.update({key: value for key, value in details.items() if value not in (None, False)})

    def expected_fidelity(self, circuits: Sequence[Program]) -> list[float] | None:
        """The fidelity to expect of each circuit, by the last calibration; None where nothing is known."""
        if self.compiler is None or not self.compiler.knows:
            return None
        return [self.compiler.compile(circuit).fidelity for circuit in circuits]

    def probe(
        self, circuits: Sequence[Program], place: Mapping[Qubit, int], shots: int, seed: int | None
    ) -> list[Shots]:
        """The shots of circuits whose qubits are put on these qubits of the chip."""
        assert self.compiler is not None, "who probes a place knows the chip"
        placed: list[Sent] = [(c.to_qiskit(), self.compiler.fixed(c, place), None) for c in circuits]
        return self.read(circuits, placed, self.send(placed, shots, seed).result(), shots, seed, None)

    def send(self, placed: Sequence[Sent], shots: int, seed: int | None) -> Any:
        """The job of these circuits, on its way."""
        if self._reseed is not None and seed is not None:
            self._reseed(self._primitive, seed)
        return self._primitive.run([circuit for _, circuit, _ in placed], shots=shots)

    def read(
        self, circuits: Sequence[Program], placed: Sequence[Sent],
        result: Any, asked: int, seed: int | None, job: str | None,
    ) -> list[Shots]:  # fmt: skip
        """The shots in what a job came to."""
        return [
            self._shots(circuit, one, result[k].data, asked, seed, job)
            for k, (circuit, one) in enumerate(zip(circuits, placed, strict=True))
        ]

    def _placed(self, circuit: Program) -> Sent:
        """The circuit as written, as sent, and where it was put."""
        if self.compiler is None:
            made = circuit.to_qiskit()
            return made, made, None
        found = self.compiler.compile(circuit)
        return found.made, found.circuit, found

    def _shots(
        self, circuit: Program, one: Sent, data: Any, asked: int, seed: int | None, job: str | None
    ) -> Shots:  # fmt: skip
        made, _, where = one
        columns = [numbers(data[made.metadata["answers"][name]]) for name in circuit.answers]
        details = dict(self._details)
        calibrated = None
        if where is not None and self.compiler is not None and self.compiler.knows:
            calibrated = self.compiler.chip.calibrated
            details |= {"physical": list(where.qubits), "two_qubit_gates": where.two_qubit_gates,
                        "expected_fidelity": round(where.fidelity, 4)}  # fmt: skip
        origin = Provenance(
            self.name, asked, len(columns[0]), job=job, calibrated=calibrated,
            seed=seed if self._reseed is not None else None, versions=self._versions, details=details,
        )  # fmt: skip
        return Shots.in_order(circuit.answers, zip(*columns, strict=True), origin)


def numbers(bits: Any) -> list[int]:
    """Each shot of a Qiskit bit array as a number, in the order in which they were taken."""
    rows = np.asarray(bits.array).reshape(-1, bits.array.shape[-1])
    found = np.zeros(len(rows), dtype=object)
    for column in rows.T:  # the highest byte first
        found = found * 256 + column.astype(object)
    return [int(number) for number in found]


def job_id(job: Any) -> str | None:
    """The vendor's name of a job, where it has one."""
    told = getattr(job, "job_id", None)
    return str(told()) if callable(told) else None


def versions(packages: Sequence[str]) -> dict[str, str]:
    """The versions of the packages that are installed."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue  # a vendor's fake may do without its own package
    return found

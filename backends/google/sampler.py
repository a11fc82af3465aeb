"""Sample on a Google processor or its virtual machine: compiled for its grid, validated, read shot by shot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qchess.backends.devices.cirq_sampler import in_order
from qchess.backends.devices.preflight import Place, Tried
from qchess.backends.devices.primitive import versions
from qchess.backends.devices.sampler import Capabilities, Provenance, Shots, Shown, check_circuits
from qchess.backends.google.compiling import DeviceCompiler, Placed
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program

PACKAGES = ("cirq-core", "cirq-google")


class GoogleSampler(Tried):
    """Runs circuits on a processor or its virtual machine; shots come in order."""

    def __init__(
        self,
        name: str,
        compiler: DeviceCompiler,
        at_seed: Callable[[int | None, int], Any],
        *,
        most: int,
        real: bool = False,
    ) -> None:
        self.name, self.compiler, self.real = name, compiler, real
        self._at_seed = at_seed
        self.capabilities = Capabilities(
            mid_measure=True,
            reset=True,
            native_2q=compiler.gate,
            max_qubits=most,
            ordered=True,
            quantum=real,
            job_each=real,
        )
        self._versions = versions(PACKAGES)
        self.good: set[Any] = set()

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """Return the shots of each circuit, in order."""
        check_circuits(self, circuits, shots)
        placed = [self.compiler.compile(circuit) for circuit in circuits]
        sampler = self._at_seed(seed, max(len(one.qubits) for one in placed))
        return [self._run(circuit, one, sampler, shots, seed) for circuit, one in zip(circuits, placed, strict=True)]

    def expected_fidelity(self, circuits: Sequence[Program]) -> list[float]:
        """Return the expected fidelity of each circuit, by the last calibration."""
        return [self.compiler.compile(circuit).fidelity for circuit in circuits]

    def show(self, circuits: Sequence[Program]) -> list[Shown]:
        """Return the circuits as a run would send them."""
        placed = [self.compiler.compile(circuit) for circuit in circuits]
        return [
            Shown(one.circuit, {name: tuple(map(str, spots)) for name, spots in one.reads.items()}, self.told(one))
            for one in placed
        ]

    def place(self, circuit: Program) -> Place:
        """Return where the compiler puts a circuit."""
        placed = self.compiler.compile(circuit)
        return Place(placed.spots, placed.pairs, placed.reads)

    def ban(self, spots: Sequence[Any]) -> None:
        """Take qubits of the processor out of use."""
        self.compiler.ban(spots)

    def probe(
        self, circuits: Sequence[Program], place: Mapping[Qubit, Any], shots: int, seed: int | None
    ) -> list[Shots]:
        """Return the shots of circuits whose qubits are put on these qubits of the processor."""
        sampler = self._at_seed(seed, len(place))
        return [self._run(circuit, self.compiler.fixed(circuit, place), sampler, shots, seed) for circuit in circuits]

    def told(self, one: Placed) -> dict[str, Any]:
        """Return a record's data on where a circuit went."""
        both = {"undetected_error": one.undetected, "undetected_error_twirled": one.twirled}
        unseen = {name: round(error, 4) for name, error in both.items() if error < math.inf}
        if unseen:
            unseen["undetected_angles"] = one.angles
        return {"physical": list(one.qubits), "two_qubit_gates": one.two_qubit_gates,
                "depth": len(one.circuit), "expected_fidelity": round(one.fidelity, 4), **unseen}  # fmt: skip

    def shots(
        self, circuit: Program, outcomes: Sequence[tuple[int, ...]], asked: int, told: Mapping[str, Any], *,
        job: str | None, calibrated: str | None, seed: int | None = None,
    ) -> Shots:  # fmt: skip
        """Return these outcomes with their provenance."""
        origin = Provenance(
            self.name, asked, len(outcomes), job=job, calibrated=calibrated, seed=seed, versions=self._versions,
            details=dict(told),
        )  # fmt: skip
        return Shots.in_order(circuit.answers, outcomes, origin)

    def _run(self, circuit: Program, one: Placed, sampler: Any, shots: int, seed: int | None) -> Shots:
        result = sampler.run(one.circuit, repetitions=shots)
        job = getattr(result, "job_id", None) if self.real else None
        calibrated = self.compiler.chip.calibrated
        return self.shots(circuit, in_order(circuit, result), shots, self.told(one),
                          job=job, calibrated=calibrated, seed=None if self.real else seed)  # fmt: skip

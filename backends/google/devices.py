"""Google's processors and their virtual machine as backends: ``google:<processor>``, ``google-qvm:<processor>``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qchess.backends.catalogue import Backend
from qchess.backends.devices.apart import Apart
from qchess.backends.devices.cirq_sampler import in_order
from qchess.backends.devices.primitive import versions
from qchess.backends.devices.sampler import Capabilities, Provenance, Shots, check_circuits
from qchess.backends.devices.source import device
from qchess.backends.google import vendor
from qchess.backends.google.compiling import DeviceCompiler, Placed
from qchess.circuits.program import Program

PACKAGES = ("cirq-core", "cirq-google")
#: a noisy simulation of more qubits than this does not end
SIMULATED = 16


def virtual_device(
    name: str, *, branch_limit: int = 2**20, gate: str = "cz", placement: bool = True, **options: Any
) -> Backend:
    """Our exact engine, with answers from Google's virtual machine, in a process of its own."""
    made = {"name": name, "gate": gate, "placement": placement}
    return device(Apart(f"{__name__}:virtual_sampler", made), branch_limit, **options)


def processor_device(
    name: str, *, branch_limit: int = 2**20, gate: str = "cz", placement: bool = True, **options: Any
) -> Backend:
    """Our exact engine, with answers from a processor; a queue may take hours, so nothing limits the time."""
    sampler = processor_sampler(name, gate=gate, placement=placement)
    return device(sampler, branch_limit, **{"timeout": None, **options})


def virtual_sampler(name: str, *, gate: str = "cz", placement: bool = True) -> GoogleSampler:
    """The virtual machine: the processor's qubits and gates with simulated noise; equal seeds give equal shots."""
    compiler = DeviceCompiler(*vendor.virtual(name), gate=gate, placement=placement)

    def at_seed(seed: int | None, qubits: int) -> Any:
        return vendor.virtual_machine(name, seed, qubits)

    return GoogleSampler(f"google-qvm:{name}", compiler, at_seed, most=SIMULATED)


def processor_sampler(name: str, *, gate: str = "cz", placement: bool = True) -> GoogleSampler:
    """A real processor of the user's project."""
    chip, figures, sampler, calibrated = vendor.processor(name)
    compiler = DeviceCompiler(chip, figures, gate=gate, calibrated=calibrated, placement=placement)
    return GoogleSampler(
        f"google:{name}", compiler, lambda seed, qubits: sampler, most=len(chip.metadata.qubit_set), real=True
    )


class GoogleSampler:
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
            mid_measure=True, reset=True, native_2q=compiler.gate, max_qubits=most, ordered=True, quantum=real
        )
        self._versions = versions(PACKAGES)

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        """The shots of each circuit, in order."""
        check_circuits(self, circuits, shots)
        placed = [self.compiler.compile(circuit) for circuit in circuits]
        sampler = self._at_seed(seed, max(len(one.qubits) for one in placed))
        return [self._shots(circuit, one, sampler.run(one.circuit, repetitions=shots), shots, seed)
                for circuit, one in zip(circuits, placed, strict=True)]  # fmt: skip

    def expected_fidelity(self, circuits: Sequence[Program]) -> list[float]:
        """The fidelity to expect of each circuit, by the last calibration."""
        return [self.compiler.compile(circuit).fidelity for circuit in circuits]

    def _shots(self, circuit: Program, one: Placed, result: Any, asked: int, seed: int | None) -> Shots:
        outcomes = in_order(circuit, result)
        origin = Provenance(
            self.name, asked, len(outcomes),
            job=getattr(result, "job_id", None) if self.real else None,
            calibrated=self.compiler.chip.calibrated,
            seed=None if self.real else seed,
            versions=self._versions,
            details={"physical": list(one.qubits), "two_qubit_gates": one.two_qubit_gates,
                     "expected_fidelity": round(one.fidelity, 4)},
        )  # fmt: skip
        return Shots.in_order(circuit.answers, outcomes, origin)

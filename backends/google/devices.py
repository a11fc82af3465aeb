"""Google's processors and their virtual machine as backends: ``google:<processor>``, ``google-qvm:<processor>``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qchess.backends.catalogue import Backend
from qchess.backends.devices.adapters import check_device_options, check_truths, device
from qchess.backends.devices.subprocess_sampler import SubprocessSampler
from qchess.backends.google import vendor
from qchess.backends.google.compiling import DeviceCompiler, check_gate
from qchess.backends.google.jobs import GoogleJobs
from qchess.backends.google.sampler import GoogleSampler

#: a noisy simulation of more qubits takes minutes per question
SIMULATED = vendor.DENSE
#: Google's own options
OWN = ("gate", "placement")


def virtual_device(
    name: str, *, branch_limit: int = 2**20, gate: str = "cz", placement: bool = True, **options: Any
) -> Backend:
    """Return our exact engine, with answers from Google's virtual machine, in a separate process."""
    _check(f"google-qvm:{name}", gate, placement, options)
    sampler = SubprocessSampler(f"{__name__}:virtual_sampler", {"name": name, "gate": gate, "placement": placement})
    return device(sampler, branch_limit, **options)


def processor_device(
    name: str, *, branch_limit: int = 2**20, gate: str = "cz", placement: bool = True, **options: Any
) -> Backend:
    """Return our exact engine, with answers from a processor; without a time limit, as a queue may take hours."""
    _check(f"google:{name}", gate, placement, options)
    sampler = processor_sampler(name, gate=gate, placement=placement)
    return device(sampler, branch_limit, **{"timeout": None, **options})


def _check(backend: str, gate: str, placement: bool, options: Mapping[str, Any]) -> None:
    """Refuse wrong options before anything is opened."""
    check_device_options(backend, options, OWN)
    check_truths(placement=placement)
    check_gate(gate)


def virtual_sampler(name: str, *, gate: str = "cz", placement: bool = True) -> GoogleSampler:
    """Return the virtual machine: the processor's qubits and gates, simulated noise; equal seeds give equal shots."""
    compiler = DeviceCompiler(*vendor.virtual(name), gate=gate, placement=placement)

    def at_seed(seed: int | None, qubits: int) -> Any:
        return vendor.virtual_machine(name, seed, qubits)

    return GoogleSampler(f"google-qvm:{name}", compiler, at_seed, most=SIMULATED)


def processor_sampler(name: str, *, gate: str = "cz", placement: bool = True) -> GoogleJobs:
    """Return a real processor of the user's project, whose runs are jobs."""
    found = vendor.processor(name)
    compiler = DeviceCompiler(
        found.device, found.figures, gate=gate, calibrated=found.calibrated, placement=placement
    )  # fmt: skip
    made = GoogleJobs(f"google:{name}", compiler, found)
    made.settings = {"gate": gate, "placement": placement}
    return made

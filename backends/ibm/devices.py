"""IBM's processors and fakes as backends: ``ibm:<processor>``, ``ibm:least-busy``, ``ibm-fake:<name>``."""

from __future__ import annotations

from typing import Any

from qchess.backends.catalogue import Backend
from qchess.backends.devices.adapters import device
from qchess.backends.devices.primitive import Pace, PrimitiveSampler
from qchess.backends.devices.subprocess_sampler import SubprocessSampler
from qchess.backends.devices.targets import TargetCompiler, capabilities_of
from qchess.backends.ibm import vendor
from qchess.backends.ibm.jobs import IbmJobs
from qchess.backends.ibm.settings import Settings, settled

PACKAGES = ("qiskit", "qiskit-ibm-runtime")
#: a noisy simulation of more qubits takes too long
SIMULATED = 16
#: IBM's own figures for a job's use: seconds to load it, and default seconds between two shots
LOADING, REP_DELAY = 2.0, 250e-6
#: the vendor's names of the probabilities that 1 is read for 0, and 0 for 1
FLIPS = ("prob_meas1_prep0", "prob_meas0_prep1")


class FakeSampler(SubprocessSampler):
    """A fake in a separate process; `on_a_fake` says what it does with the settings of its processor."""

    def __init__(self, name: str, settings: Settings) -> None:
        super().__init__(f"{__name__}:fake_sampler", {"name": name, **settings.chosen()})
        self.on_a_fake = settings.on_a_fake()


def fake_device(name: str, *, branch_limit: int = 2**20, **options: Any) -> Backend:
    """Return our exact engine, with answers from a local fake of a processor; takes the processor's `Settings`."""
    settings, others = settled(f"ibm-fake:{name}", options)
    return device(FakeSampler(name, settings), branch_limit, **others)


def processor_device(name: str, *, branch_limit: int = 2**20, **options: Any) -> Backend:
    """Return our exact engine, with answers from a processor; without a time limit, as a queue may take hours.

    The options are its `Settings`, and those of a `DeviceSource`.
    """
    settings, others = settled(f"ibm:{name}", options)
    return device(_opened(name, settings), branch_limit, **{"timeout": None, **others})


def fake_sampler(name: str, **chosen: Any) -> PrimitiveSampler:
    """Return a local fake behind IBM's own sampler, with `Settings`; simulated noise, equal seeds give equal shots."""
    settings, backend = Settings(**chosen), vendor.fake(name)
    primitive = vendor.new_sampler(backend)
    settings.configure(primitive.options)
    made = PrimitiveSampler(primitive, **_needed(f"ibm-fake:{name}", backend, False, settings.placement))
    made.note(decoupling=settings.decoupling, twirling=settings.twirling)
    return made


def processor_sampler(name: str, **chosen: Any) -> IbmJobs:
    """Return a real processor behind IBM's sampler, with `Settings`.

    A session or batch is closed with the sampler: by its `close`, when it is garbage-collected, or when the program
    ends.
    """
    return _opened(name, Settings(**chosen))


def _opened(name: str, settings: Settings) -> IbmJobs:
    backend = vendor.processor(name, **settings.of_account)
    needed = _needed(f"ibm:{backend.name}", backend, True, settings.placement)
    through = vendor.open_mode(backend, settings.mode)
    primitive = vendor.new_sampler(through)
    settings.configure(primitive.options)
    session = None if settings.mode == "job" else through
    made = IbmJobs(primitive, backend.service, session=session, **needed)
    made.note(mode=settings.mode, decoupling=settings.decoupling, twirling=settings.twirling)
    if settings.max_execution_time is not None:  # the keys of jobs without it are as they were
        primitive.options.max_execution_time = made.longest = settings.max_execution_time
        made.note(max_execution_time=settings.max_execution_time)
    made.settings["placement"] = settings.placement
    return made


def adopted(backend: Any) -> PrimitiveSampler:
    """Return a sampler for a processor or fake that the caller opened; a processor's runs are jobs."""
    primitive = vendor.new_sampler(backend)
    if type(backend).__name__ == "IBMBackend":
        return IbmJobs(primitive, backend.service, **_needed(f"ibm:{backend.name}", backend, True, True))
    name = f"ibm-fake:{backend.name.removeprefix('fake_')}"
    return PrimitiveSampler(primitive, **_needed(name, backend, False, True))


def _needed(name: str, backend: Any, quantum: bool, placement: bool) -> dict[str, Any]:
    """Return what a sampler needs to know of a processor or fake."""
    return {
        "name": name,
        "compiler": TargetCompiler(
            backend.target, calibrated=calibration_time(backend), placement=placement, flips=flips(backend)
        ),
        "capabilities": capabilities_of(backend.target, quantum=quantum, most=None if quantum else SIMULATED),
        "reseed": None if quantum else reseed,
        "packages": PACKAGES,
        "pace": pace(backend),
    }


def reseed(primitive: Any, seed: int) -> None:
    """Give a local simulation its seed."""
    primitive.options.simulator.seed_simulator = seed


def pace(backend: Any) -> Pace:
    """Return the time a job takes besides its circuits."""
    delay = getattr(backend, "default_rep_delay", None)
    return Pace(REP_DELAY if delay is None else float(delay), LOADING)


def flips(backend: Any) -> dict[int, tuple[float, float]]:
    """Return how often 1 is read for 0, and 0 for 1, on each qubit where both are known."""
    told = [{one.name: one.value for one in figures} for figures in getattr(_properties(backend), "qubits", ())]
    return {q: (one[FLIPS[0]], one[FLIPS[1]]) for q, one in enumerate(told) if one.keys() >= set(FLIPS)}


def calibration_time(backend: Any) -> str | None:
    """Return when the figures of a processor were measured, as the vendor says it."""
    when = getattr(_properties(backend), "last_update_date", None)
    return None if when is None else str(when)


def _properties(backend: Any) -> Any:
    """Return the figures of the last calibration in the vendor's form; None if there are none."""
    return backend.properties() if callable(getattr(backend, "properties", None)) else None

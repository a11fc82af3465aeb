"""IBM's processors and fakes as backends: ``ibm:<processor>``, ``ibm:least-busy``, ``ibm-fake:<name>``."""

from __future__ import annotations

from typing import Any

from qchess.backends.catalogue import Backend
from qchess.backends.devices.apart import Apart
from qchess.backends.devices.making import check_truths, device
from qchess.backends.devices.primitive import Pace, PrimitiveSampler
from qchess.backends.devices.targets import TargetCompiler, capabilities_of
from qchess.backends.ibm import vendor
from qchess.backends.ibm.jobs import SECONDS, IbmJobs
from qchess.circuits.errors import BackendError

MODES = ("job", "session", "batch")
#: the sequences of pulses for waiting qubits that IBM knows
SEQUENCES = ("XX", "XpXm", "XY4")
PACKAGES = ("qiskit", "qiskit-ibm-runtime")
#: a noisy simulation of more qubits than this does not end
SIMULATED = 16
#: IBM's own figures of a job's use: seconds to load it, and seconds between two shots where a processor tells no others
LOADING, REP_DELAY = 2.0, 250e-6
#: what the vendor calls the chances that 1 is read for 0, and 0 for 1
FLIPS = ("prob_meas1_prep0", "prob_meas0_prep1")


def fake_device(name: str, *, branch_limit: int = 2**20, placement: bool = True, **options: Any) -> Backend:
    """Our exact engine, with answers from a local fake of a processor, in a process of its own."""
    check_truths(placement=placement)
    sampler = Apart(f"{__name__}:fake_sampler", {"name": name, "placement": placement})
    return device(sampler, branch_limit, **options)


def processor_device(
    name: str, *, branch_limit: int = 2**20, mode: str = "job", decoupling: str | None = None,
    twirling: bool = False, placement: bool = True, max_execution_time: int | None = None, account: str | None = None,
    instance: str | None = None, channel: str | None = None, region: str | None = None, **options: Any,
) -> Backend:  # fmt: skip
    """Our exact engine, with answers from a processor; a queue may take hours, so nothing limits the time."""
    if mode == "session" and options.get("budget_seconds") is not None:
        raise BackendError(
            "budget_seconds holds jobs, and IBM counts a session's time between jobs too; take mode=batch"
        )
    sampler = processor_sampler(
        name, mode=mode, decoupling=decoupling, twirling=twirling, placement=placement,
        max_execution_time=max_execution_time, account=account, instance=instance, channel=channel, region=region,
    )  # fmt: skip
    return device(sampler, branch_limit, **{"timeout": None, **options})


def fake_sampler(name: str, *, placement: bool = True) -> PrimitiveSampler:
    """A local fake behind IBM's own sampler; its noise is simulated, and equal seeds give equal shots."""
    backend = vendor.fake(name)
    return PrimitiveSampler(vendor.new_sampler(backend), **_settings(f"ibm-fake:{name}", backend, False, placement))


def processor_sampler(
    name: str, *, mode: str = "job", decoupling: str | None = None, twirling: bool = False, placement: bool = True,
    max_execution_time: int | None = None, **account: str | None,
) -> IbmJobs:  # fmt: skip
    """A real processor behind IBM's sampler, of a saved account: `account`, `instance`, `channel`, `region` choose it.

    `decoupling` is a sequence for waiting qubits, such as ``"XY4"``; `twirling` turns systematic errors of gates
    and read-outs into random ones. Both are off unless asked for. After `max_execution_time` seconds of use IBM ends a
    job. A session or batch is closed with the sampler: when nobody holds it any more, when the program ends, or by its
    `close`.
    """
    check_truths(twirling=twirling, placement=placement)
    if mode not in MODES:
        raise BackendError(f"a job is sent by one of {', '.join(MODES)}, got {mode!r}")
    if decoupling not in (None, *SEQUENCES):
        raise BackendError(f"decoupling is one of {', '.join(SEQUENCES)}, or None; got {decoupling!r}")
    if max_execution_time is not None and not _whole(max_execution_time, *SECONDS):
        whole = "a whole number of seconds from {} to {}".format(*SECONDS)
        raise BackendError(f"max_execution_time is {whole}, or None; got {max_execution_time!r}")
    backend = vendor.processor(name, **account)
    settings = _settings(f"ibm:{backend.name}", backend, True, placement)
    through = vendor.open_mode(backend, mode)
    primitive = vendor.new_sampler(through)
    configure(primitive.options, decoupling, twirling)
    made = IbmJobs(primitive, backend.service, session=None if mode == "job" else through, **settings)
    made.note(mode=mode, decoupling=decoupling, twirling=twirling)
    if max_execution_time is not None:  # the keys of jobs without it are as they were
        primitive.options.max_execution_time = made.longest = max_execution_time
        made.note(max_execution_time=max_execution_time)
    made.settings["placement"] = placement
    return made


def _whole(number: object, least: int, most: int) -> bool:
    return type(number) is int and least <= number <= most


def adopted(backend: Any) -> PrimitiveSampler:
    """A processor or fake that somebody else opened, behind IBM's sampler; a processor's runs are jobs."""
    primitive = vendor.new_sampler(backend)
    if type(backend).__name__ == "IBMBackend":
        return IbmJobs(primitive, backend.service, **_settings(f"ibm:{backend.name}", backend, True, True))
    name = f"ibm-fake:{backend.name.removeprefix('fake_')}"
    return PrimitiveSampler(primitive, **_settings(name, backend, False, True))


def configure(options: Any, decoupling: str | None, twirling: bool) -> None:
    """Sets the options of a sampler of IBM's."""
    options.dynamical_decoupling.enable = decoupling is not None
    if decoupling is not None:
        options.dynamical_decoupling.sequence_type = decoupling
    options.twirling.enable_gates = options.twirling.enable_measure = twirling


def _settings(name: str, backend: Any, quantum: bool, placement: bool) -> dict[str, Any]:
    """What a sampler of ours needs to know of a processor or fake."""
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
    """Gives a local simulation its seed."""
    primitive.options.simulator.seed_simulator = seed


def pace(backend: Any) -> Pace:
    """What a job takes besides its circuits."""
    delay = getattr(backend, "default_rep_delay", None)
    return Pace(REP_DELAY if delay is None else float(delay), LOADING)


def flips(backend: Any) -> dict[int, tuple[float, float]]:
    """How often 1 is read for 0, and 0 for 1, on each qubit of which the vendor tells both."""
    told = [{one.name: one.value for one in figures} for figures in getattr(_properties(backend), "qubits", ())]
    return {q: (one[FLIPS[0]], one[FLIPS[1]]) for q, one in enumerate(told) if one.keys() >= set(FLIPS)}


def calibration_time(backend: Any) -> str | None:
    """When the figures of a processor were measured, as the vendor says it."""
    when = getattr(_properties(backend), "last_update_date", None)
    return None if when is None else str(when)


def _properties(backend: Any) -> Any:
    """The figures of the last calibration in the vendor's form; None where there are none."""
    return backend.properties() if callable(getattr(backend, "properties", None)) else None

"""Make backends of samplers: our exact engine, and a source that asks the sampler.

A sampler that can submit jobs gets a source that does not wait; every other one answers at once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from inspect import signature
from typing import Any

from qchess.backends.catalogue import Backend, check_options, with_settings
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.sampler import Sampler
from qchess.backends.devices.source import DeviceSource, check_settings
from qchess.backends.devices.subprocess_sampler import SubprocessSampler
from qchess.circuits.errors import BackendError

#: options of a `DeviceSource` that are not settings
NOT_CHOSEN = ("sampler", "seed")
AER = "qchess.backends.devices.qiskit_sampler"


def device(sampler: Sampler, /, branch_limit: int = 2**20, **options: Any) -> Backend:
    """Return our exact engine, with answers from a sampler; options go to the `DeviceSource`."""
    from qchess.backends.sparse.engine import SparseEngine

    check_device_options(sampler.name, options)
    kind: type[DeviceSource] = QueuedSource if hasattr(sampler, "submit") else DeviceSource

    def source(seed: int | str | None) -> DeviceSource:
        return kind(sampler, seed=seed, **options)

    source(None)  # wrong options are reported now, not in the middle of a game
    return Backend(with_settings(sampler.name, options), SparseEngine(branch_limit), source)


def device_settings() -> set[str]:
    """Return the names of the settings that every device takes."""
    return signature(DeviceSource).parameters.keys() - set(NOT_CHOSEN)


def check_device_options(backend: str, options: Mapping[str, Any], others: Collection[str] = ()) -> None:
    """Refuse unknown options (neither settings of every device nor in `others`) and wrong values."""
    check_options(backend, DeviceSource, options, NOT_CHOSEN, others)
    check_settings(options)


def check_truths(**given: object) -> None:
    """Refuse settings that are neither True nor False."""
    for name, value in given.items():
        if value not in (True, False):
            raise BackendError(f"{name} is True or False, got {value!r}")


def aer_device(noisy: bool = True, branch_limit: int = 2**20, **options: Any) -> Backend:
    """Return our exact engine, with answers from shots of Aer; options go to the `DeviceSource`."""
    check_truths(noisy=noisy)
    check_device_options("aer-noisy" if noisy else "aer-shots", options)
    return device(SubprocessSampler(f"{AER}:aer_sampler", {"noisy": noisy}), branch_limit, **options)


def queued_device(name: str, *, branch_limit: int = 2**20, **options: Any) -> Backend:
    """Return a local device with a queue of jobs that outlive the process: ``<device>`` or ``<seconds>:<device>``."""
    from qchess.backends.devices.desk import Desk

    first, colon, rest = name.partition(":")
    timed = bool(colon) and first.replace(".", "", 1).isdecimal()
    held = rest if timed else name
    if held.partition(":")[0] == "queued":
        raise BackendError(f"expected a device without a queue after queued:, got {held!r}")
    for trial in ("preflight", "mitigation"):
        if options.get(trial):  # each job runs in a process of its own, which knows nothing of what was tried here
            raise BackendError(
                f"queued:{name} takes no {trial}; ask {held!r} without a queue, with {trial}={options[trial]}"
            )
    check_settings(options)
    known = device_settings()
    settings = {option: options.pop(option) for option in [*options] if option not in known}  # the device's own
    beside = {option: options[option] for option in ("budget_seconds",) if options.get(option) is not None}
    desk = Desk(held, float(first) if timed else 0.0, settings=settings, beside=beside)
    return device(desk, branch_limit, **options)

"""Adapters: make a backend of anything that runs circuits, in one call.

a cirq.Sampler          Cirq's simulators, and the samplers of vendors that derive from it
a Qiskit BackendV2      simulators, fakes, and processors with a Qiskit provider
a Sampler primitive     version 2: ``run([circuits], shots=...)``
a Sampler of ours       `name`, `capabilities` and ``run(circuits, shots, seed)``
a function              from a Qiskit circuit to its counts

A backend of a sampler is our exact engine with a source that asks the sampler. If the sampler can submit jobs, the
source does not wait; every other one answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from inspect import isbuiltin, signature
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from qchess.backends.catalogue import Backend, Row, check_options, get, register, rows, with_settings
from qchess.backends.devices.primitive import PrimitiveSampler
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.sampler import Capabilities, Sampler, complete
from qchess.backends.devices.source import DeviceSource, check_settings
from qchess.backends.devices.subprocess_sampler import SubprocessSampler
from qchess.backends.devices.targets import TargetCompiler, capabilities_of
from qchess.backends.devices.validation import shown, words_of
from qchess.circuits.errors import BackendError

#: options of a `DeviceSource` that are not settings
NOT_CHOSEN = ("sampler", "seed")
AER = "qchess.backends.devices.qiskit_sampler"
#: makes the sampler of IBM's own backends; IBM's file makes its devices with this one
IBM = "qchess.backends.ibm.devices:adopted"
#: a dense simulation of more qubits takes too much memory or time
SIMULATED = 24
ACCEPTED = (
    "a backend is a name from `qchess backends`, a qchess Backend, a cirq.Sampler, a Qiskit BackendV2, "
    "a Qiskit Sampler primitive (V2), a braket LocalSimulator, a function from a Qiskit circuit to its counts, or an "
    "object with name, capabilities and run(circuits, shots, seed)"
)


def device(sampler: Sampler, /, branch_limit: int = 2**20, **options: Any) -> Backend:
    """Return our exact engine, with answers from a sampler; options go to the `DeviceSource`."""
    from qchess.backends.sparse.engine import SparseEngine

    check_device_options(sampler.name, options)
    kind: type[DeviceSource] = QueuedSource if complete(sampler).queued else DeviceSource

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
    from qchess.backends.devices.jobqueue import JobQueue

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
    queue = JobQueue(held, float(first) if timed else 0.0, settings=settings, beside=beside)
    return device(queue, branch_limit, **options)


def adopt(made: Any, **options: Any) -> Backend:
    """Return this backend, or a backend made from this object; options go to the `DeviceSource`.

    >>> adopt('sparse').name
    'sparse'
    """
    if isinstance(made, Backend):
        return made
    if isinstance(made, str):
        return get(made, **options)
    found = _sampler(made)
    if found is None:
        raise BackendError(f"{ACCEPTED}; got {shown(made)}")
    return device(found, **options)


def enlist(name: str) -> str:
    """Add ``module:name`` to the catalogue of this process, if there is such a module; returns the name.

    The named code is run. So only names that a user typed get here; in a record, or over a wire, such a name is no
    backend unless it was typed for this process.
    """
    place = name.partition(",")[0]
    module, colon, attribute = place.partition(":")
    if colon and attribute.isidentifier() and all(part.isidentifier() for part in module.split(".")):
        if (here := str(Path.cwd())) not in sys.path:
            sys.path.append(here)
        with suppress(ModuleNotFoundError):  # of a package: then there is no such module in it either
            if not any(row.holds(place) for row in rows()) and find_spec(module):
                register(Row(place, "named by its place", f"{__name__}:at_place", (("place", place),)))
    return name


def at_place(place: str, **options: Any) -> Backend:
    """Return the backend at ``module:name``, or the result of the function there if it takes no arguments."""
    module, _, attribute = place.partition(":")
    try:
        loaded = import_module(module)
        if not hasattr(loaded, attribute):
            near = get_close_matches(attribute, dir(loaded), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BackendError(f"the module {module!r} has no {attribute!r}{hint}")
        made = getattr(loaded, attribute)
        if callable(made) and _takes_nothing(made):
            made = made()
    except BackendError:
        raise
    except Exception as error:
        raise BackendError(f"{place} could not be made ({words_of(error)})") from error
    if options and isinstance(made, Backend):
        raise BackendError(f"{place} is a whole backend and takes no settings; got {', '.join(options)}")
    return replace(adopt(made, **options), name=with_settings(place, options))


def _takes_nothing(function: Any) -> bool:
    """Tell whether a function or class can be called without arguments."""
    try:
        signature(function).bind()
    except (TypeError, ValueError):  # it needs some, or does not tell
        return False
    return True


def _sampler(made: Any) -> Sampler | None:
    """Return a sampler around this object; None if it is unknown."""
    if isinstance(getattr(made, "capabilities", None), Capabilities) and callable(getattr(made, "run", None)):
        ours: Sampler = made
        return ours
    # nothing is imported to look: who hands in an object of a library has loaded it
    cirq, qiskit, braket = (sys.modules.get(name) for name in ("cirq", "qiskit", "braket.devices"))
    if cirq is not None and isinstance(made, cirq.Sampler):
        return _of_cirq(made)
    if qiskit is not None:
        from qiskit.primitives import BaseSamplerV2
        from qiskit.providers import BackendV2

        if isinstance(made, BackendV2):
            return of_qiskit(made)
        if isinstance(made, BaseSamplerV2):
            return _of_primitive(made)
    if braket is not None and isinstance(made, braket.Device):
        from qchess.backends.devices.braket_sampler import BraketSampler

        return BraketSampler(made)
    if callable(made) and not isinstance(made, type) and not isbuiltin(made):
        from qchess.backends.devices.qiskit_sampler import ExecutorSampler

        return ExecutorSampler(made)
    return None


def _of_cirq(made: Any) -> Sampler:
    from qchess.backends.devices.cirq_sampler import CirqSampler

    return CirqSampler(made, name=f"cirq {type(made).__name__}")


def of_qiskit(backend: Any) -> Sampler:
    """Return a sampler around a Qiskit backend; IBM's processors and fakes get IBM's own sampler."""
    if type(backend).__module__.startswith("qiskit_ibm_runtime"):
        ibm: Sampler = resolve_name(IBM)(backend)
        return ibm
    from qiskit.primitives import BackendSamplerV2

    simulated = _simulates(backend)
    can = capabilities_of(backend.target, quantum=not simulated, most=SIMULATED if simulated else None)
    compiler = TargetCompiler(backend.target)
    if "memory" not in getattr(backend.options, "__dict__", {}) and not hasattr(backend.options, "memory"):
        from qchess.backends.devices.qiskit_sampler import CountingSampler

        return CountingSampler(backend, compiler, name=_name(backend), capabilities=can)
    return PrimitiveSampler(
        BackendSamplerV2(backend=backend), name=_name(backend), compiler=compiler, capabilities=can,
        reseed=_reseed if hasattr(backend.options, "seed_simulator") else None,
    )  # fmt: skip


def _of_primitive(primitive: Any) -> Sampler:
    """Return a sampler around a primitive; if it names its backend, with that backend's compiler."""
    primitive = _flowing(primitive)
    backend = getattr(primitive, "backend", None) or getattr(primitive, "_backend", None)
    backend = backend() if callable(backend) else backend
    name = f"{type(primitive).__name__}{f' on {_name(backend)}' if backend is not None else ''}"
    target = getattr(backend, "target", None)
    if target is None:
        return PrimitiveSampler(primitive, name=name)
    simulated = _simulates(backend)
    can = capabilities_of(target, quantum=not simulated, most=SIMULATED if simulated else None)
    return PrimitiveSampler(primitive, name=name, compiler=TargetCompiler(target), capabilities=can)


def _flowing(primitive: Any) -> Any:
    """Return the same primitive; Qiskit's own with a number as seed would give all circuits the same random numbers."""
    import numpy as np
    from qiskit.primitives import StatevectorSampler

    if type(primitive) is not StatevectorSampler or not isinstance(primitive.seed, int):
        return primitive
    return StatevectorSampler(default_shots=primitive.default_shots, seed=np.random.default_rng(primitive.seed))


def _name(backend: Any) -> str:
    return str(getattr(backend, "name", None) or type(backend).__name__)


def _simulates(backend: Any) -> bool:
    """Tell whether a backend computes its shots: it says so, takes a seed, or is from a simulator's package."""
    told = f"{type(backend).__module__} {type(backend).__name__} {_name(backend)}".lower()
    return hasattr(backend.options, "seed_simulator") or any(
        w in told for w in ("aer", "simulator", "fake", "statevector")
    )


def _reseed(primitive: Any, seed: int) -> None:
    primitive.options.seed_simulator = seed

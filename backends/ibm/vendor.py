"""The only file that names classes of qiskit-ibm-runtime; adapt to renames of the vendor here.

Accounts come only from the vendor's saved configuration and environment; qchess neither takes nor stores a token.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from copy import copy, deepcopy
from functools import cache
from typing import Any

from qchess.circuits.errors import BackendError, MissingExtraError, unknown_name

ACCOUNT = (
    "no IBM account is saved on this machine; save one once with "
    "QiskitRuntimeService.save_account(token=...), see docs/devices.md"
)
#: the same for an account chosen by name
NAMED = "no IBM account named {!r} is saved on this machine"

LEAST_BUSY = "least-busy"
#: the packages whose errors mean a broken connection
NETWORK = ("requests", "urllib3", "http.client", "socket", "ssl")
#: HTTP status for an unknown token, and for something the account may not use
UNKNOWN, FORBIDDEN = 401, 403
#: HTTP status from which on the service has failed
OUT_OF_ORDER = 500


def service(*, account: str | None = None, **chosen: str | None) -> Any:
    """Return a saved IBM account: the named one or the default, with an instance, channel or region if given."""
    runtime = _runtime()
    given = {key: str(value) for key, value in {"name": account, **chosen}.items() if value is not None}
    try:
        return runtime.QiskitRuntimeService(**given)
    except Exception as error:
        if type(error).__name__ == "AccountNotFoundError":
            raise BackendError(
                ACCOUNT if account is None else f"{NAMED.format(str(account))} ({_told(error)})"
            ) from error
        told = _unheard(error) or f"IBM's account could not be opened ({_told(error)})"
        raise BackendError(told) from error


def processor(name: str, **account: str | None) -> Any:
    """Return a processor of an account (`service`) by name; ``least-busy`` is the one with the shortest queue."""
    opened = service(**account)
    try:
        if name == LEAST_BUSY:
            return opened.least_busy(operational=True, simulator=False)
        found = opened.backend(name)
        state = found.status()
    except Exception as error:
        raise BackendError(_missing(name, error)) from error
    if not state.operational:
        raise BackendError(f"{name} is offline ({state.status_msg}); {state.pending_jobs} jobs wait for it")
    return found


def _missing(name: str, error: Exception) -> str:
    """Return why the processor is not available: unknown, not for this account, or no answer."""
    told = _told(error)
    if type(error).__name__ == "QiskitBackendNotFoundError":
        what = "operational processor" if name == LEAST_BUSY else f"processor {name!r}"
        return f"IBM has no {what} for this account ({told})"
    if any(_status(each) == FORBIDDEN for each in _causes(error)):
        return f"IBM does not let this account use the processor {name!r} ({told})"
    return _unheard(error) or f"IBM's processor {name!r} could not be looked up ({told})"


def _unheard(error: Exception) -> str:
    """Return that IBM refuses the account or did not answer; empty if neither."""
    for each in _causes(error):
        if type(each).__name__ == "IBMNotAuthorizedError" or _status(each) == UNKNOWN or _of_the_key(each):
            return f"IBM refuses this account: its token is unknown or no longer valid; save a new one ({_told(error)})"
        if 400 <= _status(each) < 500:  # somebody answered, and said no
            return ""
        if isinstance(each, ConnectionError | TimeoutError) or type(each).__module__.startswith(NETWORK):
            return f"IBM's service cannot be reached ({_with_cause(error, each)})"
        if _status(each) >= OUT_OF_ORDER:
            return f"IBM's service reports an error ({_with_cause(error, each)})"
    return ""


def _with_cause(error: BaseException, cause: BaseException) -> str:
    """Return an error with its cause: the vendor may blame the account for a broken connection."""
    return _told(error) if cause is error else f"{_told(error)}; {_told(cause)}"


def _of_the_key(error: BaseException) -> bool:
    """Tell whether IBM's identity service, which issues the hourly key, does not know the token."""
    return type(error).__module__.startswith("ibm_cloud_sdk_core") and 400 <= _status(error) < 500


def _status(error: BaseException) -> int:
    """Return the HTTP status in an error of the vendor's; 0 if there is none."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else 0


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, its cause, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def fake(name: str) -> Any:
    """Return the local fake of a processor, with its former coupling and calibration."""
    _runtime()
    from qiskit_ibm_runtime import fake_provider

    makers = {}
    for maker in vars(fake_provider).values():
        told = getattr(maker, "backend_name", None)
        if isinstance(told, str) and told.startswith("fake_") and hasattr(maker, "target"):
            makers[told.removeprefix("fake_")] = maker
    if name not in makers:
        raise BackendError(unknown_name("fake of an IBM processor", name, sorted(makers)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some fakes warn that their figures are not typical
        return makers[name]()


def open_mode(backend: Any, mode: str) -> Any:
    """Return what jobs are sent through: the processor itself, or a session or batch on it."""
    if mode == "job":
        return backend
    runtime = _runtime()
    return {"session": runtime.Session, "batch": runtime.Batch}[mode](backend=backend)


def close(session: Any) -> None:
    """Close a session or batch: it takes no more jobs, and finishes those it has."""
    try:
        session.close()
    except Exception as error:  # noqa: BLE001 (also at the end of the program, where nobody could catch it)
        told = f"{type(error).__name__}: {error}"
        warnings.warn(f"IBM's {type(session).__name__.lower()} was not closed; it ends by itself ({told})")


def new_sampler(mode: Any) -> Any:
    """Return the vendor's current sampler; that of a fake has one simulator for all its runs, made by the first."""
    _runtime()
    from qiskit_ibm_runtime.executor_sampler import Sampler
    from qiskit_ibm_runtime.fake_provider.fake_backend import FakeBackendV2

    if not isinstance(mode, FakeBackendV2):
        return Sampler(mode=mode)
    simulator = cache(_simulator)

    class FakeSampler(Sampler):  # type: ignore[misc]
        def run(self, *pubs: Any, **options: Any) -> Any:
            self._backend = simulator(mode)
            return super().run(*pubs, **options)

    return FakeSampler(mode=mode)


def _simulator(fake: Any) -> Any:
    """Return the simulator that the vendor would make of a fake in each run, and copy, and describe to Aer's core.

    All this is about the noise, which stays the same: at 133 qubits it takes 6 seconds.
    """
    from qiskit_aer import AerSimulator
    from qiskit_aer.noise import NoiseModel

    plain = NoiseModel.from_backend(fake)
    described = cache(plain.to_dict)

    class Noise(NoiseModel):  # type: ignore[misc]
        def __init__(self) -> None:
            self.__dict__.update(vars(plain))

        def __deepcopy__(self, memo: dict[int, Any]) -> Any:
            return deepcopy(plain, memo)  # Aer adds the noise of waiting to it

        def to_dict(self, serializable: bool = False) -> Any:
            return described(serializable)

    class Simulator(AerSimulator):  # type: ignore[misc]
        def __deepcopy__(self, memo: object) -> Simulator:
            made = copy(self)
            made._options = copy(self._options)  # the vendor sets its seed
            return made

    return Simulator.from_backend(fake, noise_model=Noise())


def _runtime() -> Any:
    try:
        import qiskit_ibm_runtime
    except ModuleNotFoundError as error:
        if error.name != "qiskit_ibm_runtime":
            raise
        raise MissingExtraError(
            "IBM's processors and their fakes need qiskit-ibm-runtime; install it with: pip install 'qchess[ibm]'"
        ) from error
    return qiskit_ibm_runtime

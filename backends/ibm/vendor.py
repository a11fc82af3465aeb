"""The one file that names classes of qiskit-ibm-runtime; what the vendor renames is mended here.

Accounts come from the vendor's saved configuration and environment only; qchess neither takes nor keeps a
token.
"""

from __future__ import annotations

import warnings
from typing import Any

from qchess.circuits.errors import BackendError, MissingExtraError, unknown_name

ACCOUNT = (
    "no IBM account is saved on this machine; save one once with "
    "QiskitRuntimeService.save_account(token=...), see docs/devices.md"
)


LEAST_BUSY = "least-busy"
#: the packages whose errors say that the way to the service is broken
NETWORK = ("requests", "urllib3", "http.client", "socket", "ssl")


def service() -> Any:
    """The user's account with IBM."""
    runtime = _runtime()
    try:
        return runtime.QiskitRuntimeService()
    except Exception as error:
        if type(error).__name__ == "AccountNotFoundError":
            raise BackendError(ACCOUNT) from error
        raise BackendError(f"IBM's service cannot be reached ({type(error).__name__}: {error})") from error


def processor(name: str) -> Any:
    """A processor of the user's account by name; ``least-busy`` is the one with the shortest queue."""
    account = service()
    try:
        if name == LEAST_BUSY:
            return account.least_busy(operational=True, simulator=False)
        found = account.backend(name)
        state = found.status()
    except Exception as error:
        raise BackendError(_refused(name, error)) from error
    if not state.operational:
        raise BackendError(f"{name} is offline ({state.status_msg}); {state.pending_jobs} jobs wait for it")
    return found


def _refused(name: str, error: Exception) -> str:
    """Why there is no such processor for us: it is unknown, or nobody could be asked."""
    told = f"{type(error).__name__}: {error}"
    if type(error).__name__ == "QiskitBackendNotFoundError":
        what = "operational processor" if name == LEAST_BUSY else f"processor {name!r}"
        return f"IBM has no {what} for this account ({told})"
    if _of_the_network(error):
        return f"IBM's service cannot be reached ({told})"
    return f"IBM's processor {name!r} could not be looked up ({told})"


def _of_the_network(error: BaseException | None) -> bool:
    """Whether an error, or what caused it, is that nobody answered."""
    while error is not None:
        if 400 <= getattr(error, "status_code", 0) < 500:  # somebody did, and said no
            return False
        if isinstance(error, ConnectionError | TimeoutError) or type(error).__module__.startswith(NETWORK):
            return True
        error = error.__cause__ or error.__context__
    return False


def fake(name: str) -> Any:
    """The local fake of a processor: its coupling and calibration as they once were."""
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
    """What jobs are sent through: the processor itself, or a session or batch on it."""
    if mode == "job":
        return backend
    runtime = _runtime()
    return {"session": runtime.Session, "batch": runtime.Batch}[mode](backend=backend)


def close(session: Any) -> None:
    """Closes a session or batch: it takes no more jobs, and those that it has run to their end."""
    try:
        session.close()
    except Exception as error:  # noqa: BLE001 (also at the end of the program, where nobody could catch it)
        told = f"{type(error).__name__}: {error}"
        warnings.warn(f"IBM's {type(session).__name__.lower()} was not closed, and ends by itself ({told})")


def new_sampler(mode: Any) -> Any:
    """The vendor's current sampler."""
    _runtime()
    from qiskit_ibm_runtime.executor_sampler import Sampler

    return Sampler(mode=mode)


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

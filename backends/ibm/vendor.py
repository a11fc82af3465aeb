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
        if name == "least-busy":
            return account.least_busy(operational=True, simulator=False)
        found = account.backend(name)
    except Exception as error:
        raise BackendError(f"IBM has no processor {name!r} for this account ({error})") from error
    state = found.status()
    if not state.operational:
        raise BackendError(f"{name} is offline ({state.status_msg}); {state.pending_jobs} jobs wait for it")
    return found


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

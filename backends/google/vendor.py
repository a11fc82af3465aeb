"""The only file that names classes of cirq-google; adapt to renames of the vendor here.

A project and its credentials come only from the vendor's own configuration (``GOOGLE_CLOUD_PROJECT`` and the
application default credentials); qchess neither takes nor stores any.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from qchess.circuits.errors import BackendError, MissingExtraError, unknown_name

ACCOUNT = (
    "no Google Cloud project is configured on this machine; set GOOGLE_CLOUD_PROJECT and log in with "
    "gcloud auth application-default login, see docs/devices.md"
)
#: for more qubits a density matrix is slower than trajectories: 1.5 s for ten, half a minute for eleven
DENSE = 10
#: the vendor's client retries until its pause reaches this many seconds; its own limit is an hour
PATIENCE = 4
#: HTTP status for: not found, not allowed, service unavailable
MISSING, FORBIDDEN, AWAY = 404, (401, 403), (408, 500, 502, 503, 504)
#: HTTP status for: already exists
THERE = 409


@dataclass(frozen=True, slots=True)
class Processor:
    """A real processor: the engine that holds its jobs, and what is known of it."""

    engine: Any
    sampler: Any
    device: Any
    figures: Any = None
    calibrated: str | None = None
    #: why the calibration could not be read, if so
    unread: str = ""


def virtual(name: str) -> tuple[Any, Any]:
    """Return the device and its noise figures, both local."""
    google = _google()
    known = google.engine.list_virtual_processors()
    if name not in known:
        raise BackendError(unknown_name("virtual Google processor", name, known))
    device = google.engine.create_device_from_processor_id(name)
    return device, google.engine.load_device_noise_properties(name)


def virtual_machine(name: str, seed: int | None, qubits: int) -> Any:
    """Return a sampler on the virtual machine with the processor's noise.

    Up to `DENSE` qubits it evolves the density matrix once for all shots; beyond, one noisy trajectory per shot.
    """
    google = _google()
    if qubits > DENSE:
        engine = google.engine.create_default_noisy_quantum_virtual_machine(name, seed=seed)
        return engine.get_processor(name).get_sampler()
    import cirq

    device, figures = virtual(name)
    noise = google.NoiseModelFromGoogleNoiseProperties(figures)
    machine = google.engine.SimulatedLocalProcessor(
        processor_id=name,
        sampler=cirq.DensityMatrixSimulator(noise=noise, seed=seed),
        device=device,
        calibrations=_calibrations(name),
    )
    return google.engine.SimulatedLocalEngine([machine]).get_processor(name).get_sampler()


def _calibrations(name: str) -> dict[int, Any]:
    found = _google().engine.load_median_device_calibration(name)
    return {found.timestamp // 1000: found}


def engine() -> Any:
    """Return the user's engine; its calls answer or fail within tolerable time."""
    try:
        found = _google().get_engine()
    except Exception as error:
        raise BackendError(f"{ACCOUNT} ({_told(error)})") from error
    context = getattr(found, "context", None)
    if context is not None:
        # over a stream a job may not be handed in yet when the call returns, and a process may end then
        context.enable_streaming = False
        context.client.max_retry_delay_seconds, context.client.verbose = PATIENCE, False
    return found


def processor(name: str) -> Processor:
    """Return a real processor of the user's project, as its last calibration describes it."""
    google, account = _google(), engine()
    try:
        found = account.get_processor(name)
        calibration = found.get_current_calibration()
        device, sampler = found.get_device(), found.get_sampler()
    except Exception as error:
        raise BackendError(_refused(name, error)) from error
    if calibration is None:
        return Processor(account, sampler, device)
    try:
        figures, unread = google.noise_properties_from_calibration(calibration), ""
    except Exception as error:  # noqa: BLE001 (the processor can be used without its figures, and the record says so)
        figures, unread = None, _told(error)
    return Processor(account, sampler, device, figures, _time(calibration), unread)


def _time(calibration: Any) -> str | None:
    """Return when a calibration was made; those in the package have no time."""
    milliseconds = calibration.timestamp
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat() if milliseconds else None


def hand_in(processor: Processor, name: str, circuit: Any, shots: int) -> bool:
    """Submit a circuit as the job of this name; False if there is one already."""
    if state(processor, name) is not None:
        return False
    sampler = processor.sampler
    try:
        sampler.processor.run_sweep(
            circuit, program_id=name, job_id=name, repetitions=shots,
            run_name=sampler.run_name, device_config_name=sampler.device_config_name,
        )  # fmt: skip
    except Exception as error:
        if _code(error) != THERE:
            raise
        return False  # another process was quicker
    return True


def state(processor: Processor, name: str) -> str | None:
    """Return the state of the job of this name, in the vendor's words; None if there is no such job."""
    try:
        return str(job(processor, name).execution_status().name)
    except KeyError:  # a local engine
        return None
    except Exception as error:
        if _code(error) == MISSING:
            return None
        raise


def job(processor: Processor, name: str) -> Any:
    """Return the job of this name; it is looked up when used."""
    return processor.engine.get_program(name).get_job(name)


def _refused(name: str, error: Exception) -> str:
    """Return why this processor is not available to us, as far as the vendor says it."""
    told, code = _told(error), _code(error)
    if type(error).__name__ == "DefaultCredentialsError":
        return f"{ACCOUNT} ({told})"
    if code == MISSING or isinstance(error, KeyError):
        return f"Google has no processor {name!r} for this project ({told})"
    if code in FORBIDDEN:
        return f"Google does not let this project use the processor {name!r} ({told})"
    if isinstance(error, TimeoutError | ConnectionError) or code in AWAY:
        return f"Google's service cannot be reached ({told})"
    return f"Google's processor {name!r} could not be looked up ({told})"


def _code(error: Exception) -> int | None:
    """Return the HTTP status in an error of the vendor's."""
    code = getattr(error, "code", None)
    return int(code) if isinstance(code, int) else None


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _google() -> Any:
    try:
        import cirq_google
    except ModuleNotFoundError as error:
        if error.name != "cirq_google":
            raise
        raise MissingExtraError(
            "Google's processors and their virtual machine need cirq-google; install it with: "
            "pip install 'qchess[google]'"
        ) from error
    return cirq_google

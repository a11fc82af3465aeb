"""The one file that names classes of cirq-google; what the vendor renames is mended here.

A project and its credentials come from the vendor's own configuration (``GOOGLE_CLOUD_PROJECT`` and the
application default credentials) only; qchess neither takes nor keeps any.
"""

from __future__ import annotations

from typing import Any

from qchess.circuits.errors import BackendError, MissingExtraError, unknown_name

ACCOUNT = (
    "no Google Cloud project is configured on this machine; set GOOGLE_CLOUD_PROJECT and log in with "
    "gcloud auth application-default login, see docs/devices.md"
)


#: a density matrix of more qubits than this is slower than trajectories
DENSE = 8


def virtual(name: str) -> tuple[Any, Any]:
    """The device and its noise figures, both local."""
    google = _google()
    known = google.engine.list_virtual_processors()
    if name not in known:
        raise BackendError(unknown_name("virtual Google processor", name, known))
    device = google.engine.create_device_from_processor_id(name)
    return device, google.engine.load_device_noise_properties(name)


def virtual_machine(name: str, seed: int | None, qubits: int) -> Any:
    """A sampler on the virtual machine with the processor's noise.

    Up to `DENSE` qubits it evolves the density matrix once for all shots; beyond, it runs one noisy trajectory a shot.
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


def processor(name: str) -> tuple[Any, Any, Any, str | None]:
    """The device, its noise figures, a sampler on the real processor, and the time of its calibration."""
    google = _google()
    try:
        engine = google.get_engine()
    except Exception as error:
        raise BackendError(f"{ACCOUNT} ({type(error).__name__})") from error
    try:
        found = engine.get_processor(name)
        calibration = found.get_current_calibration()
        device = found.get_device()
        sampler = found.get_sampler()
    except Exception as error:
        raise BackendError(f"Google has no processor {name!r} for this project ({error})") from error
    if calibration is None:
        return device, None, sampler, None
    return device, google.noise_properties_from_calibration(calibration), sampler, str(calibration.timestamp)


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

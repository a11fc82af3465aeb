"""Samplers by name: what runs the circuits of a backend of the catalogue."""

from __future__ import annotations

from typing import Any

from qchess.backends.catalogue import get
from qchess.backends.devices.sampler import Sampler
from qchess.circuits.errors import BackendError


def sampler(name: str, **options: Any) -> Sampler:
    """The sampler of the backend of that name, if it has one."""
    found: Sampler | None = getattr(get(name, **options).source(), "sampler", None)
    if found is None:
        raise BackendError(f"backend {name!r} runs no circuits shot by shot; name a device, such as 'aer-shots'")
    return found

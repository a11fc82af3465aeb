"""Samplers by name: they run the circuits of a backend of the catalogue."""

from __future__ import annotations

from typing import Any

from qchess.backends.catalogue import get
from qchess.backends.devices.sampler import Sampler
from qchess.circuits.engine import Source
from qchess.circuits.errors import BackendError


def sampler(name: str, **options: Any) -> Sampler:
    """Return the sampler of the backend of that name, if it has one."""
    return sampler_of(get(name, **options).source(), name)


def sampler_of(source: Source, name: str) -> Sampler:
    """Return the sampler of a backend's source, if it has one; `name` is the backend's."""
    found: Sampler | None = getattr(source, "sampler", None)
    if found is None:
        raise BackendError(f"backend {name!r} does not run circuits shot by shot; name a device, such as 'aer-shots'")
    return found

"""Backends: engines that evolve amplitudes, sources that answer questions, and their catalogue."""

from typing import Any

from qchess.backends.catalogue import Backend, Row, engine, get, names, register, rows
from qchess.circuits.sources import Forced, Seeded

__all__ = ["Backend", "Forced", "Row", "Seeded", "engine", "get", "names", "of", "register", "rows", "sampler"]


def of(made: Any, **options: Any) -> Backend:
    """The backend that this is, or that can be made of it: a name, a sampler, a backend or primitive of a vendor."""
    from qchess.backends.devices.adopting import adopt

    return adopt(made, **options)


def sampler(name: str, **options: Any) -> Any:
    """The sampler of the backend of that name, which runs circuits shot by shot."""
    from qchess.backends.devices.samplers import sampler as named

    return named(name, **options)

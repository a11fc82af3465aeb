"""Backends: engines that evolve amplitudes, sources that answer questions, and their catalogue."""

from typing import Any

from qchess.backends.catalogue import Backend, Row, engine, get, names, register, rows
from qchess.backends.devices.sampler import BaseSampler
from qchess.circuits.sources import FixedAnswers, Forced, Seeded

__all__ = ["Backend", "FixedAnswers", "Forced", "Row", "Seeded", "engine", "get", "names", "of", "register", "rows",
           "sampler"]  # fmt: skip


def of(made: Any, **options: Any) -> Backend:
    """Return a backend made from a name, a sampler, or a vendor's backend or primitive."""
    from qchess.backends.devices.adapters import adopt

    return adopt(made, **options)


def sampler(name: str, **options: Any) -> BaseSampler:
    """Return the sampler of the named backend, which runs circuits shot by shot."""
    return get(name, **options).sampler()

"""Backends: engines that evolve amplitudes, sources that answer questions, and their catalogue."""

from qchess.backends.catalogue import Backend, Row, engine, get, names, of, register, rows
from qchess.circuits.sources import Forced, Seeded

__all__ = ["Backend", "Forced", "Row", "Seeded", "engine", "get", "names", "of", "register", "rows"]

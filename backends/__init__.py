"""Backends: engines that evolve amplitudes, sources that answer questions, and their catalogue."""

from qchess.backends.catalogue import Backend, engine, get, names, of, rows
from qchess.backends.sources import Forced, Recorded, Seeded

__all__ = ["Backend", "Forced", "Recorded", "Seeded", "engine", "get", "names", "of", "rows"]

"""Where a game's answers come from: a secret seed that no record tells, so that nobody works out what is to come.

The same seed, point and question give the same answer, in whatever process: a move that was lost before it was
kept, and is sent again, meets the same answer.
"""

from __future__ import annotations

import random
import secrets

from qchess.backends.catalogue import Backend
from qchess.circuits.engine import Source
from qchess.circuits.sources import Seeded


def fresh() -> str:
    """A new seed."""
    return secrets.token_hex(16)


def source(backend: Backend, seed: str) -> Source:
    """What answers in a game; dice do not tell their seed."""
    return Seeded(random.Random(seed)) if is_quick(backend) else backend.source(seed)


def is_quick(backend: Backend) -> bool:
    """Whether answers come at once, from dice, and not from shots or a device."""
    return backend.make_source is Seeded


def is_queued(backend: Backend, seed: str) -> bool:
    """Whether answers are jobs that are handed in and collected."""
    return not is_quick(backend) and hasattr(backend.source(seed), "submit")

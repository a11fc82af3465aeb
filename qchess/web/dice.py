"""The source of a game's answers: a secret seed that is in no record, so that nobody can predict them.

The same seed, point and question give the same answer, in any process. So a move that was lost before it was stored,
and is sent again, gets the same answer.
"""

from __future__ import annotations

import random
import secrets

from qchess.backends.catalogue import Backend
from qchess.circuits.engine import Source
from qchess.circuits.sources import Seeded


def fresh() -> str:
    """Return a new seed."""
    return secrets.token_hex(16)


def source(backend: Backend, seed: str) -> Source:
    """Return the source of a game's answers; dice do not reveal their seed."""
    return Seeded(random.Random(seed)) if is_quick(backend) else backend.source(seed)


def is_quick(backend: Backend) -> bool:
    """Tell whether answers come at once, from dice, and not from shots or a device."""
    return backend.make_source is Seeded


def is_queued(backend: Backend, seed: str) -> bool:
    """Tell whether answers are jobs that are submitted and collected."""
    return not is_quick(backend) and hasattr(backend.source(seed), "submit")

"""The source of a game's answers: a secret seed. No record has it while the game goes on, so nobody can predict them.

Its seal is shown from the start, and the record of a game that is over has the seed: `qchess verify` compares the two.

The same seed, point and question give the same answer, in any process. So a move that was lost before it was stored,
and is sent again, gets the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from qchess.backends.catalogue import Backend
from qchess.circuits.engine import Source, complete
from qchess.circuits.sources import DRAWN, Seeded, drawn_seed, mixed
from qchess.playing.dice import seal


def fresh() -> str:
    """Return a new seed."""
    return drawn_seed()


def seal_of(seed: str) -> str | None:
    """Return what is shown of a seed from the start; None for seeds of older tables, which have no seal."""
    return seal(seed) if seed.startswith(DRAWN) else None


def of_table(seed: str, nonces: Mapping[str, str]) -> str:
    """Return the seed of a table's dice: its own, with the words that its players added."""
    return str(mixed(seed, nonces))


def source(backend: Backend, seed: str) -> Source:
    """Return the source of a game's answers; dice do not reveal their seed."""
    if not is_quick(backend):
        return backend.source(seed)
    return Seeded(seed if seed.startswith(DRAWN) else random.Random(seed))  # older tables have another kind of seed


def is_quick(backend: Backend) -> bool:
    """Tell whether answers come at once, from dice, and not from shots or a device."""
    return backend.make_source is Seeded


def is_queued(backend: Backend, seed: str) -> bool:
    """Tell whether answers are jobs that are submitted and collected."""
    return not is_quick(backend) and complete(backend.source(seed)).slow

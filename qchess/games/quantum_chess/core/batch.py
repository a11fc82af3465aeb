"""A batch of random games, in progress or done."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qchess.core import Playouts
from qchess.games.quantum_chess.core import playouts as at
from qchess.games.quantum_chess.core.layout import Whole
from qchess.games.quantum_chess.core.packing import Packed
from qchess.games.quantum_chess.core.playing import BLACK_WINS, WHITE_WINS
from qchess.games.quantum_chess.kinds import Kind, MoveType, MoveVariant

NO_LIMIT = 2**62


class Batch:
    """A batch: the request, its progress, and the result of each game."""

    def __init__(self, count: int, seed: int, plies: int | None, branches: int, *, hand_back: bool = False) -> None:
        if count < 0 or (plies is not None and plies < 0):
            raise ValueError(f"expected a number of games and of plies of at least 0, got {count!r} and {plies!r}")
        self.numbers: Whole = np.zeros(at.BATCH, np.int64)
        self.numbers[at.GAMES] = count
        self.numbers[at.PLIES_EACH] = NO_LIMIT if plies is None else plies
        self.numbers[at.BRANCHES], self.numbers[at.HAND_BACK] = branches, hand_back
        self.numbers[at.SEED] = (seed + 2**63) % 2**64 - 2**63
        #: the plies and the ending of each game, by the kernels' numbers
        self.lengths: Whole = np.zeros(count, np.int64)
        self.endings: Whole = np.zeros(count, np.int64)
        #: the positions of games that outgrew the branches, if they are handed back
        self.outgrown: list[Packed] = []

    @property
    def done(self) -> int:
        """Return how many games are done."""
        return int(self.numbers[at.DONE])

    @property
    def playouts(self) -> Playouts:
        """Return the tally of finished games."""
        found = np.bincount(self.endings[: self.done], minlength=at.TOO_LARGE + 1).tolist()
        unfinished = found[at.UNFINISHED] + found[at.TOO_LARGE]
        wins = {"white": found[WHITE_WINS], "black": found[BLACK_WINS]}
        draws = self.done - sum(wins.values()) - unfinished
        return Playouts(wins, draws, unfinished, int(self.lengths[: self.done].sum()))

    @property
    def too_large(self) -> int:
        """Return how many of the unfinished games outgrew the branches."""
        return int(np.count_nonzero(self.endings[: self.done] == at.TOO_LARGE))

    @property
    def kinds(self) -> Mapping[Kind, int]:
        """Return how often each kind of move was played."""
        rows = self.numbers[at.KINDS :].reshape(-1, 4)
        return {
            Kind(MoveType(kind), MoveVariant(variant)): int(rows[kind, variant])
            for kind, variant in zip(*np.nonzero(rows), strict=True)
        }

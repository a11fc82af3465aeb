"""The compiled core: the functions of the rules, on packed positions."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from qchess.core import CoreLimitError, PackedOutcome, Playouts
from qchess.games.quantum_checkers import endings
from qchess.games.quantum_checkers.book import BLACK, WHITE, Book
from qchess.games.quantum_checkers.core import kernels
from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.answers import answers_of
from qchess.games.quantum_checkers.core.layout import Ints, Longs
from qchess.games.quantum_checkers.core.packing import SIDES, Packed, coded, differs, pack
from qchess.games.quantum_checkers.core.workspace import NOTHING, Workspace
from qchess.games.quantum_checkers.move import Move, is_jump
from qchess.games.quantum_checkers.position import Position
from qchess.rules import Result

#: a batch checks its stop flag after this many plies
BUDGET = 100_000
#: the values of a part, times its probability: a man, a king; and of a won game
WORTH, WON = (1.0, 1.5), 1000.0


class CheckersCore:
    """Quantum checkers on packed positions, under one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._book = coded(book)
        self._threads = threading.local()

    def pack(self, position: Position) -> Packed:
        """Return the position in packed form."""
        packed = pack(self.book, position)
        if len(packed.amplitudes) > at.MOST_ENTRIES or len(packed.components) > at.MOST_COMPONENTS:
            raise _too_large()
        return packed

    def player(self, packed: Packed) -> str:
        """Return whose turn it is."""
        return SIDES[packed.board[at.PLAYER]]

    def moves(self, packed: Packed) -> list[Move]:
        """Return every legal move, in the rules' order."""
        return [_move(*row) for row in self._workspace(packed).moves()]

    def outcomes(self, packed: Packed, move: Move) -> list[PackedOutcome]:
        """Return every way the move can end: the answers, the exact probability, and the packed position after it."""
        ways: list[list[int]] = []
        if is_jump(move, self.book.board.size):
            ways, odds = self._workspace(packed).ways(move.sources[0], move.targets[0])
        if not ways:
            return [PackedOutcome({}, 1.0, self._played(packed, move, NOTHING))]
        told = zip(answers_of(self._book, packed, move, ways), odds, ways, strict=True)
        ordered = sorted(told, key=lambda way: tuple(way[0].values()))
        return [PackedOutcome(answers, p, self._played(packed, move, way)) for answers, p, way in ordered]

    def result(self, packed: Packed) -> Result | None:
        """How the game ended, or None while it goes on."""
        code = self._workspace(packed).status()
        if code in (0, 3):
            return endings.draw(self.book) if code else None
        loser = BLACK if code == 1 else WHITE
        return endings.loss(loser, bool((_colours(self._book, packed) == SIDES.index(loser)).any()))

    def evaluate(self, packed: Packed) -> dict[str, float]:
        """Return expected material; a finished game counts as won, drawn or lost."""
        ended = self.result(packed)
        if ended:
            return {side: 0.0 if not ended.winner else WON if side == ended.winner else -WON for side in SIDES}
        odds = self._workspace(packed).probabilities()
        cells = packed.board[at.CELLS : at.CELLS + odds.size]
        value = odds * np.where(cells & 1, WORTH[1], WORTH[0])
        colours = _colours(self._book, packed)
        lead = float(value[colours == 0].sum() - value[colours == 1].sum())
        return {WHITE: lead, BLACK: -lead}

    def differs(self, packed: Packed, position: Position) -> str | None:
        """Return how the packed position differs from the rules' one, in words; None if they are the same."""
        return differs(self.book, packed, position)

    def playouts(self, packed: Packed, count: int, seed: int, plies: int) -> Playouts:
        """Play random games from here, each of at most `plies` plies."""
        space = self._workspace(packed)
        rows = space.rows_for(count)
        space.games(rows, seed, plies, BUDGET)
        told = rows.T.tolist()
        ended = told[kernels.ENDED]
        wins = {WHITE: ended.count(1), BLACK: ended.count(2)}
        return Playouts(wins, ended.count(3), ended.count(0), sum(told[kernels.PLIES]))

    def games(self, packed: Packed, count: int, seed: int, plies: int) -> Longs:
        """Play random games from one position: a row each, with the columns of `kernels` (how it ended, plies ...).

        A game's moves and answers depend on the seed and on its number alone. Other threads run meanwhile.
        """
        rows = np.zeros((count, kernels.COLUMNS), np.int64)
        self._workspace(packed).games(rows, seed, plies, BUDGET)
        return rows

    # -- plies ------------------------------------------------------------------------------------------

    def _played(self, packed: Packed, move: Move, told: Sequence[int]) -> Packed:
        """Return the packed position after a move with these answers."""
        played = self._workspace(packed).play(move, told)
        if played is None:
            raise _too_large()
        return played

    def _workspace(self, packed: Packed) -> Workspace:
        """Return this thread's arrays, with the position inside."""
        space: Workspace | None = getattr(self._threads, "space", None)
        if space is None or space.board.size != packed.board.size:
            space = self._threads.space = Workspace(self._book, packed.board.size)
        space.load(packed)
        return space

    def __reduce__(self) -> tuple[object, tuple[Book]]:
        return type(self), (self.book,)


def _colours(book: Ints, packed: Packed) -> Ints:
    """Return the colour of the part on each square, -1 for none."""
    cells = packed.board[at.CELLS : at.CELLS + int(book[at.SIZE]) ** 2]
    words = np.append(packed.board[at.CELLS + cells.size :], 0)
    return np.where(cells > 0, words[(cells >> 1) - 1] & 1, -1).astype(np.int32)


@lru_cache(maxsize=2**14)
def _move(a: int, b: int, c: int, d: int) -> Move:
    return Move((a,) if b < 0 else (a, b), (c,) if d < 0 else (c, d))


def _too_large() -> CoreLimitError:
    return CoreLimitError("the position is too large for the compiled core; the rules themselves hold it")

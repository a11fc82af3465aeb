"""The compiled core: the functions of the rules, on packed positions."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from qchess.core import CoreLimitError, Playouts, Way
from qchess.games.quantum_checkers import endings
from qchess.games.quantum_checkers.board import BLACK, WHITE
from qchess.games.quantum_checkers.book import Book
from qchess.games.quantum_checkers.core import kernels
from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.answers import answers_of
from qchess.games.quantum_checkers.core.layout import Ints, Longs
from qchess.games.quantum_checkers.core.packing import SIDES, Packed, coded, differs, pack
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
        self.numbers = coded(book)
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
        found = self._workspace(packed).moves
        count = kernels.moves_of(self.numbers, packed.board, found)
        return [move_of(*row) for row in found[:count].tolist()]

    def outcomes(self, packed: Packed, move: Move) -> list[Way]:
        """Return every way the move can end: the answers, the exact probability, and the packed position after it."""
        space = self._workspace(packed)
        count = 0
        if is_jump(move, self.book.board.size):
            ends = move.sources[0], move.targets[0]
            state = packed.board, packed.components, packed.places, packed.amplitudes
            count = kernels.ways_of(self.numbers, *state, *ends, space.found, space.odds)
        if count == 0:
            return [Way({}, 1.0, self._played(packed, move, [-1] * 4))]
        ways, odds = space.found[:count].tolist(), space.odds[:count].tolist()
        told = zip(answers_of(self.numbers, packed, move, ways), odds, ways, strict=True)
        ordered = sorted(told, key=lambda way: tuple(way[0].values()))
        return [Way(answers, p, self._played(packed, move, way)) for answers, p, way in ordered]

    def result(self, packed: Packed) -> Result | None:
        """How the game ended, or None while it goes on."""
        return result_of(self.book, packed, kernels.status_of(self.numbers, packed.board))

    def evaluate(self, packed: Packed) -> dict[str, float]:
        """Return expected material; a finished game counts as won, drawn or lost."""
        ended = self.result(packed)
        if ended:
            return {side: 0.0 if not ended.winner else WON if side == ended.winner else -WON for side in SIDES}
        odds = np.empty(self.book.board.size**2)
        kernels.odds_of(self.numbers, packed.board, packed.components, packed.places, packed.amplitudes, odds)
        cells = packed.board[at.CELLS : at.CELLS + odds.size]
        value = odds * np.where(cells & 1, WORTH[1], WORTH[0])
        colours = _colours(self.book.board.size, packed)
        lead = float(value[colours == 0].sum() - value[colours == 1].sum())
        return {WHITE: lead, BLACK: -lead}

    def differs(self, packed: Packed, position: Position) -> str | None:
        """Return how the packed position differs from the rules' one, in words; None if they are the same."""
        return differs(self.book, packed, position)

    def playouts(self, packed: Packed, count: int, seed: int, plies: int) -> Playouts:
        """Play random games from here, each of at most `plies` plies."""
        rows = self.games(packed, count, seed, plies)
        ended = np.bincount(rows[:, kernels.ENDED], minlength=4).tolist()
        return Playouts(
            dict(zip(SIDES, ended[1:3], strict=True)), ended[3], ended[0], int(rows[:, kernels.PLIES].sum())
        )

    def games(self, packed: Packed, count: int, seed: int, plies: int) -> Longs:
        """Play random games from one position: a row each, with the columns of `kernels` (how it ended, plies ...).

        A game's moves and answers depend on the seed and on its number alone. Other threads run meanwhile.
        """
        space = self._workspace(packed)
        rows = np.zeros((count, kernels.COLUMNS), np.int64)
        state = packed.board, packed.components, packed.places, packed.amplitudes
        done, word = 0, np.uint64(seed % 2**64)
        while done < count:
            done = kernels.random_games(
                self.numbers, *state, *space.state, space.moves, space.told, space.dice, word, done, count, plies,
                BUDGET, rows,
            )  # fmt: skip
        return rows

    # -- plies ------------------------------------------------------------------------------------------

    def _played(self, packed: Packed, move: Move, told: Sequence[int]) -> Packed:
        """Return the packed position after a move with these answers."""
        space = self._workspace(packed)
        space.load(packed)
        space.told[:] = told
        try:
            fits = kernels.play_move(self.numbers, *space.state, row_of(move), space.told, space.dice)
        finally:
            space.told[:] = -1
        if not fits:
            raise _too_large()
        return space.saved()

    def _workspace(self, packed: Packed) -> Workspace:
        """Return this thread's arrays."""
        space: Workspace | None = getattr(self._threads, "space", None)
        if space is None or space.board.size != packed.board.size:
            space = self._threads.space = Workspace(packed.board.size)
        return space

    def __reduce__(self) -> tuple[object, tuple[Book]]:
        return type(self), (self.book,)


class Workspace:
    """The arrays that kernels write to; one set per thread."""

    def __init__(self, board: int) -> None:
        self.board = np.zeros(board, np.int32)
        self.components = np.zeros((at.MOST_COMPONENTS, at.WIDTH), np.int32)
        self.places = np.zeros((at.MOST_ENTRIES, 2), np.int32)
        self.amplitudes = np.zeros(at.MOST_ENTRIES, np.complex128)
        self.moves = np.zeros((at.MOST_MOVES, 4), np.int32)
        self.told = np.full(4, -1, np.int32)
        self.dice = np.zeros(1, np.uint64)
        self.found = np.zeros((at.MOST_WAYS, 4), np.int32)
        self.odds = np.zeros(at.MOST_WAYS)
        self.state = self.board, self.components, self.places, self.amplitudes

    def load(self, packed: Packed) -> None:
        """Copy a position in."""
        rows, entries = len(packed.components), len(packed.amplitudes)
        self.board[:] = packed.board
        self.components[:rows] = packed.components
        self.places[:entries] = packed.places
        self.amplitudes[:entries] = packed.amplitudes

    def saved(self) -> Packed:
        """Return a copy of the position inside."""
        rows, entries = self.board[at.COMPONENTS], self.board[at.ENTRIES]
        return Packed(
            self.board.copy(),
            self.components[:rows].copy(),
            self.places[:entries].copy(),
            self.amplitudes[:entries].copy(),
        )


def result_of(book: Book, packed: Packed, status: int) -> Result | None:
    """Return how the game ended, from what the kernel says of it."""
    if status in (0, 3):
        return endings.draw(book) if status else None
    loser = BLACK if status == 1 else WHITE
    return endings.loss(loser, bool((_colours(book.board.size, packed) == SIDES.index(loser)).any()))


def _colours(size: int, packed: Packed) -> Ints:
    """Return the colour of the part on each square, -1 for none."""
    cells = packed.board[at.CELLS : at.CELLS + size**2]
    words = np.append(packed.board[at.CELLS + cells.size :], 0)
    return np.where(cells > 0, words[(cells >> 1) - 1] & 1, -1).astype(np.int32)


@lru_cache(maxsize=4096)
def move_of(a: int, b: int, c: int, d: int) -> Move:
    """Return the move of a kernel's row."""
    return Move((a,) if b < 0 else (a, b), (c,) if d < 0 else (c, d))


def row_of(move: Move) -> Ints:
    """Return the row of a move."""
    return np.array([*(*move.sources, -1)[:2], *(*move.targets, -1)[:2]], np.int32)


def _too_large() -> CoreLimitError:
    return CoreLimitError("the position is too large for the compiled core; the rules themselves hold it")

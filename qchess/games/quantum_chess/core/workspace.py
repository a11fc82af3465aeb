"""The kernels' arrays: one set per thread, grown as needed, with the kernels bound to them; and a batch of games."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from qchess.circuits.kernels import Bound, Kernel
from qchess.core import Playouts
from qchess.games.quantum_chess.core import playouts as at
from qchess.games.quantum_chess.core.layout import COUNT, GAME, LEAST_SLOTS, POSITION, SUMS, Real, State, Whole
from qchess.games.quantum_chess.core.packing import Packed
from qchess.games.quantum_chess.core.playing import BLACK_WINS, WHITE_WINS
from qchess.games.quantum_chess.move import Kind, MoveType, MoveVariant

#: how many moves are listed or evaluated in one call, unless a list is longer
MOVES = 4096
NO_LIMIT = 2**62


class Workspace(threading.local):
    """Room for one position under change, and for one from which playouts start."""

    def __init__(self) -> None:
        self.moves: Whole = np.zeros(MOVES, np.int64)
        self.found: Real = np.zeros(64)
        #: the results of each of `MOVES` evaluated moves, two ways each
        self.endings: Whole = np.zeros(2 * MOVES, np.int64)
        self.chances: Real = np.zeros(2 * MOVES)
        self.worths: Real = np.zeros(2 * MOVES)
        self._grow(1024)

    def _grow(self, capacity: int) -> None:
        self.capacity = capacity
        self.state, self.root = _room(capacity), _room(capacity)
        self._bound: dict[str, Bound] = {}

    def reserve(self, branches: int) -> None:
        """Make room for positions of this many branches and one more move, which at most doubles them."""
        if 2 * branches > self.capacity:
            self._grow(1 << (2 * branches - 1).bit_length())

    def put(self, position: Packed) -> None:
        """Load a position."""
        self.reserve(position.branches)
        _copy(position, self.state)

    def put_root(self, position: Packed) -> None:
        """Load the position from which playouts start."""
        self.reserve(position.branches)
        _copy(position, self.root)

    def put_board(self, position: Packed) -> Whole:
        """Load the classical part of a position, enough to list moves; returns its array."""
        self.state.game[:POSITION] = position.game
        return self.state.game

    def taken(self) -> Packed:
        """Return a copy of the loaded position."""
        game, sums, squares, captured, re, im, _ = self.state
        n = int(game[COUNT])
        classical = game[:POSITION].copy(), sums.copy()
        return Packed(*classical, squares[:n].copy(), captured[:n].copy(), re[:n].copy(), im[:n].copy())

    def run(self, kernel: Kernel[..., int], *arguments: Any) -> int:
        """Call a kernel on some arguments; unchanged ones cost nothing."""
        bound = self._bound.get(kernel.__name__)
        if bound is None:
            bound = self._bound[kernel.__name__] = kernel.bind(*arguments)
        else:
            for k, (new, old) in enumerate(zip(arguments, bound.arguments, strict=True)):
                if new is not old:
                    bound.set(k, new)
        return int(bound())


def _room(capacity: int) -> State:
    squares, captured = np.zeros((2, capacity), np.int64)
    re, im = np.zeros((2, capacity))
    slots = np.zeros(3 * capacity + 2 * LEAST_SLOTS, np.int64)
    return State(np.zeros(GAME, np.int64), np.zeros(SUMS), squares, captured, re, im, slots)


def _copy(position: Packed, state: State) -> None:
    n = position.branches
    state.game[:POSITION] = position.game
    state.sums[:] = position.sums
    state.squares[:n], state.captured[:n] = position.squares, position.captured
    state.re[:n], state.im[:n] = position.re, position.im


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

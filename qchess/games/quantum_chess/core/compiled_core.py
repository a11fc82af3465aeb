"""The compiled core for agents: `qchess.core.Core` for Quantum Chess."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from qchess.circuits.engine import Engine
from qchess.circuits.precision import CERTAIN
from qchess.core import CoreLimitError, EndColumns, OutcomeValue, PackedOutcome, Playouts
from qchess.games.quantum_chess.core import kernels, packing
from qchess.games.quantum_chess.core import playouts as at
from qchess.games.quantum_chess.core.comparing import difference
from qchess.games.quantum_chess.core.evaluating import NO_WAY
from qchess.games.quantum_chess.core.layout import SYMBOLS, YES, Real
from qchess.games.quantum_chess.core.packing import MOVES, Packed, code_of
from qchess.games.quantum_chess.core.workspace import Batch, Workspace
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.patterns import HIT
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Book
from qchess.rules import Result

#: how a game ended, by the kernels' numbers
RESULTS = (
    None,
    Result("white", "king_captured"),
    Result("black", "king_captured"),
    Result(None, "annihilation"),
    Result(None, "fifty_moves"),
    Result(None, "max_ply"),
    Result(None, "stalemate"),
)
#: the work of one call of the playouts, in branches: some hundredths of a second
SLICE = 2**21
#: and of a call that evaluates moves; it takes at most as many as there is room for
WEIGHED = 2**17


def core(book: Book, values: Mapping[str, float]) -> CompiledCore | None:
    """Return the core of a book, or None if it does not support it, or would be slower than the rules."""
    return CompiledCore(book, values) if packing.unfit(book) is None and kernels.play_move.compiled else None


class CompiledCore:
    """Quantum Chess on packed positions.

    Playouts that exceed `playout_branches` are cut off; `batch` can hand them back instead.
    """

    def __init__(self, book: Book, values: Mapping[str, float], playout_branches: int = 2**14) -> None:
        self.book = book
        self.playout_branches = playout_branches
        self._values = np.array([0.0, *(values[symbol] for symbol in SYMBOLS[1:7])])
        self._work = Workspace()

    # -- positions ----------------------------------------------------------------------------------

    def pack(self, position: Position) -> Packed:
        """Return the position in the core's form."""
        return packing.pack(self.book, position)

    def unpack(self, packed: Packed, engine: Engine) -> Position:
        """Return the position in the rules' form, on an engine, for positions that have outgrown the core."""
        return packing.unpack(packed, engine)

    def player(self, packed: Packed) -> str:
        """Return whose turn it is."""
        return packed.player

    def differs(self, packed: Packed, position: Position) -> str | None:
        """Return how a packed position differs from one of the rules, in words; None if they are the same."""
        return difference(packed, self.pack(position))

    # -- moves --------------------------------------------------------------------------------------

    def moves(self, packed: Packed) -> Sequence[Move]:
        """Return every legal move, in the order of the rules."""
        work = self._work
        game = work.put_board(packed)
        count = work.run(kernels.list_moves, game, work.moves)
        if count > len(work.moves):
            work.moves = np.zeros(2 * count, np.int64)
            work.run(kernels.list_moves, game, work.moves)
        return [MOVES[code] for code in work.moves[:count].tolist()]

    def outcomes(self, packed: Packed, move: Move) -> Sequence[PackedOutcome]:
        """Return every way a legal move can end, yes before no."""
        _require_room(packed)
        yes = self.odds(packed, move)
        if yes is None:
            return [PackedOutcome({}, 1.0, self._after(packed, move, 1))]
        ways = [(answer, p) for answer, p in ((1, yes), (0, 1 - yes)) if p > CERTAIN]
        return [PackedOutcome({HIT: answer}, p, self._after(packed, move, answer)) for answer, p in ways]

    def odds(self, packed: Packed, move: Move) -> float | None:
        """Return the probability of a yes to a legal move's question; None if it asks nothing."""
        work = self._work
        work.put(packed)
        asks = work.run(kernels.odds_of_move, *work.state, code_of(move))
        return float(work.state.sums[YES]) if asks else None

    def _after(self, packed: Packed, move: Move, answer: int) -> Packed:
        work = self._work
        work.put(packed)
        work.run(kernels.play_move, *work.state, code_of(move), answer)
        return work.taken()

    def ends(self, packed: Packed, moves: Sequence[Move]) -> Iterator[Sequence[OutcomeValue]]:
        """Yield for each legal move every way it can end, many per call; the reader may stop between calls."""
        for columns in self.end_columns(packed, moves):
            for rows in zip(*(column.tolist() for column in columns[:3]), strict=True):
                ways = zip(*rows, strict=True)
                yield [_end(ended, chance, lead) for ended, chance, lead in ways if ended != NO_WAY]

    def end_columns(self, packed: Packed, moves: Sequence[Move]) -> Iterator[EndColumns]:
        """Yield the same as columns of numbers, for as many moves as a call evaluates."""
        _require_room(packed)
        most = max(1, WEIGHED // (packed.branches + at.FIXED_WORK))
        for first in range(0, len(moves), most):
            yield self._weighed(packed, moves[first : first + most])

    def _weighed(self, packed: Packed, moves: Sequence[Move]) -> EndColumns:
        work, count = self._work, len(moves)
        work.put_root(packed)
        work.moves[:count] = [code_of(move) for move in moves]
        logs = work.moves, self._values, work.endings, work.chances, work.worths
        work.run(kernels.weigh_moves, *work.state, *work.root[:6], *logs, count)
        shape, endings = (count, 2), work.endings[: 2 * count].copy()
        leads = np.where(endings == 0, 2 * work.worths[: 2 * count], 0.0)
        chances = work.chances[: 2 * count].copy()
        return EndColumns(endings.reshape(shape), chances.reshape(shape), leads.reshape(shape), RESULTS)

    # -- what a position is worth -------------------------------------------------------------------------

    def result(self, packed: Packed) -> Result | None:
        """How the game ended, or None while it goes on."""
        return RESULTS[self._work.run(kernels.ending_of, self._work.put_board(packed))]

    def evaluate(self, packed: Packed) -> Mapping[str, float]:
        """Return expected material, minus the other side's."""
        work = self._work
        work.put(packed)
        work.found[:7] = self._values
        work.run(kernels.worth, *work.state, work.found)
        white = float(work.found[0])
        return {"white": white, "black": -white}

    def square_odds(self, packed: Packed) -> Real:
        """Return the probability that each of the 64 squares is occupied."""
        work = self._work
        work.put(packed)
        work.run(kernels.square_odds, *work.state, work.found)
        return work.found.copy()

    # -- playouts ---------------------------------------------------------------------------------------

    def playouts(self, packed: Packed, count: int, seed: int, plies: int | None = None) -> Playouts:
        """Play random games from here, of at most `plies` plies; the same seed gives the same games.

        Other threads can run meanwhile, and Ctrl-C works every few hundredths of a second.
        """
        return self.batch(packed, count, seed, plies).playouts

    def batch(
        self,
        packed: Packed,
        count: int,
        seed: int,
        plies: int | None = None,
        *,
        seconds: float | None = None,
        hand_back: bool = False,
    ) -> Batch:
        """Play random games from here, with details of each; after `seconds`, return those that are done.

        With `hand_back`, the positions that outgrew the core are in `outgrown`, to be unpacked.
        """
        branches = max(self.playout_branches, packed.branches)
        batch = Batch(count, seed, plies, branches, hand_back=hand_back)
        work = self._work
        work.reserve(branches)
        work.put_root(packed)
        deadline = None if seconds is None else time.monotonic() + seconds
        while batch.done < count and (deadline is None or time.monotonic() < deadline):
            batch.numbers[at.WORK] = SLICE
            logs = batch.numbers, batch.lengths, batch.endings
            if work.run(kernels.run_playouts, *work.state, *work.root[:6], *logs) == at.HANDED_BACK:
                batch.outgrown.append(work.taken())
        return batch


def _require_room(packed: Packed) -> None:
    """Raise `CoreLimitError` if a move might outgrow the core."""
    if 2 * packed.branches > packing.MOST_BRANCHES:
        raise CoreLimitError(
            f"the core holds {packing.MOST_BRANCHES} branches, and a move may double {packed.branches}"
        )


@lru_cache(maxsize=2**12)
def _end(ended: int, chance: float, lead: float) -> OutcomeValue:
    """Return one way a move can end; most moves of a list are certain and keep the material, so ends come again."""
    result = RESULTS[ended]
    return OutcomeValue(chance, result, {} if result else {"white": lead / 2, "black": -lead / 2})

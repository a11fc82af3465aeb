"""The coin form as a compiled core: the same game without registers.

Neither the core nor the rules use a circuit for legality; the core avoids the registers themselves. A law compares its
outcomes with those of the circuits.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from qchess.core import OutcomeValue, PackedOutcome, Playouts
from qchess.games.niels_chess import nfen
from qchess.games.niels_chess.attempts import Ending
from qchess.games.niels_chess.effects import Outcome, board_endings, finished, outcomes
from qchess.games.niels_chess.ending import ended
from qchess.games.niels_chess.fast.packing import look_at
from qchess.games.niels_chess.listing import any_legal_move, legal_moves, listed, random_legal_move
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.position import Position
from qchess.games.niels_chess.rolls import ROLLS
from qchess.games.niels_chess.units import ONE, State
from qchess.games.niels_chess.worth import worth
from qchess.rules import Result

if TYPE_CHECKING:
    from qchess.games.niels_chess.rules import NielsChess


class CoinCore:
    """Niel's Chess as marks and coins alone."""

    def __init__(self, rules: NielsChess) -> None:
        self.book, self.players = rules.book, rules.players

    def pack(self, position: Position) -> State:
        """Return the marks on the board."""
        return position.state

    def player(self, packed: State) -> str:
        """Return whose turn it is."""
        return self.players[packed.turn]

    def moves(self, packed: State) -> list[Move]:
        """Return every legal move, in the order of the rules."""
        return list(legal_moves(self.book, packed))

    def outcomes(self, packed: State, move: Move) -> list[PackedOutcome]:
        """Return every way a legal move can end."""
        return [
            PackedOutcome(dict(zip(ROLLS, end.rolls, strict=False)), float(end.chance), end.state)
            for end in outcomes(self.book, packed, move)
        ]

    def ends(self, packed: State, moves: Sequence[Move]) -> Iterator[Sequence[OutcomeValue]]:
        """Yield for each legal move every way it can end, each looked at once for its result and its worth."""
        return ([self._end(way) for way in outcomes(self.book, packed, move)] for move in moves)

    def _end(self, way: Outcome) -> OutcomeValue:
        book, state, checked, movable, material = self.book, way.state, None, None, None
        if state.suicide < 0 and state.pending < 0 and state.offer is None:
            if (seen := look_at(book, state)) is not None:
                checked, movable, material = seen
            else:
                checked, movable = listed(book, state).checked, any_legal_move(book, state) is not None
        result = self._told(ended(book, state, movable))
        chance = 1.0 if way.chance is ONE else float(way.chance)
        return OutcomeValue(
            chance, result, {} if result else worth(book, state, self.players, checked, movable, material)
        )

    def result(self, packed: State) -> Result | None:
        """How the game ended, or None while it goes on."""
        return self._told(ended(self.book, packed))

    def _told(self, found: tuple[int | None, str] | None) -> Result | None:
        return None if found is None else Result(None if found[0] is None else self.players[found[0]], found[1])

    def evaluate(self, packed: State) -> Mapping[str, float]:
        """Return how well each player stands."""
        return worth(self.book, packed, self.players)

    def differs(self, packed: State, position: Position) -> str | None:
        """Return how a packed state differs from a position of the rules."""
        if packed == position.state:
            return None
        return f"the core has {nfen.write(self.book, packed)}, the rules {nfen.write(self.book, position.state)}"

    def playouts(self, packed: State, count: int, seed: int, plies: int) -> Playouts:
        """Play random games from here: in each turn a random piece, and one of its moves."""
        rng = random.Random(seed)
        return Playouts.of(self.players, (self._playout(packed, rng, plies) for _ in range(count)))

    def _playout(self, state: State, rng: random.Random, plies: int) -> tuple[Result | None, int]:
        for ply in range(plies):
            move = random_legal_move(self.book, state, rng)
            found = self._told(ended(self.book, state, move is not None))
            if found is not None or move is None:
                return found, ply
            ends = board_endings(self.book, state, move)
            number = rng.random()  # one for each move, also where it can end in one way only
            state = finished(self.book, state, move, ending_at(ends, number))
        return self.result(state), plies


def ending_at(ends: Sequence[Ending], number: float) -> Ending:
    """Return the ending that a number from 0 to 1 selects."""
    for end in ends[:-1]:
        number -= float(end.chance)
        if number < 0:
            return end
    return ends[-1]

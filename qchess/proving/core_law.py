"""The law of compiled cores: a core agrees with the rules.

It is checked wherever a game has a core. A position that is too large for the core is skipped: a search uses the rules
there.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from qchess.circuits.precision import SAME
from qchess.core import Core, CoreLimitError, Playouts, WeighingCore
from qchess.proving.laws import require
from qchess.rules import Rules

#: how many moves of a position are compared in detail, and the length of its few playouts
COMPARED, GAMES, PLIES = 4, 3, 60


class CoreLaw:
    """Compares a core with the rules, position by position."""

    def __init__(self, rules: Rules[Any, Any], core: Core[Any, Any], playouts_every: int = 1) -> None:
        self.rules, self.core, self.playouts_every = rules, core, playouts_every
        #: what was compared: positions, and ways that moves can end
        self.positions = self.ways = 0

    def __call__(self, position: Any, rng: random.Random) -> None:
        """Compare the core with the rules in one position."""
        try:
            packed = self.core.pack(position)
        except CoreLimitError:
            return
        self._same(packed, position, "packed")
        moves = list(self.rules.moves(position))
        found = list(self.core.moves(packed))
        require(found == moves, f"the core lists {len(found)} moves, the rules {len(moves)}: {_first(found, moves)}")
        require(self.core.player(packed) == position.player, f"the core says {self.core.player(packed)} is to move")
        self.positions += 1
        if self.rules.result(position) is None:
            chosen = rng.sample(moves, min(COMPARED, len(moves)))
            for move in chosen:
                self._same_ways(packed, position, move)
            self._same_ends(packed, position, chosen)
            if self.positions % self.playouts_every == 0:
                self._sound_playouts(packed, rng)

    def _same(self, packed: Any, position: Any, when: str) -> None:
        difference = self.core.differs(packed, position)
        require(difference is None, f"the core's position, {when}, differs from the rules': {difference}")
        result, true = self.core.result(packed), self.rules.result(position)
        require(result == true, f"the core says the result is {result}, {when}; the rules say {true}")
        worth, right = self.core.evaluate(packed), self.rules.evaluate(position)
        near = worth.keys() == right.keys() and all(abs(worth[p] - right[p]) < SAME * 1e3 for p in right)
        require(near, f"the core evaluates the position, {when}, as {dict(worth)}, the rules as {dict(right)}")

    def _same_ways(self, packed: Any, position: Any, move: Any) -> None:
        text = self.rules.write(position, move)
        true = list(self.rules.outcomes(position, move))
        try:
            found = list(self.core.outcomes(packed, move))
        except CoreLimitError:
            return
        told = [(way.answers, round(way.probability, 9)) for way in found]
        right = [(way.answers, round(way.probability, 9)) for way in true]
        close = len(found) == len(true) and all(
            a.answers == b.answers and abs(a.probability - b.probability) < SAME
            for a, b in zip(found, true, strict=True)
        )
        require(close, f"the core lets {text!r} end as {told}, the rules as {right}")
        for way, outcome in zip(found, true, strict=True):
            self._same(way.state, outcome.position, f"after {text!r} with {way.answers}")
            self.ways += 1

    def _same_ends(self, packed: Any, position: Any, moves: Sequence[Any]) -> None:
        """Check that moves evaluated together, if the core offers that, give the same as one by one."""
        if not isinstance(self.core, WeighingCore):
            return
        try:
            found = list(self.core.ends(packed, moves))
            ways = [self.core.outcomes(packed, move) for move in moves]
        except CoreLimitError:
            return
        require(len(found) == len(moves), f"{len(moves)} moves were to be weighed, and {len(found)} were")
        for move, ends, true in zip(moves, found, ways, strict=True):
            told = [(end.probability, end.result, dict(end.worth)) for end in ends]
            right = [(way.probability, *self._standing(way.state)) for way in true]
            text = self.rules.write(position, move)
            require(told == right, f"weighed at once, {text!r} ends as {told}, played as {right}")

    def _standing(self, packed: Any) -> tuple[Any, dict[str, float]]:
        result = self.core.result(packed)
        return result, {} if result else dict(self.core.evaluate(packed))

    def _sound_playouts(self, packed: Any, rng: random.Random) -> None:
        """Check that the same seed gives the same games, and every game is counted once."""
        seed = rng.getrandbits(32)
        first, again = (self.core.playouts(packed, GAMES, seed, PLIES) for _ in range(2))
        require(_counts(first) == _counts(again), f"playouts of one seed came out as {first} and as {again}")
        require(first.games == GAMES, f"{GAMES} playouts were asked for, {first.games} are told: {first}")
        require(set(first.wins) <= set(self.rules.players), f"playouts were won by {sorted(first.wins)}")


def _counts(playouts: Playouts) -> tuple[Any, ...]:
    return dict(playouts.wins), playouts.draws, playouts.unfinished, playouts.plies


def _first(found: Sequence[Any], moves: Sequence[Any]) -> str:
    """Return where two lists first differ."""
    for k, (mine, true) in enumerate(zip(found, moves, strict=False)):
        if mine != true:
            return f"number {k} is {mine!r}, not {true!r}"
    return f"one is longer, by {(found or moves)[-1]!r}" if len(found) != len(moves) else "equal"

"""The law of compiled cores: one that equals the rules passes, and each way to differ is caught and named."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from qchess.core import CoreLimitError, End, OutcomeValue, PackedOutcome, Playouts, Way
from qchess.rules import Result
from qchess.testing import GameCheckError, check_game
from tests.toygame import Move, Spot, Toy


class Mirror:
    """A core whose own form is the position itself; what the rules say, it says."""

    def __init__(self, rules: Toy) -> None:
        self.rules = rules

    def pack(self, position: Spot) -> Any:
        return position

    def player(self, packed: Any) -> str:
        return str(packed.player)

    def moves(self, packed: Any) -> Sequence[Move]:
        return self.rules.moves(packed)

    def outcomes(self, packed: Any, move: Move) -> Sequence[PackedOutcome]:
        return [PackedOutcome(o.answers, o.probability, o.position) for o in self.rules.outcomes(packed, move)]

    def result(self, packed: Any) -> Result | None:
        return self.rules.result(packed)

    def evaluate(self, packed: Any) -> dict[str, float]:
        return dict(self.rules.evaluate(packed))

    def differs(self, packed: Any, position: Spot) -> str | None:
        same = packed.key() == position.key() and packed.registers.same_as(position.registers)
        return None if same else f"{packed} is not {position}"

    def playouts(self, packed: Any, count: int, seed: int, plies: int) -> Playouts:
        rng = random.Random(seed)
        wins, drawn, played = dict.fromkeys(Toy.players, 0), 0, 0
        for _ in range(count):
            position = packed
            while (result := self.rules.result(position)) is None:
                move = rng.choice(self.rules.moves(position))
                ways = list(self.rules.outcomes(position, move))
                position = rng.choices(ways, [way.probability for way in ways])[0].position
                played += 1
            if result.winner:
                wins[result.winner] += 1
            else:
                drawn += 1
        return Playouts(wins, drawn, 0, played)


class Reorders(Mirror):
    law = "the core lists"

    def moves(self, packed: Any) -> Sequence[Move]:
        return self.rules.moves(packed)[::-1]


class Misjudges(Mirror):
    law = "the rules as"

    def outcomes(self, packed: Any, move: Move) -> Sequence[PackedOutcome]:
        ways = super().outcomes(packed, move)
        return [way._replace(probability=way.probability * 0.9) for way in ways]


class Overrates(Mirror):
    law = "weighed at once"

    def ends(self, packed: Any, moves: Sequence[Move]) -> list[list[OutcomeValue]]:
        return [
            [OutcomeValue(way.probability, None, {"first": 1.0}) for way in self.outcomes(packed, move)]
            for move in moves
        ]


class Strays(Mirror):
    law = "differs from the rules'"

    def outcomes(self, packed: Any, move: Move) -> Sequence[PackedOutcome]:
        return [way._replace(state=packed) for way in super().outcomes(packed, move)]


class NeverEnds(Mirror):
    law = "the core says the result is None"

    def result(self, packed: Any) -> Result | None:
        return None


class Flatters(Mirror):
    law = "the core evaluates the position"

    def evaluate(self, packed: Any) -> dict[str, float]:
        return dict.fromkeys(Toy.players, 1.0)


class Rerolls(Mirror):
    law = "playouts of one seed came out as"

    def playouts(self, packed: Any, count: int, seed: int, plies: int) -> Playouts:
        return super().playouts(packed, count, random.getrandbits(32), plies)


class Loses(Mirror):
    law = "playouts were asked for"

    def playouts(self, packed: Any, count: int, seed: int, plies: int) -> Playouts:
        return super().playouts(packed, count - 1, seed, plies)


class Mistakes(Mirror):
    law = "is to move"

    def player(self, packed: Any) -> str:
        return "white"


class Declines(Mirror):
    """A core that holds nothing is no fault: the rules go on."""

    def pack(self, position: Spot) -> Any:
        raise CoreLimitError("too large")


def toy_with(core: type[Mirror]) -> Toy:
    class WithCore(Toy):
        def core(self) -> Any:
            return core(self)

    return WithCore()


def test_a_core_that_equals_the_rules_passes() -> None:
    report = check_game(toy_with(Mirror), games=4, plies=14, frequency=0)
    assert report.core == report.plies + 4  # every position, the last ones included


def test_a_core_that_declines_is_not_asked_more() -> None:
    assert check_game(toy_with(Declines), games=2, plies=8, frequency=0).core == 0


@pytest.mark.parametrize(
    "broken", [Reorders, Misjudges, Overrates, Strays, NeverEnds, Flatters, Rerolls, Loses, Mistakes]
)
def test_a_core_that_differs_is_caught_and_the_law_is_named(broken: Any) -> None:
    with pytest.raises(GameCheckError) as caught:
        check_game(toy_with(broken), games=6, plies=14, frequency=0)
    assert broken.law in caught.value.law


def test_a_game_may_bring_laws_of_its_own() -> None:
    from qchess.proving.laws import require

    class Lawful(Toy):
        def laws(self) -> Any:
            return [lambda spot: require(spot.ply < 3, "nobody waits longer than three turns")]

    with pytest.raises(GameCheckError, match="longer than three turns"):
        check_game(Lawful(), games=3, frequency=0)


def test_the_old_names_still_work() -> None:
    assert (Way, End) == (PackedOutcome, OutcomeValue)
    assert Way({}, 1.0, "the packed position").packed == "the packed position"

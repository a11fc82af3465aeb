"""`check_game` passes sound games, and says of a broken one which law it breaks, with seed and record."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

import qchess
from qchess import games
from qchess.circuits.engine import Engine
from qchess.circuits.operations import h
from qchess.circuits.patterns import partial_split
from qchess.circuits.program import Program
from qchess.circuits.registers import Run
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.proving.laws import FALSE_ALARM, LawError, Laws, surprise
from qchess.rules import Result, Turn
from qchess.showing.view import Man, View
from qchess.testing import GameCheckError, check_engine, check_game
from tests.toygame import Move, Spot, Toy

#: how many games the slow test plays of each
GAMES = int(os.environ.get("QCHESS_GAMES", "1"))


def test_the_smallest_game_keeps_every_law_on_every_engine() -> None:
    report = check_game(Toy(), games=4, engines=("sparse", "cirq"))
    assert report.games == report.finished == 4
    assert min(report.plies, report.moves, report.answers, report.draws, report.compared) > 0


@pytest.mark.parametrize("game", games.names())
def test_every_listed_game_keeps_every_law(game: str) -> None:
    report = check_game(games.rules(game), games=1, plies=16, seed=1, frequency=200)
    assert report.plies > 8
    assert report.answers > 20


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_every_listed_game_keeps_every_law_in_longer_games_on_every_engine(game: str) -> None:
    """30 plies of one game, and 50 of several: twice what the usual test plays on one engine."""
    plies, engines = 30 if GAMES == 1 else 50, ("sparse", "cirq", "aer")
    report = check_game(games.rules(game), games=GAMES, plies=plies, seed=100, engines=engines)
    assert report.compared > report.plies


def test_the_same_seed_checks_the_same_games() -> None:
    assert check_game(Toy(), games=2, seed=8) == check_game(Toy(), games=2, seed=8)


@pytest.mark.slow
def test_games_that_two_workers_share_are_reported_as_one_worker_reports_them() -> None:
    """Twenty-three games are three jobs; a law that a worker finds broken is told as it is here."""
    here = check_game(Toy(), games=23, plies=6)
    assert here.games == 23
    assert check_game(Toy(), games=23, plies=6, workers=2) == here
    with pytest.raises(GameCheckError, match=r"^toy, seed 0, on sparse, after no move: .* reads back as") as found:
        check_game(Forgets(), games=1, workers=2)
    with pytest.raises(GameCheckError) as alone:
        check_game(Forgets(), games=1)
    assert str(found.value) == str(alone.value)
    assert found.value.record.to_json() == alone.value.record.to_json()


def test_the_checker_of_engines_is_at_hand_too() -> None:
    from qchess.backends.sparse.engine import SparseEngine

    assert check_engine(SparseEngine(), programs=2).programs == 2


# -- broken games, each in one place ----------------------------------------------------------------


class ListsTwice(Toy):
    """lists a move twice"""

    law = "moves are listed twice"

    def moves(self, position: Spot) -> list[Move]:
        return [*super().moves(position), super().moves(position)[0]]


class Shuffles(Toy):
    """lists moves in any order"""

    law = "the moves come in another order"
    rng = random.Random(1)

    def moves(self, position: Spot) -> list[Move]:
        moves = super().moves(position)
        self.rng.shuffle(moves)
        return moves


class Sleeps(Toy):
    """ends without a result"""

    law = "there is no legal move"

    def moves(self, position: Spot) -> list[Move]:
        return super().moves(position) if position.ply < 2 else []


class Forgets(Toy):
    """writes a split without its second target"""

    law = "reads back as"

    def write(self, position: Spot, move: Move) -> str:
        return super().write(position, replace(move, targets=move.targets[:1]))


class Refuses(Toy):
    """refuses a listed move"""

    law = "the listed move 'b1^a1c1' is refused"

    def check(self, position: Spot, move: Move) -> None:
        super().check(position, move)
        if len(move.targets) == 2:
            raise IllegalMoveError("no splits")


class Permits(Toy):
    """lets every move pass"""

    law = "is not listed here, yet check() lets it pass"

    def check(self, position: Spot, move: Move) -> None:
        """Asks nothing."""


class Believes(Toy):
    """reads nonsense as a move"""

    law = "the invalid text"

    def read(self, position: Spot, text: str) -> tuple[Move, dict[str, int] | None]:
        try:
            return super().read(position, text)
        except InvalidMoveError:
            return self.moves(position)[0], None


class Boasts(Toy):
    """tells better chances than there are"""

    law = "chances() says"

    def chances(self, position: Spot, move: Move) -> dict[tuple[tuple[str, int], ...], float]:
        return {answers: min(1.0, p + 0.1) for answers, p in super().chances(position, move).items()}


class Hides(Toy):
    """does not record what was found"""

    law = "reads back with"

    def tell(self, position: Spot, turn: Any, answers: Mapping[str, int]) -> str:
        return self.write(position, turn.move)


class Drifts(Toy):
    """settles otherwise each time"""

    law = "gives another position than outcomes() does"
    numbers = count()

    def settle(self, position: Spot, turn: Any, run: Run) -> Spot:
        registers = run.registers.apply(h("x")) if next(self.numbers) % 2 else run.registers
        return super().settle(position, turn, run._replace(registers=registers))


class Overflows(Toy):
    """shows more than one man's worth on a square"""

    law = "the view shows b1 with the odds"

    def view(self, position: Spot, last: Move | None = None) -> View:
        return replace(super().view(position, last), men={"b1": (Man("N", 0.75), Man("P", 0.5))})


class Strays(Toy):
    """marks a square that the board lacks"""

    law = "the view names squares that the board lacks: ['d4']"

    def view(self, position: Spot, last: Move | None = None) -> View:
        return replace(super().view(position, last), marked=("d4",))


class Invents(Toy):
    """names a winner who does not play"""

    law = "'the house' is no player"

    def result(self, position: Spot) -> Result | None:
        return Result("the house", "as always") if super().result(position) else None


class Remakes(Toy):
    """forgets an option"""

    law = "replayed on sparse"

    def options(self) -> dict[str, Any]:
        return {"limit": 40}


class Grows(Toy):
    """changes a position that is over"""

    law = "changed"
    started: Any = None

    def start(self, engine: Engine) -> Any:
        self.started = Changing(super().start(engine))
        return self.started

    def turn(self, position: Any, move: Move) -> Turn[Move]:
        if self.started is not None:
            self.started.extra += 1
        return super().turn(position, move)

    def settle(self, position: Any, turn: Any, run: Run) -> Spot:
        spot = position.spot if isinstance(position, Changing) else position
        return super().settle(spot, turn, run)


class Changing:
    """A position that is no value."""

    def __init__(self, spot: Spot) -> None:
        self.spot, self.extra, self.finder = spot, 0, spot.finder
        self.registers, self.player, self.ply = spot.registers, spot.player, spot.ply

    def key(self) -> tuple[Any, ...]:
        return (*self.spot.key(), self.extra)


BROKEN = (
    ListsTwice, Shuffles, Sleeps, Forgets, Refuses, Permits, Believes, Boasts, Hides, Drifts, Overflows, Strays,
    Invents, Remakes, Grows,
)  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_game_is_caught_and_the_law_is_named(broken: Any) -> None:
    with pytest.raises(GameCheckError) as caught:
        check_game(broken(), games=6, plies=14, frequency=0)
    assert broken.law in caught.value.law
    assert caught.value.game == "toy"
    message = str(caught.value)
    assert f"seed {caught.value.seed}" in message
    assert all(move in message for move in caught.value.record.moves())


def test_an_error_of_a_game_comes_with_the_record_that_led_there() -> None:
    class Stops(Toy):
        def settle(self, position: Spot, turn: Any, run: Run) -> Spot:
            if position.ply == 3:
                raise IllegalMoveError("not on a Tuesday")
            return super().settle(position, turn, run)

    with pytest.raises(GameCheckError, match="not on a Tuesday") as caught:
        check_game(Stops(), games=6)
    assert len(caught.value.record.entries) == 3


def test_frequencies_that_miss_their_chances_are_noticed() -> None:
    fair, rare = {0: 0.5, 1: 0.5}, {0: 0.999, 1: 0.001}
    limit = math.log(2 * 2 / FALSE_ALARM)
    assert surprise({0: 500, 1: 500}, fair) == pytest.approx(0)
    assert surprise({0: 600, 1: 400}, fair) == pytest.approx(1000 * (0.6 * math.log(1.2) + 0.4 * math.log(0.8)))
    assert surprise({0: 560, 1: 440}, fair) < limit < surprise({0: 600, 1: 400}, fair)
    assert surprise({0: 996, 1: 4}, rare) < limit < surprise({0: 980, 1: 20}, rare)
    assert surprise({0: 5}, {0: 0.0, 1: 1.0}) == math.inf


def test_draws_that_follow_other_chances_are_noticed() -> None:
    class Loaded(Toy):
        """tells even chances whatever they are"""

        def program(self, move: Move) -> Program:
            if len(move.targets) == 2:
                return partial_split(move.sources[0], *move.targets, 0.1)
            return super().program(move)

    game = qchess.Game(Loaded(), seed=0)
    game.play("b1^a1c1")
    told = {(("there", 0),): 0.5, (("there", 1),): 0.5}
    checker = Laws(game.rules, sample=10, frequency=300)
    with pytest.raises(LawError, match=r"300 draws of .*a1.* gave"):
        checker.check_frequencies(game.position, Move(("a1",)), told, random.Random(0))

"""A ply by the core is the ply of the rules, to the last bit: positions, answers, records, lists, results, refusals.

The slow test plays 200 games, or as many as ``QCHESS_GAMES`` says.
"""

from __future__ import annotations

import os
import random
from functools import partial
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.sources import FixedAnswers, Seeded
from qchess.games.quantum_chess import Move, QuantumChess
from qchess.games.quantum_chess.late.plies import LatePosition
from tests.games.late import Twins, by_rules, late_one
from tests.games.test_quantum_chess_core import STARTS

GAMES = int(os.environ.get("QCHESS_GAMES", "200"))
BOOKS: tuple[dict[str, Any], ...] = (
    {},
    {"profile": "sdk-0.2.2"},
    {"quantum": False},
    {"halfmove_clock": "fide"},
    {"castling": False, "en_passant": False, "promotion": False},
    {"sandbox": True},
    {"max_ply": 60},
)


@pytest.fixture(scope="module", autouse=True)
def _core() -> None:
    if QuantumChess().core() is None:
        pytest.skip("needs llvmlite, and numba or built kernels")


def played_both_ways(seed: int, most: int, **options: Any) -> int:
    """Plays a game by the core and by the rules at once; gives how many plies the core played."""
    starts = [start for start in STARTS.values() if options.get("quantum", True) or not start[1]]
    fen, setup = random.Random(seed).choice([STARTS["start"], *starts])
    both = Twins(partial(QuantumChess, fen=fen, setup=setup, **options), seed)
    fast, slow = both.fast, both.slow
    for ply in range(most):
        late, early = both.late, both.early
        assert fast.result(late) == slow.result(early), (seed, ply)
        if fast.result(late) or max(early.registers.branches(), default=1) > 5000:
            break
        moves = fast.moves(late)
        assert list(moves) == list(slow.moves(early)), (seed, ply)
        if not moves:  # a sandbox has no results
            break
        move = moves[int(both.rng.random() * len(moves))]
        assert fast.write(late, move) == slow.write(early, move), (seed, ply)
        if not fast.book.quantum:
            assert fast.evaluate(late) == slow.evaluate(early), (seed, ply)
        assert (late.men, late.clock, late.rights) == (early.men, early.clock, early.rights), (seed, ply)
        both.play(move)
    return both.finish()


@pytest.mark.parametrize("options", BOOKS, ids=str)
def test_a_ply_of_the_core_is_the_ply_of_the_rules(options: dict[str, Any]) -> None:
    assert sum(played_both_ways(seed, 30, **options) for seed in range(4)) > 25


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_many_games_of_the_core_are_those_of_the_rules(part: int) -> None:
    """Every twentieth game may be long."""
    seeds = range(part, GAMES, 4)
    plies = [played_both_ways(seed, 26 if seed % 20 else 200, **BOOKS[seed % len(BOOKS)]) for seed in seeds]
    assert sum(plies) > 15 * len(seeds)


def play_at_random(game: qchess.Game, rng: random.Random) -> None:
    """Plays a game as users do, to its end."""
    while not game.is_over:
        moves = game.moves()
        game.play(moves[int(rng.random() * len(moves))])


@pytest.mark.long
def test_a_game_that_grows_too_large_is_refused_at_the_same_ply_with_the_same_words() -> None:
    games = [qchess.new("quantum-chess", seed=11, profile="sdk-0.2.2") for _ in range(2)]
    by_rules(games[1].rules)
    refusals = []
    for game in games:
        with pytest.raises(StateTooLargeError) as refused:
            play_at_random(game, random.Random(11))
        refusals.append((len(game.history), str(refused.value), game.fen, game.record().to_json()))
    assert refusals[0] == refusals[1]


# -- what is not for the core ----------------------------------------------------------------------------


def test_only_listed_moves_are_played_by_the_core() -> None:
    rules, position = late_one("quantum-chess")
    listed, rng = set(rules.moves(position)), random.Random(2)
    for _ in range(4000):
        a, b, c = rng.randrange(64), rng.randrange(64), rng.randrange(64)
        move = rng.choice([Move((a,), (b,)), Move((a,), (b, c)), Move((a, b), (c,)), Move((a,), (b,), "q")])
        assert move in listed or rules.at_once(position, move, Seeded(1).throw) is None, move
    assert all(rules.at_once(position, move, lambda _: Seeded(1).throw()) for move in listed)


def test_other_engines_sources_and_limits_ask_the_rules() -> None:
    rules, position = late_one("quantum-chess")
    move = next(move for move in rules.moves(position) if rules.compile(position, move).answers)
    assert not isinstance(rules.step(position, move, FixedAnswers({"hit": 1}))[0], LatePosition)
    start = rules.start(backends.engine("sparse", branch_limit=2))
    after, _ = rules.step(start, Move((1,), (16, 18)))
    assert not isinstance(after, LatePosition)
    after, _ = rules.step(after, Move((52,), (44,)))
    with pytest.raises(StateTooLargeError):
        rules.step(after, Move((16,), (1, 26)))

"""A ply by the core is the ply of the rules, to the last bit: positions, answers, records, lists, results, refusals.

The slow test plays 160 games, two or more by each book, or as many as ``QCHESS_GAMES`` says.
"""

from __future__ import annotations

import os
import pickle
import random
import re
from functools import partial
from itertools import product
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.sources import FixedAnswers, Seeded, Throw
from qchess.games.quantum_checkers import Move, QuantumCheckers
from qchess.games.quantum_checkers.late.kernels import play_ply
from qchess.games.quantum_checkers.late.plies import LatePosition
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.turn import CAPTURER, TARGET
from qchess.late import Thrown
from tests.games.late import Twins, late_one
from tests.games.test_quantum_checkers_core import BOARDS, PROFILES

GAMES = int(os.environ.get("QCHESS_GAMES", "160"))
BOOKS = tuple(
    {"level": level, "size": size, "rows": rows, "profile": profile}
    for profile, (size, rows), level in product(PROFILES, (*BOARDS, (10, 2), (26, 1)), (3, 2, 1, 0))
)


@pytest.fixture(scope="module", autouse=True)
def _core() -> None:
    if not play_ply.compiled:
        pytest.skip("needs llvmlite, and numba or built kernels")


def chosen(rules: QuantumCheckers, position: Position, move: Any, by_core: bool) -> list[Any]:
    """The answers that numbers select, all pairs of some."""
    found = []
    for pair in product((0.05, 0.3, 0.45, 0.8), repeat=2):
        numbers = dict(zip((CAPTURER, TARGET), pair, strict=True))
        throw = partial(lambda numbers, name, _: Throw(numbers[name], "given"), numbers)
        made = rules.at_once(position, move, throw) if by_core else None
        answers = made[1] if made else rules.step_by_rules(position, move, Thrown((), throw))[1]
        found.append([(answer.name, answer.value) for answer in answers])
    return found


def played_both_ways(seed: int, **options: Any) -> tuple[int, str]:
    """Plays a game by the core and by the rules at once; gives how many plies the core played, and what was found."""
    both, found = Twins(partial(QuantumCheckers, **options), seed), ""
    fast, slow = both.fast, both.slow
    for ply in range(400):
        before, early = both.late, both.early
        assert fast.result(before) == slow.result(early), (seed, ply)
        assert fast.moves(before) == slow.moves(early), (seed, ply)
        if fast.result(before):
            break
        move = both.rng.choice(fast.moves(before))
        assert seen(before) == seen(early), (seed, ply)
        answers = both.play(move)
        if len(answers) == 2:
            assert chosen(fast, before, move, True) == chosen(slow, early, move, False), (seed, ply)
        text = fast.tell_at_once(before, move, fast.write(before, move), answers, both.late)
        given = {answer.name: answer.value for answer in answers}
        assert text == slow.tell(early, slow.turn(early, move), given), (seed, ply)
        found += text.partition(".")[2] + " "
    return both.finish(), found


def seen(position: Position) -> tuple[Any, ...]:
    """What the core knows of a position."""
    return position.player, position.ply, position.quiet, position.chain


def test_a_ply_of_the_core_is_the_ply_of_the_rules() -> None:
    full = [BOOKS.index({"level": 3, "size": 8, "rows": 3, "profile": profile}) for profile in PROFILES]
    seeds = [*range(0, len(BOOKS), 5), *(seed + len(BOOKS) * k for seed in full for k in range(3))]
    plies, found = zip(*(played_both_ways(seed, **BOOKS[seed % len(BOOKS)]) for seed in seeds), strict=True)
    assert sum(plies) > 25 * len(seeds)
    for told in (r"m0x", r"/", r"m1\.m1", r"m1\.m0"):  # captured before, a partner's place, and two questions
        assert re.search(told, " ".join(found)), told


@pytest.mark.slow
def test_many_games_of_the_core_are_those_of_the_rules() -> None:
    plies = [played_both_ways(seed, **BOOKS[seed % len(BOOKS)])[0] for seed in range(GAMES)]
    assert sum(plies) > 20 * GAMES


def test_answers_that_stand_are_given_again() -> None:
    game = qchess.new("quantum-checkers", seed=3, size=6, rows=2)
    rng = random.Random(3)
    again = 0
    while not game.is_over:
        move = rng.choice(game.legal_moves)
        first = game.play(move)
        if first.answers:
            game.undo()
            assert game.play(move) == first
            again += 1
    assert again > 2


# -- what is not for the core ----------------------------------------------------------------------------


def test_only_listed_moves_are_played_by_the_core() -> None:
    rules, position = late_one("quantum-checkers", 5)
    listed, rng = set(rules.moves(position)), random.Random(2)
    for _ in range(2000):
        a, b, c = rng.randrange(64), rng.randrange(64), rng.randrange(64)
        move = rng.choice([Move((a,), (b,)), Move((a,), (b, c)), Move((a, b), (c,)), Move((a,), ()), Move((), (a, b))])
        assert move in listed or rules.at_once(position, move, Seeded(1).throw) is None, move
    assert all(rules.at_once(position, move, Seeded(1).throw) for move in listed)


def test_other_engines_sources_and_limits_ask_the_rules() -> None:
    rules, position = late_one("quantum-checkers")
    assert not isinstance(rules.step(position, rules.moves(position)[0], FixedAnswers())[0], LatePosition)
    start = rules.start(backends.engine("sparse", branch_limit=2))
    after, _ = rules.step(start, next(move for move in rules.moves(start) if move.is_split))
    assert not isinstance(after, LatePosition)
    after, _ = rules.step(after, rules.moves(after)[0])
    with pytest.raises(StateTooLargeError):
        rules.step(
            after, next(m for m in rules.moves(after) if m.is_split and after.pieces[after.owner[m.sources[0]]].split)
        )


def test_rules_that_have_played_by_the_core_pickle() -> None:
    rules, position = late_one("quantum-checkers")
    again = pickle.loads(pickle.dumps(rules))
    assert again.moves(pickle.loads(pickle.dumps(position))) == rules.moves(position)


def test_odds_close_to_the_number_thrown_are_left_to_the_rules() -> None:
    rules = QuantumCheckers(1, position="W:Wc3,a1:Bh8,f6")
    position = rules.start(backends.engine("sparse"))
    for text in ("c3^b4d4", "f6-e5"):
        position, _ = rules.step(position, rules.read(position, text)[0])
    (move,) = rules.moves(position)
    for number, by_core in ((0.5 - 1e-9, False), (0.5 + 1e-9, False), (0.4, True), (0.6, True)):
        made = rules.at_once(position, move, lambda *_, u=number: Throw(u, "given"))
        assert made is not None
        assert isinstance(made[0], LatePosition) == by_core
        assert made[1][0].value == (1 if number < 0.5 else 2)

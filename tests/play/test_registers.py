"""Registers keep their numbers for life."""

from __future__ import annotations

import pickle
import random

import pytest

import qchess
from qchess.games import catalogue
from qchess.showing.view import REST, Numbered

GAMES = {"quantum-chess": 60, "niels-chess": 40, "piece-qubit-chess": 30, "quantum-checkers": 40}


@pytest.mark.parametrize("name", GAMES)
def test_a_register_that_lives_on_alone_keeps_its_number_and_a_given_up_one_rests(name: str) -> None:
    """What overlaps one register only, which overlaps it only, is the same register; others are not looked at."""
    kept, worn = 0, dict[int, int]()
    for seed in range(3):
        game, dice = qchess.new(name, seed=seed), random.Random(seed)
        worn.clear()
        before: dict[frozenset[str], int] = {}
        for ply in range(1, GAMES[name]):
            moves = game.moves()
            splits = [move for move in moves if "^" in move]
            game.play(dice.choice(splits if splits and dice.random() < 0.4 else moves))
            view = game.view()
            now = dict(zip(map(frozenset, view.groups), view.registers, strict=True))
            assert len(set(now.values())) == len(now)
            for register, number in now.items():
                met = [other for other in before if other & register]
                if len(met) == 1 and [other for other in now if other & met[0]] == [register]:
                    assert number == before[met[0]]
                    kept += 1
                if not met:
                    assert ply - worn.get(number, -REST) > REST
            worn.update(dict.fromkeys(now.values(), ply))
            before = now
            if game.is_over:
                break
    assert kept > 5


def test_a_number_is_given_again_after_a_rest_and_the_lowest_first() -> None:
    pair, other = ("a1", "b1"), ("c1", "d1")
    numbered = Numbered().then([pair, other]).then([other])
    for _ in range(REST):
        assert numbered.then([other, pair]).groups == {other: 1, pair: 2}
        numbered = numbered.then([other])
    assert numbered.then([other, pair]).groups == {other: 1, pair: 0}


def test_the_larger_keeps_its_number_and_so_does_the_oldest_square() -> None:
    small, large = ("a1", "b1"), ("c1", "d1", "e1")
    numbered = Numbered().then([small]).then([small, large]).then([(*small, *large)])
    assert numbered.groups == {(*small, *large): 1}
    assert numbered.then([("a1", "c1"), ("b1", "d1")]).groups == {("a1", "c1"): 1, ("b1", "d1"): 2}


def test_a_game_that_is_carried_elsewhere_keeps_the_numbers() -> None:
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "b8^a6c6", "g1^f3h3", "a6c6^b8", "e2-e3"):
        game.play(move)
    assert game.view().registers == (0, 2)
    carried = game.at(pickle.loads(pickle.dumps(game.cut())))
    for other in (game.at(game.cut()), carried):
        other.play("g8^f6h6")
        assert other.view().registers == (0, 2, 3)
    assert game.at(game.cut(2)).view().registers == game.view(2).registers == (0, 1)


def test_undo_and_another_move_number_what_is_there_then() -> None:
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "b8^a6c6", "g1^f3h3"):
        game.play(move)
    assert dict(zip(game.view().groups, game.view().registers, strict=True)) == {
        ("a3", "c3"): 0, ("a6", "c6"): 1, ("f3", "h3"): 2,
    }  # fmt: skip
    game.undo()
    game.undo()
    game.play("g8^f6h6")
    assert dict(zip(game.view().groups, game.view().registers, strict=True)) == {("a3", "c3"): 0, ("f6", "h6"): 1}
    assert "N●50" in str(game)
    assert "n▲50" in str(game)


@pytest.mark.parametrize("name", [row.name for row in catalogue.CATALOGUE])
def test_groups_are_those_of_the_view(name: str) -> None:
    game, dice = qchess.new(name, seed=3), random.Random(3)
    for _ in range(25):
        moves = game.moves()
        game.play(dice.choice([move for move in moves if "^" in move] or moves))
        assert game.rules.groups(game.position) == game.rules.view(game.position).groups
        if game.is_over:
            break

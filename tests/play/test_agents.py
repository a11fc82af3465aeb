"""Agents: the same generator, the same move; and the move with the best exact average."""

from __future__ import annotations

import random
from typing import Any

import pytest

import qchess
from qchess.circuits.patterns import partial_split
from qchess.circuits.program import Program
from qchess.playing import agents
from qchess.playing.agents.agent import WIN
from tests.toygame import Move, Toy


def spot(*moves: str) -> Any:
    game = qchess.Game(Toy(), seed=0)
    for move in moves:
        game.play(move)
    return game.position


def chosen_by(name: str, rules: Toy, position: Any, rng: random.Random) -> Any:
    return agents.get(name).choose(agents.Task(rules, position, rng, agents.Budget(simulations=40))).move


@pytest.mark.parametrize("name", agents.names())
def test_the_same_generator_gives_the_same_legal_move(name: str) -> None:
    rules, position = Toy(), spot("b1^a1c1")
    chosen = [chosen_by(name, rules, position, random.Random(seed)) for seed in (5, 5, *range(20))]
    assert chosen[0] == chosen[1]
    assert set(chosen) <= set(rules.moves(position))


def test_the_random_agent_plays_every_legal_move_some_time() -> None:
    rules, position, rng = Toy(), spot("b1^a1c1"), random.Random(1)
    played = {chosen_by("random", rules, position, rng) for _ in range(200)}
    assert played == set(rules.moves(position))


class Lopsided(Toy):
    """A split leaves a quarter on its second square."""

    def program(self, move: Move) -> Program:
        if len(move.targets) == 2:
            return partial_split(move.sources[0], *move.targets, 0.75)
        return super().program(move)


def test_the_greedy_agent_asks_where_a_yes_is_likeliest() -> None:
    rules = Lopsided()
    game = qchess.Game(rules, seed=0)
    game.play("b1^a1c1")
    assert game.position.registers.probability("a1") == pytest.approx(0.75)  # sin^2(pi t/2) = 3/4
    for seed in range(10):
        assert chosen_by("greedy", rules, game.position, random.Random(seed)) == Move(("a1",))


def test_the_value_of_a_move_is_its_exact_average() -> None:
    rules, position = Toy(), spot("b1^a1c1")
    # found with probability 1/2 wins the game; else nothing is decided
    assert agents.value(rules, position, Move(("a1",))) == pytest.approx(WIN / 2)
    assert agents.value(rules, position, Move(("a1",), ("b1",))) == 0


def test_equally_good_moves_have_equal_chances() -> None:
    rules, position, rng = Toy(), spot("b1^a1c1"), random.Random(2)
    played = [chosen_by("greedy", rules, position, rng) for _ in range(200)]
    assert set(played) == {Move(("a1",)), Move(("c1",))}
    assert 60 < played.count(Move(("a1",))) < 140  # 100 +- 5.6 standard deviations


def test_choosing_changes_nothing() -> None:
    rules, position = Toy(), spot("b1^a1c1")
    before = position.key(), position.registers.amplitudes(("a1", "b1", "c1"))
    for name in agents.names():
        chosen_by(name, rules, position, random.Random(0))
    assert (position.key(), position.registers.amplitudes(("a1", "b1", "c1"))) == before


@pytest.mark.parametrize("name", ["quantum-chess", "niels-chess", "quantum-checkers"])
def test_the_greedy_agent_chooses_by_the_core_what_it_would_choose_by_the_rules(name: str) -> None:
    game, rng = qchess.new(name, seed=3), random.Random(3)
    by_core, by_rules = agents.get("greedy"), agents.get("greedy", core=False)
    for number in range(10):
        if game.result:
            break
        task = agents.Task(game.rules, game.position, random.Random(number))
        again = agents.Task(game.rules, game.position, random.Random(number))
        found, expected = by_core.choose(task), by_rules.choose(again)
        assert found.move == expected.move
        game.play(rng.choice([found.move, *game.legal_moves]) if number % 2 else found.move)


def test_the_greedy_agent_beats_the_random_one() -> None:
    rules, won = Toy(limit=30), 0
    players = {"white": agents.get("greedy"), "black": agents.get("random")}
    for seed in range(40):
        game, rng = qchess.Game(rules, seed=seed), random.Random(seed)
        while game.result is None:
            game.play(players[game.player].choose(agents.Task(rules, game.position, rng)).move)
        won += {"white": 1, "black": -1, None: 0}[game.result.winner]
    assert won > 10


def test_an_unknown_agent_is_refused_with_the_known_names() -> None:
    with pytest.raises(qchess.QchessError, match=r"'greedi'; known are random, greedy, .*; did you mean 'greedy'"):
        agents.get("greedi")

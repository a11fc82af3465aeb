"""Notebook 13: rules that are circuits."""

from __future__ import annotations

from typing import Any

from qchess import backends
from qchess.circuits.operations import iswap
from qchess.circuits.registers import Registers
from qchess.playing.game import Game
from qchess.proving.checking import GameCheckError, check_game
from qchess.rules import Rules
from qchess.study.exercises.checking import Exercise, Kind, game_of, near, whole

#: how far a spread goes, in moves, and more spreads than in a game of Hide and Seek
PART, LONGEST = 1 / 3, 100
#: of the third exercise: the squares, and the most probability that each is the free one
SQUARES, LIKELY = 9, 1 / 8


def spreads(count: int) -> str | None:
    """13.1: after how many spreads is the piece on b1 with certainty?"""
    if count > LONGEST:
        return "Fewer are enough; a game has 8 moves."
    there = Registers(backends.engine(), full=["a1"]).apply(*[iswap("a1", "b1", PART)] * count).probability("b1")
    return None if near(there, 1) else f"After {count} he is on b1 with probability {there:.2g}. Where is the sine 1?"


def winking(rules: Rules[Any, Any]) -> str | None:
    """13.2: Hide and Seek with a move that turns a phase."""
    winked = _played(rules, "spread", "wink")
    if winked.history[-1].answers:
        return "The wink measures something; it must only turn a phase."
    if not near(winked.probability("b1"), _played(rules, "spread").probability("b1")):
        return f"The wink moves him: he is on b1 with probability {winked.probability('b1'):.3g} after it."
    home = _played(rules, "spread", "wink", "spread").probability("a1")
    if not near(home, 1):
        return f"After spread, wink, spread he is at home on a1 with probability {home:.3g}."
    try:
        check_game(rules, games=2, plies=8, frequency=0, sample=4)
    except GameCheckError as fault:
        return f"The checker of all games found a fault: {fault.law}"
    return None


def hidden(game: Game[Any, Any]) -> str | None:
    """13.3: eight marks without a ring, and no square that is likely to be the free one."""
    if any(played.answers for played in game.history):
        return "A ring was closed: something was measured."
    held = [register for register in game.position.registers.each if register.branches == SQUARES]
    if not held:
        most = max((register.branches for register in game.position.registers.each), default=1)
        return f"The marks are to hold all {SQUARES} squares together; the largest part has {most}."
    odds = game.position.registers.distribution(*held[0].qubits)
    if (likely := max(odds.values())) <= LIKELY + 1e-9:
        return None
    return f"One square is free with probability {likely:g}. A mark gives each of the two parts that it joins a half."


def _played(rules: Rules[Any, Any], *moves: str) -> Game[Any, Any]:
    game = Game(rules, seed=1)
    for move in moves:
        game.play(move)
    return game


def _rules(name: str) -> Kind:
    """Accept the rules of a game: an object of a class of rules."""
    return Kind(name, lambda answer: answer if isinstance(answer, Rules) else None)


EXERCISES = (
    Exercise(
        whole("a number of moves"), spreads,
        "Three thirds of a move are one move. After three more he would be back at home.",
    ),
    Exercise(
        _rules("rules: an object of your class"), winking,
        "The sign makes the second spread undo the first. No measurement of a square would have shown that he winked.",
    ),
    Exercise(
        game_of("my-tic-tac-toe", "a game of your tic-tac-toe after your moves"), hidden,
        "Parts of the same size were joined again and again, so no square is much likelier than another.",
    ),
)  # fmt: skip

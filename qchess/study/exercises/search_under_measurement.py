"""Notebook 12: a search follows every answer of a question, or only one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import isclose, prod
from typing import Any

from qchess.playing.game import new
from qchess.study.exercises.checking import Exercise, Kind, function, near, number

#: the position of the notebook
MOVES = ("e1-d2", "c5^b4d4", "c1-b2", "d4^c3e3", "b2-d4")
#: of the third exercise: how often the worse move must look better, and by how much it must be worse
OFTEN, WORSE = 0.75, 0.2
#: the possible answers to a move: each with its probability and the value of the move then
Ways = Sequence[tuple[float, float]]


def both_fail(chance: float) -> str | None:
    """12.1: how likely do both of the drawn answers make the capture fail?"""
    game = new("quantum-checkers", size=5, rows=1, level=3, seed=1)
    for move in MOVES:
        game.play(move)
    fails = []
    for move in game.moves():
        looks = getattr(game.rules.turn(game.position, move), "looks", ())
        wanted = [(look, game.position.board.names[look.square]) for look in looks]
        fails.append(sum(
            way.probability for way in game.rules.outcomes(game.position, move)
            if not all(look.found(way.answers[look.name], square) for look, square in wanted)
        ))  # fmt: skip
    if near(chance, prod(fails), within=1e-3):
        return None
    if any(near(chance, each, within=1e-3) for each in fails):
        return "That is the probability that one of the two fails; an answer is drawn for each."
    return "The draws are independent. How likely is it that each of the two captures fails?"


def looks_better(work: Callable[[Ways, Ways], Any]) -> str | None:
    """12.2: how likely does one move look better than another, if one answer is drawn for each?"""
    dice = random.Random(12)
    pairs: list[tuple[Ways, Ways]] = [
        ([(1.0, 0.6)], [(1.0, 0.5)]),
        ([(1.0, 0.5)], [(1.0, 0.5)]),
        ([(0.75, 0.4), (0.25, 1.0)], [(1.0, 0.5)]),
        ([(0.75, 0.4), (0.25, 1.0)], [(0.5, 0.5), (0.25, 0.8), (0.25, 0.1)]),
        *((_drawn(dice), _drawn(dice)) for _ in range(5)),
    ]
    for first, second in pairs:
        given, right = work(first, second), _share(first, second)
        if isinstance(given, bool) or not isinstance(given, int | float):
            return f"It gives {given!r}, which is not a number."
        if not near(given, right):
            return f"For {_told(first)} and {_told(second)} it gives {given:.4g}."
    return None


def gamble(moves: tuple[Ways, Ways]) -> str | None:
    """12.3: a move that looks better most of the time, but is worse."""
    for ways in moves:
        if not near(sum(p for p, _ in ways), 1) or any(p <= 0 for p, _ in ways):
            return f"The probabilities of {_told(ways)} are not positive with a sum of 1."
        if not all(0 <= value <= 1 for _, value in ways):
            return f"A value is a share of the win, from 0 to 1; got {_told(ways)}."
    first, second = moves
    if (share := _share(first, second)) < OFTEN - 1e-9:
        return f"The first move looks better in {share:.1%} of the draws; {OFTEN:.0%} are asked for."
    mean, other = (sum(p * value for p, value in ways) for ways in moves)
    if other - mean < WORSE - 1e-9:
        return f"On average the first move is worth {mean:.3g} and the second {other:.3g}; that is not {WORSE} less."
    return None


def _share(first: Ways, second: Ways) -> float:
    """Return the probability that the first move looks better."""
    return sum(p * q for p, value in first for q, other in second if value > other and not isclose(value, other))


def _drawn(dice: random.Random) -> list[tuple[float, float]]:
    weights = [dice.randint(1, 9) for _ in range(dice.randint(1, 4))]
    return [(weight / sum(weights), dice.randint(0, 20) / 20) for weight in weights]


def _told(ways: Ways) -> str:
    return "[" + ", ".join(f"({p:.3g}, {value:g})" for p, value in ways) + "]"


def _two_moves(answer: Any) -> tuple[Ways, Ways] | None:
    """Return two lists of pairs of numbers, or None."""
    try:
        first, second = ([(float(p), float(value)) for p, value in ways] for ways in answer)
    except (TypeError, ValueError):
        return None
    return (first, second) if first and second else None


EXERCISES = (
    Exercise(
        number("a probability, from 0 to 1", 0, 1), both_fail,
        "The draws are independent, so the probabilities are multiplied. Such a search sees no capture succeed.",
    ),
    Exercise(
        function("a function of two moves, each a list of (probability, value)"), looks_better,
        "For the two captures of this notebook it gives the 7/16 of the text.",
    ),
    Exercise(
        Kind("two moves, each a list of (probability, value)", _two_moves), gamble,
        "It often wins a little and sometimes loses much. A search that looks at one answer "
        "usually sees only the small win.",
    ),
)  # fmt: skip

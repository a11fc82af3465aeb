"""Notebook 3: from amplitudes to answers."""

from __future__ import annotations

import math
from itertools import combinations

from qchess import backends
from qchess.circuits.chances import explore
from qchess.circuits.operations import iswap
from qchess.circuits.predicates import empty, full
from qchess.circuits.program import Program, Question, ask
from qchess.circuits.registers import Registers
from qchess.study.asking import information
from qchess.study.entropies import bits
from qchess.study.exercises.checking import Exercise, near, number, program

SQUARES = ("a1", "b1", "c1", "d1")
#: the odds of 3.3: the least probability to be home, and that of each answer
HOME, EACH = 0.8, 0.1
#: the most branches of a program
MOST = 4096


def _start() -> Registers:
    return Registers(backends.engine("sparse"), full=["a1"])


def _piece() -> Registers:
    """Return the piece of the notebook, in four places."""
    return _start().apply(iswap("a1", "b1", 0.75), iswap("b1", "c1", 0.6), iswap("c1", "d1", 0.45))


def after_no(probability: float) -> str | None:
    """3.1: how likely is d1, given that the piece is neither on b1 nor on c1?"""
    piece = _piece()
    if near(probability, piece.project(empty("b1", "c1")).probability("d1"), within=2e-3):
        return None
    if near(probability, piece.probability("d1"), within=2e-3):
        return "That was its probability before the answer."
    return "The branches that agree with the answer stay, with their ratios. What must their probabilities sum to?"


def best_question(asking: Program) -> str | None:
    """3.2: the question with the most informative answer."""
    if len(asking) != 1 or not isinstance(asking[0], Question):
        return f"It must ask one question and do nothing else; it has the steps {list(asking)}."
    piece = _piece()
    odds = [piece.probability(square) for square in SQUARES]
    some = [math.fsum(chosen) for size in (1, 2) for chosen in combinations(odds, size)]
    told, most = information(piece, asking), max(bits((p, 1 - p)) for p in some)
    if told >= most - 1e-9:
        return None
    return (
        f"Its answer tells {told:.3f} bits, and another question's {most:.3f}. Which probability "
        "makes an answer most informative?"
    )


def gentle(trip: Program) -> str | None:
    """3.3: a trip on which a measurement does little harm."""
    if trip.answers:
        return "The trip itself must measure nothing; the question comes after it."
    away = _start().run(trip, most=MOST).registers
    p = away.probability("b1")
    if min(p, 1 - p) < EACH - 1e-9:
        return f"The answers come with {p:.1%} and {1 - p:.1%}, and {EACH:.0%} is the least."
    looked_at = explore(away, Program(ask("left", full("b1"))) + trip.inverse(), MOST)
    home = math.fsum(way.probability * way.run.registers.probability("a1") for way in looked_at)
    if home >= HOME - 1e-9:
        return None
    return f"It is home with {home:.1%}, and {HOME:.0%} is wanted. An answer that is expected changes little."


EXERCISES = (
    Exercise(
        number("the probability, a number from 0 to 1", 0, 1), after_no,
        "Only a1 and d1 are left, in their old ratio, and both are divided by the probability of the answer.",
    ),
    Exercise(
        program("a program that asks one question"), best_question,
        "No other pair of squares comes closer to 1/2, and at 1/2 an answer gives one bit.",
    ),
    Exercise(
        program("a program that starts with the piece on a1"), gentle,
        "The piece is home with P(yes)² + P(no)²: close to 1 where one answer is nearly certain.",
    ),
)  # fmt: skip

"""Notebook 2: two halves of a piece meet again."""

from __future__ import annotations

from typing import Any

from qchess import backends
from qchess.circuits.operations import iswap, z
from qchess.circuits.patterns import merge, split
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.playing.game import Game
from qchess.study.exercises.checking import Exercise, game_of, near, number, program


def _after(*between: Program) -> Registers:
    """Return the registers after a split from a1 to a4 and d1 and further programs."""
    done = split("a1", "a4", "d1")
    for each in between:
        done = done + each
    return Registers(backends.engine(), full=["a1"]).run(done).registers


def turn_for_a_quarter(turn: float) -> str | None:
    """2.1: which phase of one half makes a quarter arrive?"""
    share = _after(Program(z("a4", turn)), merge("a4", "d1", "a1")).probability("a1")
    if near(share, 0.25):
        return None
    return f"With this turn {share:.1%} arrive. The share is cos²(πt/2); where is the cosine a half?"


def rook_on_d1(game: Game[Any, Any]) -> str | None:
    """2.2: a merge that sends the whole rook to d1."""
    moves = [played.text for played in game.history]
    if not any(move.index("^") == 2 for move in moves if "^" in move):
        return "The rook was never split."
    if moves[-1].find("^") != 4:
        return f"The last move must be a merge, such as b3c2^b2; it is {moves[-1]}."
    if near(game.probability("d1"), 1):
        return None
    p = game.probability("d1")
    return f"The rook is on d1 with probability {p:g}. What cancels stays on the first square named."


def mended(mend: Program) -> str | None:
    """2.3: what removes the sign of a detour?"""
    walk = Program(iswap("a4", "b4"), iswap("b4", "a4"))
    still = _after(walk, mend)
    if mend.answers:
        return "It asks something, and an answer would end the superposition."
    if not all(near(still.probability(square), 0.5) for square in ("a4", "d1")):
        return "It moves something: afterwards half of the rook must be on a4 and half on d1, as before."
    share = _after(walk, mend, merge("a4", "d1", "a1")).probability("a1")
    return None if near(share, 1) else f"With it {share:.1%} arrive on a1."


EXERCISES = (
    Exercise(
        number("the turn, a number in units of π"), turn_for_a_quarter,
        "The cosine of π/3 is a half, and its square a quarter. Every turn whose cosine is ½ or -½ will do.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess after your moves"), rook_on_d1,
        "A sign between the halves makes them cancel on the target, and all of the rook is on the first square named.",
    ),
    Exercise(
        program("a program on a4 and d1"), mended,
        "A Z on either half puts a factor of -1 between the two, and two such factors cancel.",
    ),
)  # fmt: skip

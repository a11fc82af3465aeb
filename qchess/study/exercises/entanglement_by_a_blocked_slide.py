"""Notebook 4: a rook passes a knight that may be in the way."""

from __future__ import annotations

import math
from typing import Any

from qchess import backends
from qchess.circuits.patterns import slide, split
from qchess.circuits.predicates import empty
from qchess.circuits.registers import Registers
from qchess.playing.game import Game
from qchess.study.exercises.checking import Exercise, game_of, names, near

SQUARES = ("a1", "a3", "a5", "d2")
#: the opening moves of the notebook's games
START = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1"


def _entangled() -> Registers:
    """Return a knight in two places, and a rook that passed it or not."""
    start = Registers(backends.engine("sparse"), full=["a1", "b1"])
    return start.run(split("b1", "a3", "d2") + slide("a1", "a5", ("a2", "a3", "a4"))).registers


def _pieces(registers: Registers) -> list[tuple[int, int]]:
    """Return for each register its numbers of pieces and branches; the most pieces first."""
    held = [(round(math.fsum(each.odds.values())), each.branches) for each in registers.each]
    return sorted(held, key=lambda each: (-each[0], each[1]))


def full_squares(squares: frozenset[str]) -> str | None:
    """4.1: a5 was found empty."""
    found = _entangled().project(empty("a5")).full & {*SQUARES}
    if squares == found:
        return None
    if strangers := sorted(squares - {*SQUARES}):
        return f"The squares are {', '.join(SQUARES)}; got {', '.join(strangers)}."
    if len(squares) != len(found):
        return "There are two pieces: a knight and a rook."
    return "There are two branches. Which of them agrees with an empty a5?"


def erased_for_good(game: Game[Any, Any]) -> str | None:
    """4.2: the rook passed the knight, and still the knight's halves merge on b1."""
    if game.rules.notated(game.positions[0]) != START:
        return f"The game must begin at START, {START}; it begins at {game.rules.notated(game.positions[0])}."
    if any(played.measured for played in game.history):
        return "A move asked something, and an answer would end the superposition."
    if all(most < 2 for position in game.positions for most, _ in _pieces(position.registers)):
        return "Rook and knight were never entangled: the rook must pass the knight while the knight is in two places."
    if game.history[-1].text.find("^") != 4:
        return f"The last move must be a merge, such as a3d2^b1; it is {game.history[-1].text}."
    if near(game["b1"].get("N", 0), 1):
        return None
    return (
        f"The knight is on b1 with probability {game['b1'].get('N', 0):g}. "
        "The rook's way there and back left a factor of -1; what takes it away?"
    )


def three_who_know(game: Game[Any, Any]) -> str | None:
    """4.3: three pieces, two branches."""
    held = _pieces(game.position.registers)
    if any(pieces >= 3 and branches == 2 for pieces, branches in held):
        return None
    if not held:
        return "Every square is certain: nothing is in two places."
    pieces, branches = held[0]
    return (
        f"The register with most pieces holds {pieces}, in {branches} branches. "
        "You need one piece in two places and two others whose paths it may block."
    )


EXERCISES = (
    Exercise(
        names("the squares that are full, such as 'a1 a5'"), full_squares,
        "A rook that did not reach a5 was blocked, and the knight alone could block it.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess after your moves"), erased_for_good,
        "Two factors of -1 cancel: no record is left, so the halves add up on b1.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess after your moves"), three_who_know,
        "Three pieces in two branches: finding one piece finds all three.",
    ),
)  # fmt: skip

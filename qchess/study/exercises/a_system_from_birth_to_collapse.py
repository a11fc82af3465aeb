"""Notebook 6: systems of pieces of uncertain type."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

from qchess.circuits.operations import h
from qchess.circuits.registers import Registers
from qchess.playing.game import Game, new
from qchess.study.exercises.checking import Exercise, game_of, near, whole

#: the moves that make the first system of the notebook, and its two members
BIRTH, PAIR = ("c2-c3", "b8-c6"), ("bNb", "bQd")
#: half-moves within which a system of both colours can arise
FEW = 3


@cache
def _turned() -> Registers:
    """Return the first system after an H on its queen."""
    game = new("piece-qubit-chess")
    for move in BIRTH:
        game.play(move)
    registers: Registers = game.position.registers
    return registers.apply(h(PAIR[1]))


def left_by_an_h(combined: int) -> str | None:
    """6.1: how many combinations of the two types remain after an H."""
    if combined == len(_turned().distribution(*PAIR)):
        return None
    return "For each type of the knight, H makes the sum and the difference of two amplitudes. Which of them are 0?"


def early_wedding(game: Game[Any, Any]) -> str | None:
    """6.2: a system of both colours after a few half-moves."""
    if "position" in game.rules.options():
        return "It does not begin from the usual start."
    if len(game.history) > FEW:
        return f"It has {len(game.history)} half-moves; {FEW} are enough."
    systems = [sorted(system) for system in game.position.systems]
    if any(len({piece[0] for piece in system}) == 2 for system in systems):
        return None
    told = "; ".join(", ".join(system) for system in systems) or "none"
    return f"No system has pieces of both colours. Its systems: {told}."


def alike(game: Game[Any, Any]) -> str | None:
    """6.3: two mixed pieces of different colours that are certainly both of the first type, or both of the second."""
    registers, best = game.position.registers, 0.0
    for register in registers.each:
        for one, other in combinations(register.qubits, 2):
            if one[0] != other[0]:
                odds = registers.distribution(one, other)
                best = max(best, odds.get(0b00, 0) + odds.get(0b11, 0))
    if near(best, 1):
        return None
    if not best:
        return "No two pieces of different colours are in one system."
    return f"Of the pairs of different colours, the likeliest to be found alike is so with probability {best:.3f}."


EXERCISES = (
    Exercise(
        whole("the number of combinations, a whole number"), left_by_an_h,
        "H turns |+⟩ of the queen into one value and |-⟩ into the other, so a read-out now shows what CZ entangled.",
    ),
    Exercise(
        game_of("piece-qubit-chess", "a game of piece-qubit chess after your moves"), early_wedding,
        "A piece that meets one member of a system is entangled with all of it.",
    ),
    Exercise(
        game_of("piece-qubit-chess", "a game of piece-qubit chess after your moves"), alike,
        "Each piece alone is a coin toss, and both follow the same coin.",
    ),
)  # fmt: skip

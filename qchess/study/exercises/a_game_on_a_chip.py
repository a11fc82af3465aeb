"""Notebook 9: what the shots of a noisy device show, and which of them are valid."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from qchess import backends
from qchess.circuits.registers import Registers
from qchess.playing.game import Game, new
from qchess.study.exercises.checking import Exercise, function, game_of, near, number
from qchess.study.exercises.compiling import MOVES

#: the opening moves of the notebook's games
START = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
SQUARES = tuple(f"q{k}" for k in range(6))
#: what is read on six squares, q0 first, and which outcomes have two pieces
STRINGS = tuple("".join(bits) for bits in product("01", repeat=len(SQUARES)))
TWO_PIECES = frozenset(read for read in STRINGS if read.count("1") == 2)
#: the fidelity of exercise 9.1
FIDELITY = 0.8
#: the misreading rate in 9.3, and the least number of two-qubit gates in 9.2
FLIPS = 0.05
GATES = 5


def random_among_kept(share: float) -> str | None:
    """9.1: how much of what is kept is noise."""
    by_chance = (1 - FIDELITY) * len(TWO_PIECES) / len(STRINGS)
    if near(share, by_chance / (FIDELITY + by_chance), within=1e-3):
        return None
    return "What share of all shots is right, and what share is random but kept? Divide the first by their sum."


def wide_question(game: Game[Any, Any]) -> str | None:
    """9.2: a question that is expensive to ask."""
    if (begins := game.rules.notated(game.positions[0])) != START:
        return f"The game must begin at START, {START}; it begins at {begins}."
    *before, last = [played.text for played in game.history] or [""]
    if not last:
        return "No move was played."
    asking = new(game.rules.name, backend="sparse-shots", seed=0, **dict(game.rules.options()))
    for move in before:
        asking.play(move)
    foreseen = asking.preview(last)
    if foreseen.question is None:
        return f"The last move, {last}, measures nothing."
    gates = foreseen.details["two_qubit_gates"]
    if gates >= GATES:
        return None
    return f"Its circuit has {gates} two-qubit gates. It grows with the number of squares on which the knight may be."


def better_rule(believe: Callable[[str], object]) -> str | None:
    """9.3: which shots can be valid?"""
    odds = _exact()
    if lost := [read for read, p in odds.items() if p and not believe(read)]:
        return f"It drops {lost[0]}, which comes with probability {odds[lost[0]]:g} even without noise."
    seen = {read: sum(p * _turned(true, read) for true, p in odds.items()) for read in STRINGS}
    kept = _agreement(odds, {read: p for read, p in seen.items() if believe(read)})
    two = _agreement(odds, {read: p for read, p in seen.items() if read in TWO_PIECES})
    if kept > two + 1e-9:
        return None
    return (
        f"Where each bit is read wrongly one time in twenty, the kept shots agree to {kept:.4f} with the exact odds; "
        f"two pieces in all give {two:.4f}. Which strings with two pieces can never come?"
    )


def _exact() -> dict[str, float]:
    """Return the exact probability of each string."""
    world = Registers(backends.engine(), full=["q0", "q3"]).run(MOVES).registers
    odds = world.distribution(*SQUARES)
    return {read: odds.get(int(read[::-1], 2), 0.0) for read in STRINGS}


def _turned(true: str, read: str) -> float:
    """Return the probability that one string is read as another."""
    wrong = sum(a != b for a, b in zip(true, read, strict=True))
    return float(FLIPS**wrong * (1 - FLIPS) ** (len(true) - wrong))


def _agreement(odds: Mapping[str, float], seen: Mapping[str, float]) -> float:
    """Return the Hellinger fidelity of the exact odds and shares that do not sum to 1."""
    return sum(math.sqrt(odds[read] * p) for read, p in seen.items()) ** 2 / sum(seen.values())


EXERCISES = (
    Exercise(
        number("the share, a number from 0 to 1", 0, 1), random_among_kept,
        "Post-selection drops most of the noise, but not all: strings with two pieces by chance are kept.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess after your moves"), wide_question,
        "The circuit makes all squares entangled with the measured one, and each of them costs gates.",
    ),
    Exercise(
        function("a function of a string of bits, such as '010010', that returns whether to keep it"), better_rule,
        "A conservation law that holds for each piece finds more errors than one for all of them together.",
    ),
)  # fmt: skip

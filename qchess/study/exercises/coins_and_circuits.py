"""Notebook 7: a group of pairs as a coin and as a circuit."""

from __future__ import annotations

from functools import cache
from typing import Any

from qchess.circuits.predicates import full
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.playing.game import Game, new
from qchess.study.exercises.checking import Exercise, game_of, near, number, program

#: the opening of the notebook's games, a move that makes a group, and one that makes a lone pair of White's rook
START = "k6r/8/3n4/4q3/5B2/8/1q6/4R1K1 w - - 0 1 e5ob2p"
JOIN = "f4^f4oh6p&e5"
ALONE = "e1^e1oe2p"
#: the attack by the rook's half on the queen's
ATTACK = "e2b2"
#: smaller differences do not count
CLEAR = 0.1


def _after(move: str) -> Registers:
    game = new("niels-chess", nfen=START)
    game.play(move)
    registers: Registers = game.position.registers
    return registers


def _both(registers: Registers) -> float:
    """Return the probability that both are on their squares in a capture of b2 from e2."""
    return registers.probability(full("e2") & full("b2"))


def two_coins(chance: float) -> str | None:
    """7.1: how likely does the capture succeed if the pairs are not a group?"""
    if near(chance, _both(_after(ALONE)), within=1e-3):
        return None
    return "Rook and queen each have a coin, and both coins must land on the right side."


def in_vain(game: Game[Any, Any]) -> str | None:
    """7.2: the rook's half on e2 attacks the queen's half on b2, but both are never there together."""
    registers = game.position.registers
    if ATTACK not in game.moves():
        return f"The attack {ATTACK} is not a legal move now. Is it White's turn, and what stands on e2 and b2?"
    if registers.known("b2") is not None or "e2" not in registers.register_of("b2"):
        return "The pieces on e2 and b2 are not halves of one group."
    chance = _both(registers)
    return None if near(chance, 0) else f"Both are there with probability {chance:.4f}. Which halves go together?"


@cache
def _group() -> tuple[Registers, tuple[tuple[float, Registers], ...]]:
    """Return a group of two pairs, and the results of a roll, each with its probability."""
    group = _after(JOIN)
    better = group.probability("e5")
    return group, ((better, group.project(full("e5"), 1)), (1 - better, group.project(full("e5"), 0)))


def tells_a_coin(tell: Program) -> str | None:
    """7.3: a program after which a group and a rolled group have different odds."""
    if tell.answers:
        return "It measures something, and an answer turns every group into a coin."
    group, rolled = _group()
    whole = group.run(tell).registers
    cases = [(share, case.run(tell).registers) for share, case in rolled]
    squares = dict.fromkeys([*group.home, *tell.qubits])
    differ = {
        square: abs(whole.probability(square) - sum(share * case.probability(square) for share, case in cases))
        for square in squares
    }
    most = max(differ, key=lambda square: differ[square])
    if differ[most] > CLEAR:
        return None
    return (
        f"After it no square's odds differ by more than {differ[most]:.3f}. "
        "The entanglement of the two pieces prevents interference."
    )


EXERCISES = (
    Exercise(
        number("a probability, 0 to 1", 0, 1), two_coins,
        "Two coins are independent, so their chances are multiplied: 1/3 · 1/3.",
    ),
    Exercise(
        game_of("niels-chess", "a game of Niel's Chess after your moves"), in_vain,
        "The two halves belong to different sides of the coin, so they are never on the board together.",
    ),
    Exercise(
        program("a program on e5, b2, f4 and h6"), tells_a_coin,
        "A coin has no phase between its sides; only a superposition interferes.",
    ),
)  # fmt: skip

"""Notebook 1: a move is a small program of gates."""

from __future__ import annotations

from qchess import backends
from qchess.circuits.patterns import jump, merge
from qchess.circuits.predicates import where
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.study.exercises.checking import Exercise, near, program, whole
from qchess.study.sameness import overlap
from qchess.wording import percent

#: the most jumps that are tried, and the most branches of a program
MOST_JUMPS, MOST = 400, 4096


def _board() -> Registers:
    return Registers(backends.engine("sparse"), full=["b1"])


def _only_on(board: Registers, squares: tuple[str, ...]) -> dict[str, float]:
    """Return for each square the probability that only it is full."""
    every = {*squares, *board.uncertain, *board.full}
    return {square: board.probability(where({q: int(q == square) for q in every})) for square in squares}


def _listed(odds: dict[str, float]) -> str:
    return ", ".join(f"{square} {percent(p, 1)}" for square, p in odds.items())


def jumps_to_the_same(number: int) -> str | None:
    """1.1: after how many jumps is the state the same again?"""
    if number > MOST_JUMPS:
        return f"Fewer will do: try at most {MOST_JUMPS}."
    board = start = _board()
    for k in range(number):
        board = board.run(jump("a3", "b1") if k % 2 else jump("b1", "a3")).registers
    same = overlap(start, board)
    if near(abs(same), 0):
        return "Then the piece is not even on its square."
    if near(abs(same - 1), 0):
        return None
    return f"The piece is home, but its amplitude is {same.real:g}. What does each jump multiply it by?"


def thirds(move: Program) -> str | None:
    """1.2: a split in three."""
    if move.answers:
        return "It measures something, and a split measures nothing."
    odds = _only_on(_board().run(move, most=MOST).registers, ("a3", "c3", "d2"))
    if all(near(p, 1 / 3) for p in odds.values()):
        return None
    return f"Where is the piece alone? {_listed(odds)}. Gate by gate: what part of what is still on b1 has to move?"


def twin(move: Program) -> str | None:
    """1.3: the odds of a split, but nothing returns home."""
    if move.answers:
        return "It measures something, and a split measures nothing."
    if len(move) > 2:
        return f"It has {len(move)} gates, and two are enough."
    board = _board().run(move, most=MOST).registers
    odds = _only_on(board, ("a3", "c3"))
    if not all(near(p, 0.5) for p in odds.values()):
        return f"The odds are not those of the split: {_listed(odds)}."
    home = board.run(merge("a3", "c3", "b1")).registers.probability("b1")
    if near(home, 0):
        return None
    which = "Which factor between the amplitudes of a3 and c3 would make them cancel?"
    return f"The merge brings {percent(home, 1)} home. {which}"


EXERCISES = (
    Exercise(
        whole("the number of jumps, a whole number from 1 on", low=1), jumps_to_the_same,
        "Each jump is a factor of i, and i·i·i·i = 1; after two jumps the piece is home with the sign turned.",
    ),
    Exercise(
        program("a program on b1, a3, c3 and d2"), thirds,
        "A third moves first, then half of the two thirds that are left, then all of the last third.",
    ),
    Exercise(
        program("a program of two gates on b1, a3 and c3"), twin,
        "This state and the split's have the same probabilities. The sign between its halves "
        "differs, so they cancel on b1.",
    ),
)  # fmt: skip

"""Exact chances: every way a program can be answered, with its probability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qchess.circuits.engine import Ask, Draw
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers, Run


class Chance(NamedTuple):
    """One way a program can end: the answers by name, how likely they are, and the run itself."""

    answers: dict[str, int]
    probability: float
    run: Run


class _Path:
    """A source that repeats given answers, then takes the likeliest one and notes what else was open."""

    def __init__(self, prefix: tuple[int, ...]) -> None:
        self.given = list(prefix)
        self.prefix = prefix
        self.open: list[tuple[int, ...]] = []

    def draw(self, ask: Ask) -> Draw:
        """The next given answer, or the likeliest."""
        so_far = self.prefix
        if self.given:
            return Draw(self.given.pop(0), "explored")
        value = max(ask.odds, key=lambda answer: (ask.odds[answer], answer))
        self.open.extend((*so_far, other) for other in ask.odds if other != value)
        self.prefix = (*so_far, value)
        return Draw(value, "explored")


def explore(registers: Registers, program: Program) -> Iterator[Chance]:
    """Every chance of the program, each once; their probabilities sum to 1."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        path = _Path(waiting.pop())
        run = registers.run(program, path)
        waiting.extend(path.open)
        probability = 1.0
        for answer in run.answers:
            probability *= answer.probability
        yield Chance({answer.name: answer.value for answer in run.answers}, probability, run)


def chances(registers: Registers, program: Program) -> dict[tuple[tuple[str, int], ...], float]:
    """The exact distribution over the answers of a program, in ascending order of the answers."""
    found = {tuple(chance.answers.items()): chance.probability for chance in explore(registers, program)}
    return dict(sorted(found.items()))

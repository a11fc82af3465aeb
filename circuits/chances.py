"""Exact chances: every way a program can be answered, with its probability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qchess.circuits.engine import Draw
from qchess.circuits.program import Program
from qchess.circuits.registers import Pause, Registers, Run

#: answers by name, as a key
Answers = tuple[tuple[str, int], ...]


class Chance(NamedTuple):
    """One way a program can end: the answers by name, how likely they are, and the run itself."""

    answers: dict[str, int]
    probability: float
    run: Run


def explore(registers: Registers, program: Program, most: int | None = None) -> Iterator[Chance]:
    """Every chance of the program, each once; their probabilities sum to 1. No step is run twice.

    Read-outs come in ascending order, and yes comes before no.
    """
    waiting = [(registers.start(program, most), 1.0)]
    while waiting:
        at, probability = waiting.pop()
        if isinstance(at, Pause):
            ways = reversed(tuple(at.odds.items()))
            waiting.extend((at.resume(Draw(value, "explored")), probability * p) for value, p in ways)
        else:
            yield Chance({answer.name: answer.value for answer in at.answers}, probability, at)


def chances(registers: Registers, program: Program) -> dict[Answers, float]:
    """The exact distribution over the answers of a program, in ascending order of the answers.

    What follows the last question changes no odds, and is not run.
    """
    found: dict[Answers, float] = {}
    waiting = [(registers.start(program.until_answered()), 1.0)]
    while waiting:
        at, probability = waiting.pop()
        given = tuple([(answer.name, answer.value) for answer in at.answers])
        if not isinstance(at, Pause):
            found[given] = probability
        elif at.rest:
            waiting.extend((at.resume(Draw(value, "explored")), probability * p) for value, p in at.odds.items())
        else:
            found.update({(*given, (at.step.name, value)): probability * p for value, p in at.odds.items()})
    return dict(sorted(found.items()))

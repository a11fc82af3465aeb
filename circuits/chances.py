"""Compute every possible outcome of a program with its exact probability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qchess.circuits.engine import Sample
from qchess.circuits.program import Program
from qchess.circuits.registers import Pause, Registers, Run

#: answers by name, as a key
Answers = tuple[tuple[str, int], ...]


class Chance(NamedTuple):
    """One possible outcome of a program: its answers by name, its probability, and the run itself."""

    answers: dict[str, int]
    probability: float
    run: Run


def explore(registers: Registers, program: Program, most: int | None = None) -> Iterator[Chance]:
    """Yield every outcome of the program once; the probabilities sum to 1. No step runs twice.

    Read-outs come in ascending order, and yes comes before no.
    """
    waiting = [(registers.start(program, most), 1.0)]
    while waiting:
        at, probability = waiting.pop()
        if isinstance(at, Pause):
            ways = reversed(tuple(at.odds.items()))
            waiting.extend((at.resume(Sample(value, "explored")), probability * p) for value, p in ways)
        else:
            yield Chance({answer.name: answer.value for answer in at.answers}, probability, at)


def chances(registers: Registers, program: Program) -> dict[Answers, float]:
    """Return the exact distribution over the answers of a program, in ascending order of the answers.

    Steps after the last question do not change it and are not run.
    """
    found: dict[Answers, float] = {}
    waiting = [(registers.start(program.until_answered()), 1.0)]
    while waiting:
        at, probability = waiting.pop()
        given = tuple([(answer.name, answer.value) for answer in at.answers])
        if not isinstance(at, Pause):
            found[given] = probability
        elif at.rest:
            waiting.extend((at.resume(Sample(value, "explored")), probability * p) for value, p in at.odds.items())
        else:
            found.update({(*given, (at.step.name, value)): probability * p for value, p in at.odds.items()})
    return dict(sorted(found.items()))

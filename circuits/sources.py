"""Sources of answers without a vendor: seeded dice, and given answers.

A source is an argument of a run; no state owns a generator. It is asked only open questions.
"""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from qchess.circuits.engine import Answer, AnswerSource, Sample
from qchess.circuits.errors import BackendError, ImpossibleOutcomeError
from qchess.circuits.program import Question
from qchess.circuits.running import Pause

#: the names of what answers without drawing: an answer that is given with its move, or that is the only one
GIVEN, NOT_DRAWN = ("forced", "record"), ("forced", "record", "certain")
#: how a seed begins that was drawn, and not chosen
DRAWN = "drawn-"


def drawn_seed() -> str:
    """Return a new seed that nobody can guess; the answers of its dice do not tell it."""
    return DRAWN + secrets.token_hex(16)


def mixed(seed: int | str, nonces: Mapping[str, str]) -> int | str:
    """Return the seed of the dice: the game's own, with what the players added."""
    return f"{seed} {json.dumps(dict(sorted(nonces.items())))}" if nonces else seed


def chosen(pause: Pause, u: float) -> int:
    """Return the answer that a number in [0, 1) selects: yes if u < P(yes); read-outs in ascending order."""
    values = sorted(pause.odds, reverse=isinstance(pause.step, Question))
    for value in values[:-1]:
        u -= pause.odds[value]
        if u < 0:
            return value
    return values[-1]


class Refused(AnswerSource):
    """Draws nothing: a game's file asks for something outside, and its reader did not allow it."""

    name = "refused"

    def __init__(self, why: str, text: str | None = None) -> None:
        self.why = why
        #: the name of the refused source, which a record keeps
        self.text = text

    def draw(self, pause: Pause) -> Sample:
        """Raise the reason."""
        raise BackendError(self.why)


class Throw(NamedTuple):
    """A number thrown for one question before its odds are known, or the one that stands for a given answer."""

    number: float
    source: str
    details: Mapping[str, Any] = {}
    #: the given answer; None: the number selects one
    given: int | None = None

    @classmethod
    def of(cls, drawn: Sample) -> Throw:
        """Return a given answer, with the number that selects it if the question is open: yes for 1, else no."""
        return cls(0.0 if drawn.value else 1.0, drawn.source, drawn.details, drawn.value)

    def draw(self, pause: Pause) -> Sample:
        """Return the answer."""
        value = chosen(pause, self.number) if self.given is None else self.given
        return Sample(value, self.source, self.details)


class Seeded(AnswerSource):
    """Pseudo-random answers from a seed or a given generator.

    >>> from qchess import backends
    >>> from qchess.circuits import Program, Registers, ask, h, where
    >>> coin = Registers(backends.engine()).start(Program(h('q'), ask('one', where({'q': 1}))))
    >>> dice = Seeded(7)
    >>> [dice.at('after the third move').draw(coin).value for _ in range(3)]  # the same point, the same answer
    [1, 1, 1]
    """

    def __init__(self, seed: int | str | random.Random | None = None) -> None:
        self.rng = seed if isinstance(seed, random.Random) else random.Random(seed)
        self._root = None if seed is None or isinstance(seed, random.Random) else f"seed {seed}"
        self.name = "random" if self._root is None or str(seed).startswith(DRAWN) else self._root

    def throw(self, question: str = "", answers: Sequence[Answer] = ()) -> Throw:
        """Return the number that selects the next answer, whatever the question's name and the answers so far."""
        return Throw(self.rng.random(), self.name)

    def draw(self, pause: Pause) -> Sample:
        """Return one answer, drawn with the exact odds."""
        return self.throw().draw(pause)

    def at(self, line: str) -> Seeded:
        """Return the same dice at a named point of a game: their answers there depend on nothing else."""
        if self._root is None:
            self._root = f"{self.rng.getrandbits(128):032x}"
        there = Seeded(random.Random(f"{self._root} {line}"))
        there.name = self.name
        return there


class FixedAnswers(AnswerSource):
    """Given answers, by name or in the order of the questions: a record, or a choice for study.

    Answers may have a source and details. An answer without a question is an error, and so is an answer of
    probability 0. An open question without an answer is an error too; `hint` then says what to do.
    """

    def __init__(
        self, answers: Mapping[str, int] | Iterable[int | Answer] = (), name: str = "forced", *, hint: str = ""
    ) -> None:
        self.named = _named(answers)
        self.listed: tuple[int, ...] = () if self.named else tuple(answers)  # type: ignore[arg-type]
        self.name = name
        self.hint = f": {hint}" if hint else ""

    def draw(self, pause: Pause) -> Sample:
        """Return the given answer to the question."""
        name, place = pause.step.name, len(pause.answers)
        if name in self.named:
            told = self.named[name]
            return Sample(told.value, told.source or self.name, told.details)
        if place < len(self.listed):
            return Sample(self.listed[place], self.name)
        raise BackendError(
            f"the question {name!r} is open (odds {dict(pause.odds)}) and no answer was given{self.hint}"
        )

    def confirm(self, answers: tuple[Answer, ...]) -> None:
        """Raise unless every given answer was asked for, and every certain one was correct."""
        given = {answer.name: answer.value for answer in answers}
        for told in self.named.values():
            if told.name not in given:
                raise BackendError(
                    f"an answer was given to {told.name!r}, which was not asked; the questions were {list(given)}"
                )
            _require_same(told.name, told.value, given[told.name])
        if len(self.listed) > len(answers):
            raise BackendError(f"{len(self.listed)} answers were given, and {len(answers)} were asked: {list(given)}")
        for answer, value in zip(answers, self.listed, strict=False):
            _require_same(answer.name, value, answer.value)


#: its older name
Forced = FixedAnswers


def _named(answers: Mapping[str, int] | Iterable[int | Answer]) -> dict[str, Answer]:
    if isinstance(answers, Mapping):
        return {name: Answer(name, value, 1.0, "") for name, value in answers.items()}
    listed = tuple(answers)
    return {told.name: told for told in listed if isinstance(told, Answer)}


def _require_same(name: str, told: int, given: int) -> None:
    if told != given:
        raise ImpossibleOutcomeError(f"the answer {told} to {name!r} has probability 0; the certain answer is {given}")

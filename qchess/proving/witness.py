"""Checks what a record says of its answers: `verify` plays the game again and works out whatever can be worked out.

Odds always can. An answer of dice can, since it follows from the seed and from its place in the game alone; an answer
of a device, a pool or a person is told, and nobody can work it out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from qchess import backends
from qchess.circuits.engine import Answer, AnswerSource, Sample
from qchess.circuits.errors import BackendError
from qchess.circuits.running import Pause
from qchess.circuits.sources import DRAWN, GIVEN, Seeded, mixed
from qchess.errors import QchessError
from qchess.playing.dice import seal
from qchess.playing.game import Game
from qchess.playing.record import Entry, Record
from qchess.rules import Rules

#: recorded odds may differ from exact ones by the last places of a number as text
CLOSE = 1e-9


class Finding(StrEnum):
    """What can be said of an answer."""

    CERTAIN = "certain"
    PROVED = "proved"
    TOLD = "told"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Checked:
    """One answer of a record, and what was found out about it."""

    turn: int
    move: str
    answer: Answer
    finding: Finding
    why: str = ""
    #: the exact odds of every answer to the question; empty if none was worked out
    odds: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found out about a record."""

    answers: tuple[Checked, ...]
    #: what is wrong with the record itself, besides its answers
    faults: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[Checked, ...]:
        """Return the answers that contradict the rules or the seed."""
        return tuple(each for each in self.answers if each.finding is Finding.WRONG)

    @property
    def holds(self) -> bool:
        """Tell whether nothing contradicts the record."""
        return not self.wrong and not self.faults

    def fairness(self) -> dict[str, Fairness]:
        """Return for each source of answers that were told how they agree with their odds."""
        told = [each for each in self.answers if each.finding is Finding.TOLD and len(each.odds) > 1]
        sources = dict.fromkeys(each.answer.source for each in told)
        return {name: fairness(each for each in told if each.answer.source == name) for name in sources}


@dataclass(frozen=True, slots=True)
class Fairness:
    """How often the likelier answer came, how often it was to be expected, and how likely so odd a number is."""

    questions: int
    likelier: int
    expected: float
    p_value: float


def fairness(answers: Iterable[Checked]) -> Fairness:
    """Return how answers agree with their odds: the exact chance of a number of likelier ones that is no likelier."""
    chances, came = [], 0
    for each in answers:
        likelier = max(each.odds, key=lambda value: each.odds[value])
        chances.append(each.odds[likelier])
        came += each.answer.value == likelier
    numbers = [1.0]  # the chance of each number of likelier answers
    for p in chances:
        numbers = [a * (1 - p) + b * p for a, b in zip([*numbers, 0.0], [0.0, *numbers], strict=True)]
    p_value = math.fsum(p for p in numbers if p <= numbers[came] * (1 + CLOSE))
    return Fairness(len(chances), came, math.fsum(chances), min(1.0, p_value))


def verify(record: Record, rules: Rules[Any, Any] | None = None) -> Verified:
    """Play a record again, and say of each answer whether it was proved, told, or is wrong."""
    from qchess.games import rules as rules_of

    witness = Witness(record)
    chosen = rules or rules_of(record.game, **record.options)
    game: Game[Any, Any] = Game(chosen, backends.get("sparse"), source=witness)
    faults = list(_of_seed(record))
    for turn, entry in enumerate(record.entries, 1):
        witness.begin(turn, entry)
        try:
            if entry.player != game.player:
                raise QchessError(f"expected a move of {game.player}, got one of {entry.player}")
            game.play(replace(game.turn_of(entry.move), told=None))
        except QchessError as error:
            faults.append(f"turn {turn}, {entry.move!r}: {error}")
            break
        witness.end(game.history[-1].answers)
        if game.history[-1].text != entry.move:
            faults.append(f"turn {turn}: the record says {entry.move!r}, its answers make {game.history[-1].text!r}")
    else:
        if game.result and record.result != game.result:
            faults.append(f"the record says {str(record.result)!r}, its moves end with {str(game.result)!r}")
    return Verified(tuple(witness.found), tuple(faults))


def _of_seed(record: Record) -> Iterator[str]:
    if record.seal and record.seed is not None and seal(record.seed) != record.seal:
        yield "the seed is not the one that was sealed when the game began"


class Witness(AnswerSource):
    """A source that answers as the record does, and notes of each answer whether it could have come so."""

    name = "record"

    def __init__(self, record: Record) -> None:
        self.record = record
        self.found: list[Checked] = []
        self._where = ""
        self._known: dict[str, Checked] = {}
        #: the sources that the record notes, and the turn from which on it does
        self._noted = {name for _, name in record.sources}
        self._since = record.sources[0][0] if record.sources else math.inf

    def begin(self, turn: int, entry: Entry) -> None:
        """Take the answers of one turn."""
        self._turn, self._entry, self._known = turn, entry, {}
        self._told = {answer.name: answer for answer in entry.answers}

    def at(self, line: str) -> Witness:
        """Note at which point of the game the next question is asked."""
        self._where = line
        return self

    def draw(self, pause: Pause) -> Sample:
        """Return the answer that the record gives to a question, and check it."""
        name = pause.step.name
        if name not in self._told:
            raise BackendError(f"the question {name!r} is open, and the record has no answer to it")
        told = self._told[name]
        finding, why = self._checked(told, pause)
        self._known[name] = Checked(self._turn, self._entry.move, told, finding, why, dict(pause.odds))
        return Sample(told.value, told.source, told.details)

    def _checked(self, told: Answer, pause: Pause) -> tuple[Finding, str]:
        exact = pause.odds.get(told.value, 0.0)
        if abs(told.probability - exact) > CLOSE:
            return Finding.WRONG, f"its odds are {exact:.12g}, the record says {told.probability:.12g}"
        if told.source == "certain":
            return Finding.WRONG, "the record calls it certain, and the question was open"
        if self._turn >= self._since and told.source not in {*self._noted, *GIVEN}:
            noted = " and ".join(sorted(self._noted))
            return Finding.WRONG, f"it names {told.source!r}, the record notes {noted}"
        dice = self._dice(told)
        if dice is None:
            return Finding.TOLD, self._teller(told)
        drawn = dice.at(self._where).draw(pause).value
        if drawn != told.value:
            return Finding.WRONG, f"the dice of this seed answer {drawn}, the record says {told.value}"
        return Finding.PROVED, ""

    def _dice(self, told: Answer) -> Seeded | None:
        """Return the dice that an answer names, if their seed is known."""
        if told.details or not _is_dice(told.source) or self._earlier(told):
            return None  # a device may fall back on dice, or throw its shots with them
        if told.source != "random":
            return Seeded(told.source.removeprefix("seed "))
        seed = self.record.seed
        known = isinstance(seed, str) and seed.startswith(DRAWN)
        return Seeded(mixed(seed, self.record.nonces)) if known and seed is not None else None

    def _earlier(self, told: Answer) -> str:
        """Return which earlier dice an answer of dice comes from: nobody can work it out from this record's seed."""
        if self._turn < self.record.placed_from:
            return "dice of the first format"
        return "the game it was forked from" if told.source == "random" and self._turn < self.record.dice_from else ""

    def _teller(self, told: Answer) -> str:
        """Return who told an answer that nobody can work out."""
        if told.source in GIVEN:
            return "with the move"
        job = told.details.get("job")
        earlier = "" if told.details or not _is_dice(told.source) else self._earlier(told)
        return f"by {earlier or told.source}" + (f", job {job}" if isinstance(job, str) else "")

    def end(self, answers: Iterable[Answer]) -> None:
        """Note the answers of the turn in their order; what was asked and certain had no choice."""
        given = dict(self._told)
        for answer in answers:
            told = given.pop(answer.name, None)
            if answer.name in self._known:
                self.found.append(self._known[answer.name])
            elif told is not None:
                fits = told.value == answer.value and abs(told.probability - answer.probability) <= CLOSE
                why = "" if fits else f"it was certain to be {answer.value}"
                finding = Finding.CERTAIN if fits else Finding.WRONG
                self.found.append(Checked(self._turn, self._entry.move, told, finding, why))
        for told in given.values():
            why = "nothing of this name was asked"
            self.found.append(Checked(self._turn, self._entry.move, told, Finding.WRONG, why))


def _is_dice(name: str) -> bool:
    """Tell whether a source is dice, by its name."""
    return name == "random" or name.startswith("seed ")

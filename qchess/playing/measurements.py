"""What a file of measurements holds: the open questions of a recorded game, and what devices answered.

The file is a journal: each question is answered once on each device; failed ones are asked again on the next run. The
name of a job is recorded before it is submitted, so that a later process finds the job again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from qchess import reading
from qchess.circuits.engine import Answer, Sample
from qchess.circuits.running import Pause
from qchess.circuits.sources import FixedAnswers
from qchess.errors import InvalidMoveError
from qchess.playing.game import Game
from qchess.playing.journal import Journal
from qchess.playing.record import Entry, Record, answer_values, entry_of, plain
from qchess.playing.replaying import NOTHING_DRAWN

#: a question on a device: the device's name, and the point of the game
Key = tuple[str, str]
#: the longest name that is read
LONGEST = 10_000
#: how the first line of a journal names its format, the present one last
FORMATS = ("qchess measure 1", "qchess measure 2")


class Question(NamedTuple):
    """An open question of a recorded game, and the moment at which it was asked."""

    ply: int
    player: str
    move: str
    #: the point of the game, its key in the journal
    where: str
    pause: Pause


class Failure(NamedTuple):
    """A question without an answer: why, and its record, such as the shots that ran."""

    why: str
    details: Mapping[str, Any]


class Asked(NamedTuple):
    """The result of a question on one device: the turn with its answer, if any, and each failed try."""

    turn: Entry | None
    failures: tuple[Failure, ...] = ()


@dataclass
class Measured:
    """One device's results for the questions."""

    device: str
    asked: list[Asked] = field(default_factory=list)

    @property
    def answered(self) -> list[Entry]:
        """Return the turns with their answers."""
        return [one.turn for one in self.asked if one.turn is not None]

    @property
    def failed(self) -> list[Failure]:
        """Return the last failure of each question without an answer."""
        return [one.failures[-1] for one in self.asked if one.turn is None]


def questions(record: Record) -> Iterator[Question]:
    """Yield the open questions of a record, each with its exact state."""
    from qchess.games import rules

    game: Game[Any, Any] = Game(rules(record.game, **record.options), source=NOTHING_DRAWN)
    for ply, entry in enumerate(record.entries, 1):
        turn = game.rules.read_turn(game.position, entry.move)
        text = game.rules.write(game.position, turn)
        told, at = FixedAnswers(entry.answers), game.rules.begin(game.position, turn)
        while isinstance(at, Pause):
            yield Question(ply, entry.player, text, game.point(text, at), at)
            at = at.resume(told.draw(at))
        game.play(turn, outcome=entry.answers)


def some_questions(record: Record) -> list[Question]:
    """Return the open questions of a record; raises if there is none."""
    if found := list(questions(record)):
        return found
    raise InvalidMoveError("no measurement was needed: every answer was certain")


class Measurements:
    """What is known of each question on each device, as an open journal has it."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.lines = journal, list(journal.lines)
        head = reading.json_object(journal.head, "the first line")
        #: what all answers follow from
        self.seed = reading.integer(head.get("seed"), "'seed'", 0, 2**63)
        self.names: dict[Key, str] = {}
        self.tickets: dict[Key, Mapping[str, Any]] = {}
        self.done: dict[Key, Entry] = {}
        self.failures: dict[Key, list[Failure]] = {}
        deque(reading.each_line(journal.path, journal.lines, self._read), 0)

    def _read(self, line: str) -> None:
        self._take(reading.json_object(line, "a line of measurements"))

    def _take(self, data: Mapping[str, Any]) -> None:
        device, where = (reading.text(data.get(part), f"{part!r}", LONGEST) for part in ("device", "where"))
        key = device, where
        if "name" in data:
            self.names[key] = reading.text(data["name"], "the name of a job", LONGEST)
        elif "ticket" in data:
            self.tickets[key] = reading.mapping(data["ticket"], "a ticket")
        elif failure := _failure_of(data):
            self.failures.setdefault(key, []).append(failure)
            if data.get("lost") is True:
                self.tickets.pop(key, None)
        else:
            self.done[key] = entry_of(data.get("turn"))

    def _note(self, key: Key, **told: Any) -> None:
        data = {"device": key[0], "where": key[1], **told}
        self.lines.append(json.dumps(data))
        self.journal.add(self.lines[-1])
        self._take(data)

    def name(self, key: Key) -> str:
        """Return the name under which the job of a question is submitted, once it is on the disk."""
        if key not in self.names:
            self._note(key, name=secrets.token_hex(8))
        return self.names[key]

    def submitted(self, key: Key, ticket: Mapping[str, Any]) -> None:
        """Note the ticket of a job."""
        self._note(key, ticket=plain(ticket))

    def answered(self, key: Key, question: Question, drawn: Sample) -> None:
        """Note an answer."""
        self._note(key, turn=_turn(question, drawn))

    def failed(self, key: Key, failure: Failure, lost: bool) -> None:
        """Note why there is no answer; a job that is lost is sent again."""
        self._note(key, failed=failure._asdict(), lost=lost)

    def of(self, device: str, found: Sequence[Question]) -> Measured:
        """Return a device's results for the questions."""
        keys = [(device, question.where) for question in found]
        return Measured(device, [Asked(self.done.get(key), tuple(self.failures.get(key, ()))) for key in keys])

    def finish(self, found: Sequence[Question]) -> None:
        """Put the lines in the order of devices and questions, which does not depend on who was asked first."""
        places = {question.where: place for place, question in enumerate(found)}

        def place(line: str) -> tuple[str, int]:
            data = json.loads(line)
            return data["device"], places.get(data["where"], -1)

        self.journal.finish(sorted(self.lines, key=place))


@contextmanager
def file_at(path: Path, record: Record, seed: int | None) -> Iterator[Measurements]:
    """Open the file of a game's measurements, or begin it; the seed of a new one is drawn if none is given."""
    game = _digest(record)
    head = {"format": FORMATS[-1], "game": game, "seed": secrets.randbits(63) if seed is None else seed}
    with Journal(path, json.dumps(head), lambda line: _check_same(path, line, game, seed)) as journal:
        yield Measurements(journal)


def measured_before(record: Record, path: Path, seed: int | None = None) -> Measurements | None:
    """Return what the file at `path` has, if there is one."""
    if not path.exists() or b"\n" not in path.read_bytes():
        return None
    with file_at(path, record, seed) as known:
        return known


def _digest(record: Record) -> str:
    """Return what distinguishes the questions of this game from those of another."""
    return hashlib.sha256(json.dumps([record.game, plain(record.options), record.moves()]).encode()).hexdigest()


def _check_same(path: Path, line: str, game: str, seed: int | None) -> None:
    """Refuse a file of other work."""
    head = reading.json_object(line, f"the first line of {path}")
    if head.get("format") not in FORMATS or head.get("game") != game:
        raise InvalidMoveError(f"{path} does not hold measurements of this game; name another file with --to")
    if seed is not None and head.get("seed") != seed:
        raise InvalidMoveError(
            f"{path} was begun with the seed {head.get('seed')}, not {seed}; name another file with --to"
        )


def _failure_of(data: Mapping[str, Any]) -> Failure | None:
    """Return the failure on a line; in the first format it is in the place of an answer."""
    told = data.get("failed")
    if told is True:
        answers = entry_of(data.get("turn")).answers
        if len(answers) != 1:
            raise InvalidMoveError(f"expected one answer of a failed question, got {len(answers)}")
        answer = answers[0]
        return Failure(str(answer.details.get("fallback", "")), answer.details)
    if not told:
        return None
    failed = reading.mapping(told, "a failure")
    return Failure(str(failed.get("why", "")), reading.mapping(failed.get("details", {}), "the details of a failure"))


def _turn(question: Question, drawn: Sample) -> dict[str, Any]:
    name, odds = question.pause.step.name, question.pause.odds
    answer = Answer(name, drawn.value, min(1.0, odds[drawn.value]), drawn.source, drawn.details)
    return {"player": question.player, "move": question.move, "answers": [answer_values(answer)]}

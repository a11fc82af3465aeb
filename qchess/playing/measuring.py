"""Ask every open question of a recorded game again, on named devices, and keep the results.

A journal records what was done: each question is answered once on each device; failed ones are asked again on the next
run. The name of a job is recorded before it is submitted, so that a later process finds the job again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, ParamSpec, TypeVar

from qchess import backends, reading
from qchess.backends.catalogue import SIMULATED, settings_in, with_settings
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.source import DeviceSource
from qchess.circuits.engine import Answer, Sample
from qchess.circuits.errors import LostJobError
from qchess.circuits.program import Program
from qchess.circuits.running import Pause
from qchess.circuits.sources import FixedAnswers
from qchess.errors import BackendError, InvalidMoveError, QchessError
from qchess.playing.game import FIRST_LOOK, LONGEST_LOOK, Game
from qchess.playing.journal import Journal
from qchess.playing.preview import Preview, in_all, preview_of
from qchess.playing.record import Entry, Record, answer_values, entry_of, plain
from qchess.playing.replaying import NOTHING_DRAWN
from qchess.playing.spread import spread

P = ParamSpec("P")
R = TypeVar("R")
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


@dataclass
class Foretold:
    """What one device would be sent for the remaining questions, and why it would refuse others."""

    device: str
    previews: list[Preview] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def values(self) -> dict[str, Any]:
        """Return the same as JSON values."""
        sent = [{"move": told.move, "question": told.question, "jobs": told.jobs, "kept_expected": told.kept_expected,
                 "details": dict(told.details)} for told in self.previews]  # fmt: skip
        return {"device": self.device, "questions": sent, "refused": self.refused}

    def __str__(self) -> str:
        if not self.previews and not self.refused:
            return f"{self.device}: no questions are left"
        refused = [f"refused {len(self.refused)}, the first one since {self.refused[0]}"] if self.refused else []
        if not self.previews:
            return f"{self.device}: {refused[0]}"
        parts = [in_all(self.previews)]
        for words, told in (
            ("expected fidelity {:.3f}", [told.details.get("expected_fidelity") for told in self.previews]),
            ("kept as expected {:.1%}", [told.kept_expected for told in self.previews]),
        ):
            known = [share for share in told if share is not None]
            parts += [f"{words.format(fmean(known))} on average"] if len(known) == len(told) else []
        parts += [f"before them {name} with {shots} shots a circuit" for name, shots in self.previews[0].trials.items()]
        return f"{self.device}: {'; '.join([', '.join(parts), *refused])}"


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


def measure(
    record: Record, devices: Sequence[Any], path: Path, *, seed: int | None = None,
    workers: int = 1, cluster: str | None = None,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> list[Measured]:  # fmt: skip
    """Ask the questions not yet answered in the journal at `path`, and return each device's results.

    Called again with the same file it continues, and retries failures; devices may be added. `told` is called with the
    numbers of questions done and in total. A device that has answered everything is not opened. Workers, here or on a
    cluster, ask simulated devices, with the same results.
    """
    made, found = opened(record, devices, path, seed), _questions(record)
    game = _digest(record)
    head = {"format": FORMATS[-1], "game": game, "seed": secrets.randbits(63) if seed is None else seed}
    with Journal(path, json.dumps(head), lambda line: _check_same(path, line, game, seed)) as journal:
        begun = reading.json_object(journal.head, "the first line")
        work = _Work(journal, reading.integer(begun.get("seed"), "'seed'", 0, 2**63))
        sent = {_name(one) for one in made if (workers > 1 or cluster is not None) and _can_be_sent(one)}
        work.ask([(one, question) for one in made for question in found], told, sent, workers, cluster)
        journal.finish(work.in_order(found))
        return [_result(_name(one), work, found) for one in made]


def foresee(record: Record, devices: Sequence[Any], path: Path) -> list[Foretold]:
    """Return what `measure` would send now, with the same record, devices and file; sends and writes nothing."""
    made, found = opened(record, devices, path), _questions(record)
    before = _before(record, path, None)
    over = before.done.keys() | before.tickets.keys() if before else set()
    return [
        _foretold(one, [question for question in found if (_name(one), question.where) not in over]) for one in made
    ]  # fmt: skip


def opened(
    record: Record, devices: Sequence[Any], path: Path, seed: int | None = None
) -> list[backends.Backend | str]:  # fmt: skip
    """Return the devices: opened if the journal at `path` lacks answers of theirs, else by name.

    Raises if there is nothing to measure, or a device takes no shots.
    """
    found, before = _questions(record), _before(record, path, seed)
    made: list[backends.Backend | str] = []
    for device in devices:
        name = _written(device)
        answered = before is not None and all((name, question.where) in before.done for question in found)
        made.append(name if answered else backends.of(device))
    names = list(map(_name, made))
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BackendError(f"expected each device once, got {twice} twice")
    for one in made:
        if not isinstance(one, str) and not isinstance(one.source(0), DeviceSource):
            raise BackendError(f"{one.name} takes no shots, so there is nothing to measure; see qchess backends")
    return made


def _written(device: Any) -> str:
    """Return the name of a device as in a journal, without opening it; empty if it is not such a name."""
    if not isinstance(device, str):
        return backends.of(device).name
    try:
        return with_settings(device.partition(",")[0], settings_in(device))
    except BackendError:
        return ""


def _name(one: backends.Backend | str) -> str:
    return one if isinstance(one, str) else one.name


def _questions(record: Record) -> list[Question]:
    """Return the questions to ask; raises if there is none."""
    if found := list(questions(record)):
        return found
    raise InvalidMoveError("no measurement was needed: every answer was certain")


def _before(record: Record, path: Path, seed: int | None) -> _Work | None:
    """Return what the journal at `path` has, if there is one."""
    if not path.exists() or b"\n" not in path.read_bytes():
        return None
    with Journal(path, "", lambda line: _check_same(path, line, _digest(record), seed)) as journal:
        return _Work(journal, 0)


def _foretold(backend: backends.Backend | str, found: Sequence[Question]) -> Foretold:
    told = Foretold(_name(backend))
    if isinstance(backend, str):
        return told
    source = backend.source(0)
    for question in found:
        try:
            told.previews.append(preview_of(source, question.pause, question.move, Program(), {}))
        except QchessError as error:
            told.refused.append(" ".join(str(error).split()))
    return told


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


class _Work:
    """What was done, by device and question, and what is done now."""

    def __init__(self, journal: Journal, seed: int) -> None:
        self.journal, self.seed, self.lines = journal, seed, list(journal.lines)
        self.names: dict[tuple[str, str], str] = {}
        self.tickets: dict[tuple[str, str], Mapping[str, Any]] = {}
        self.done: dict[tuple[str, str], Entry] = {}
        self.failures: dict[tuple[str, str], list[Failure]] = {}
        deque(reading.each_line(journal.path, journal.lines, self._read), 0)
        #: what failed since this work began, and is not retried
        self.over: set[tuple[str, str]] = set()

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

    def _note(self, key: tuple[str, str], **told: Any) -> None:
        data = {"device": key[0], "where": key[1], **told}
        self.lines.append(json.dumps(data))
        self.journal.add(self.lines[-1])
        self._take(data)

    def ask(
        self, asked: Sequence[tuple[backends.Backend | str, Question]], told: Callable[[int, int], None],
        sent: Collection[str], workers: int, cluster: str | None,
    ) -> None:  # fmt: skip
        """Ask open questions: submit jobs first, ask the other devices meanwhile, then collect the jobs.

        Those of the devices in `sent` are asked by workers, which open these by name.
        """
        sources = {one.name: _source(one, self.seed) for one, _ in asked if not isinstance(one, str)}
        todo = [(_name(one), question) for one, question in asked if (_name(one), question.where) not in self.done]
        told(self._count(asked), len(asked))
        queued = [
            (name, question, source)
            for name, question in todo
            if isinstance(source := _there(sources[name], question), QueuedSource)
            and self._submit((name, question.where), question, source)
        ]
        here = [job for job in todo if job[0] not in sent and not isinstance(sources[job[0]], QueuedSource)]
        away = [job for job in todo if job[0] in sent]
        for (name, question), drawn in chain(
            ((job, _asked(sources[job[0]], job[1])) for job in here),
            spread(partial(_asked_by_name, self.seed), away, workers=workers, cluster=cluster) if away else (),
        ):
            self._settle((name, question.where), question, drawn)
            told(self._count(asked), len(asked))
        look = FIRST_LOOK
        while queued:
            for item in list(queued):
                name, question, source = item
                key = name, question.where
                self._settle(key, question, _tried(source.collect, question.pause, self.tickets[key]))
                if self._is_over(key):
                    queued.remove(item)
                    told(self._count(asked), len(asked))
            if queued:
                time.sleep(look)
                look = min(LONGEST_LOOK, 2 * look)

    def _count(self, asked: Iterable[tuple[backends.Backend | str, Question]]) -> int:
        return sum(self._is_over((_name(one), question.where)) for one, question in asked)

    def _is_over(self, key: tuple[str, str]) -> bool:
        return key in self.done or key in self.over

    def _submit(self, key: tuple[str, str], question: Question, source: QueuedSource) -> bool:
        """Submit a question after its name is on the disk; returns whether it has a job now."""
        if key in self.tickets:
            return True
        if key not in self.names:
            self._note(key, name=secrets.token_hex(8))
        ticket = _tried(source.named(self.names[key]).submit, question.pause)
        if isinstance(ticket, Refused):
            self._fail(key, ticket)
            return False
        self._note(key, ticket=plain(ticket))
        return True

    def _settle(self, key: tuple[str, str], question: Question, drawn: Sample | Refused | None) -> None:
        """Store an answer, or why there is none; nothing while waiting."""
        if isinstance(drawn, Refused):
            self._fail(key, drawn)
        elif drawn is not None:
            self._note(key, turn=_turn(question, drawn))

    def _fail(self, key: tuple[str, str], refused: Refused) -> None:
        self._note(key, failed={"why": refused.why, "details": refused.details}, lost=refused.lost)
        self.over.add(key)

    def in_order(self, found: Sequence[Question]) -> list[str]:
        """Return the lines by device and question, which do not depend on who was asked first."""
        places = {question.where: place for place, question in enumerate(found)}

        def place(line: str) -> tuple[str, int]:
            data = json.loads(line)
            return data["device"], places.get(data["where"], -1)

        return sorted(self.lines, key=place)


class Refused(NamedTuple):
    """Why a device gave no answer or took no job; a job that is lost is sent again."""

    why: str
    details: Mapping[str, Any]
    lost: bool


def _tried(ask: Callable[P, R], *args: P.args, **given: P.kwargs) -> R | Refused:
    """Return what a device says, or why it says nothing."""
    try:
        return ask(*args, **given)
    except QchessError as error:
        why, details = " ".join(str(error).split()), plain(getattr(error, "details", {}))
        return Refused(why, details, isinstance(error, LostJobError))


def _source(backend: backends.Backend, seed: int) -> DeviceSource:
    source = backend.source(seed)
    assert isinstance(source, DeviceSource), "opened() has looked"
    return source


def _there(source: DeviceSource, question: Question) -> DeviceSource:
    """Return the source at this point of the game."""
    there = source.at(question.where)
    there.on_failure = "raise"  # another's answer in its place would be no measurement
    return there


def _asked(source: DeviceSource, question: Question) -> Sample | Refused:
    return _tried(_there(source, question).draw, question.pause)


def _asked_by_name(seed: int, job: tuple[str, Question]) -> Sample | Refused:
    """Ask on a worker, which keeps the last devices open."""
    name, question = job
    return _asked(_opened(name, seed), question)


@lru_cache(8)
def _opened(name: str, seed: int) -> DeviceSource:
    return _source(backends.of(name), seed)


def _can_be_sent(one: backends.Backend | str) -> bool:
    """Tell whether a worker that opens this device by its name gives the answers that are given here.

    What several questions share stays here: a budget, or a trial of the device's qubits.
    """
    if isinstance(one, str) or one.name.partition(",")[0].partition(":")[0] not in SIMULATED:
        return False
    source = _source(one, 0)
    return not (source.budget.told() or source.preflight or source.mitigation)


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


def _result(name: str, work: _Work, found: Sequence[Question]) -> Measured:
    keys = [(name, question.where) for question in found]
    return Measured(name, [Asked(work.done.get(key), tuple(work.failures.get(key, ()))) for key in keys])

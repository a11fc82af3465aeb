"""Ask every open question of a recorded game again, on named devices, and keep the results.

Called again with the same file it goes on; `qchess.playing.measurements` says what the file holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

from qchess import backends
from qchess.backends import ready
from qchess.backends.catalogue import SIMULATED, settings_in, with_settings
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.source import DeviceSource
from qchess.circuits.engine import Sample
from qchess.circuits.errors import LostJobError
from qchess.errors import BackendError, QchessError
from qchess.playing.game import FIRST_LOOK, LONGEST_LOOK
from qchess.playing.measurements import (
    Failure,
    Key,
    Measured,
    Measurements,
    Question,
    file_at,
    measured_before,
    some_questions,
)
from qchess.playing.record import Record, plain
from qchess.playing.spread import spread

P = ParamSpec("P")
R = TypeVar("R")
#: a device that is opened, or the name of one that has answered everything
Device = backends.Backend | str


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
    made, found = opened(record, devices, path, seed), some_questions(record)
    with file_at(path, record, seed) as known:
        sent = {name_of(one) for one in made if (workers > 1 or cluster is not None) and _can_be_sent(one)}
        _Work(known).ask([(one, question) for one in made for question in found], told, sent, workers, cluster)
        known.finish(found)
        return [known.of(name_of(one), found) for one in made]


def opened(
    record: Record, devices: Sequence[Any], path: Path, seed: int | None = None
) -> list[Device]:  # fmt: skip
    """Return the devices: opened if the journal at `path` lacks answers of theirs, else by name.

    Raises if there is nothing to measure, or a device takes no shots.
    """
    found, before = some_questions(record), measured_before(record, path, seed)
    made: list[Device] = []
    for device in devices:
        name = _written(device)
        answered = before is not None and all((name, question.where) in before.done for question in found)
        made.append(name if answered else backends.of(device))
    names = list(map(name_of, made))
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


def name_of(one: Device) -> str:
    """Return the name of a device, as in a journal."""
    return one if isinstance(one, str) else one.name


class _Work:
    """What is asked now, and what failed meanwhile."""

    def __init__(self, known: Measurements) -> None:
        self.known = known
        #: what failed since this work began, and is not retried
        self.over: set[Key] = set()

    def ask(
        self, asked: Sequence[tuple[Device, Question]], told: Callable[[int, int], None],
        sent: Collection[str], workers: int, cluster: str | None,
    ) -> None:  # fmt: skip
        """Ask open questions: submit jobs first, ask the other devices meanwhile, then collect the jobs.

        Those of the devices in `sent` are asked by workers, which open these by name.
        """
        sources = {one.name: _source(one, self.known.seed) for one, _ in asked if not isinstance(one, str)}
        done, tickets = self.known.done, self.known.tickets
        todo = [(name_of(one), question) for one, question in asked if (name_of(one), question.where) not in done]
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
            spread(partial(_asked_by_name, self.known.seed), away, workers=workers, cluster=cluster) if away else (),
        ):
            self._settle((name, question.where), question, drawn)
            told(self._count(asked), len(asked))
        look = FIRST_LOOK
        while queued:
            for item in list(queued):
                name, question, source = item
                key = name, question.where
                self._settle(key, question, _tried(source.collect, question.pause, tickets[key]))
                if self._is_over(key):
                    queued.remove(item)
                    told(self._count(asked), len(asked))
            if queued:
                time.sleep(look)
                look = min(LONGEST_LOOK, 2 * look)

    def _count(self, asked: Iterable[tuple[Device, Question]]) -> int:
        return sum(self._is_over((name_of(one), question.where)) for one, question in asked)

    def _is_over(self, key: Key) -> bool:
        return key in self.known.done or key in self.over

    def _submit(self, key: Key, question: Question, source: QueuedSource) -> bool:
        """Submit a question after its name is on the disk; returns whether it has a job now."""
        if key in self.known.tickets:
            return True
        ticket = _tried(source.named(self.known.name(key)).submit, question.pause)
        if isinstance(ticket, Refused):
            self._fail(key, ticket)
            return False
        self.known.submitted(key, ticket)
        return True

    def _settle(self, key: Key, question: Question, drawn: Sample | Refused | None) -> None:
        """Store an answer, or why there is none; nothing while waiting."""
        if isinstance(drawn, Refused):
            self._fail(key, drawn)
        elif drawn is not None:
            self.known.answered(key, question, drawn)

    def _fail(self, key: Key, refused: Refused) -> None:
        self.known.failed(key, refused.failure, refused.lost)
        self.over.add(key)


class Refused(NamedTuple):
    """Why a device gave no answer or took no job; a job that is lost is sent again."""

    failure: Failure
    lost: bool


def _tried(ask: Callable[P, R], *args: P.args, **given: P.kwargs) -> R | Refused:
    """Return what a device says, or why it says nothing."""
    try:
        return ask(*args, **given)
    except QchessError as error:
        why, details = " ".join(str(error).split()), plain(getattr(error, "details", {}))
        return Refused(Failure(why, details), isinstance(error, LostJobError))


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
    """Ask on a worker, which keeps the last devices ready."""
    name, question = job
    return _asked(_source(ready.backend(name), seed), question)


def _can_be_sent(one: Device) -> bool:
    """Tell whether a worker that opens this device by its name gives the answers that are given here.

    What several questions share stays here: a budget, or a trial of the device's qubits.
    """
    if isinstance(one, str) or one.name.partition(",")[0].partition(":")[0] not in SIMULATED:
        return False
    source = _source(one, 0)
    return not (source.budget.told() or source.preflight or source.mitigation)

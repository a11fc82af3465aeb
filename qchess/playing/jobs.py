"""The jobs that saved games wait for: list them, get their state, cancel them or wait for them.

A game's record holds the ticket of its job, so any process can do this, without opening the game.

>>> from qchess.playing import jobs
>>> jobs.waiting([])
[]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from qchess import backends
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.sampler import STATES, BaseSampler
from qchess.backends.devices.validation import plain, shown, words_of
from qchess.circuits.engine import SlowSource, Ticket
from qchess.errors import BackendError, QchessError
from qchess.playing.game import FIRST_LOOK, LONGEST_LOOK, Played
from qchess.playing.keeping import Keeper, KeepingError, held, is_own, kept, write
from qchess.playing.record import Record
from qchess.playing.replaying import replay, waits_here
from qchess.reading import file_text


@dataclass(frozen=True)
class Job:
    """The question that a saved game waits for, and the ticket of its job, if submitted."""

    file: Path
    game: str
    move: str
    question: str
    #: the device by its name
    device: str
    ticket: Ticket | None
    #: whether its device may be opened: the game is one's own, or its reader trusts it
    trusted: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the device's names of the job, several if each circuit is one; empty if unknown."""
        told = (self.ticket or {}).get("jobs") or [(self.ticket or {}).get("job")]
        return tuple(str(name) for name in told if name is not None)

    @property
    def since(self) -> str | None:
        """Return when the job was submitted, in ISO form; None for older tickets."""
        told = (self.ticket or {}).get("since")
        return None if told is None else str(told)

    def __str__(self) -> str:
        return f"{self.file.name}: {self.move} asks {self.question!r} on {self.device}"


def waiting(files: Iterable[str | Path] | None = None, *, trust: bool = False) -> list[Job]:
    """Return the jobs of these games, or of all kept games, the latest first. Unreadable kept files are left out.

    `trust` lets the devices be opened that files from elsewhere name.
    """
    if files is not None:
        return [job for file in files if (job := _job(Path(file), trust)) is not None]
    found = []
    for file in kept():
        with suppress(QchessError, OSError, UnicodeError):  # `qchess games --saved` lists it with what is wrong
            found.append(_job(file, trust))
    return [job for job in found if job is not None]


def _job(file: Path, trust: bool) -> Job | None:
    record = Record.from_json(file_text(file, "a game record"))
    waits = record.pending
    if waits is None or record.result is not None:
        return None
    device = (waits.ticket or {}).get("device", record.backend)
    return Job(
        file,
        record.game,
        waits.move,
        waits.question,
        str(device),
        waits.ticket,
        trust or is_own(file) or waits_here(record),
    )


def stands(found: Sequence[Job], backend: Any = None) -> list[dict[str, Any]]:
    """Return the state of each job as JSON values, by asking its device or the given backend.

    `state` is one of `qchess.backends.devices.sampler.STATES`, ``open`` if nothing was submitted, or ``unknown``, and
    `why` says why. If the device gives them, there are also `position` in the queue, `starts`, `tags` and `seconds` of
    use. If a device gives no state, a job ``waits``.
    """
    device, told = _opener(backend), []
    for job in found:
        try:
            _require_trust(job, backend)
            told.append(_stands(job, device))
        except QchessError as error:
            told.append({"state": "unknown", "why": str(error)})
    return told


def cancel(job: Job, backend: Any = None) -> None:
    """Cancel a job. Its question is open again and is asked when the game goes on.

    Raises, without effect, if its answer is there already or the device cannot be asked.
    """
    _require_trust(job, backend)
    device = _opener(backend)
    state = _stands(job, device)["state"]
    if job.ticket is None or state == "done":
        why = "its answer is there, and paid for" if job.ticket else "it has no job that could be cancelled"
        raise BackendError(f"{job}, and {why}; go on with the game")
    if state in ("waits", "runs"):
        with _asking(job):
            device(job.device).cancel(job.ticket)
    # a process that plays this game now hears from the device that its job is lost
    with suppress(KeepingError), held(job.file.resolve()):
        record = Record.from_json(job.file.read_text(encoding="utf-8"))
        if record.pending and record.pending.ticket == job.ticket:
            write(job.file, replace(record, pending=replace(record.pending, ticket=None)).to_json())


def wait(found: Iterable[Job], backend: Any = None) -> Iterator[tuple[Job, Played | QchessError]]:
    """Wait for the answers, and write each into its game; yields each move's result, or the error.

    A turn with more questions goes on to its end. Meanwhile no other process can play these games.
    """
    left: list[tuple[Job, Keeper]] = []
    try:
        for job in found:
            try:
                left.append((job, _opened(job, backend)))
            except QchessError as error:
                yield job, error
        look = FIRST_LOOK
        while left:
            for job, keeper in list(left):
                came = _collected(keeper)
                if came is not None:
                    left.remove((job, keeper))
                    keeper.close()
                    yield job, came
            if left:
                time.sleep(look)
                look = min(LONGEST_LOOK, 2 * look)
    finally:
        for _, keeper in left:
            keeper.close()


def _opener(backend: Any) -> Callable[[str], BaseSampler]:
    """Return a function that opens a device by name, once each: a vendor's account takes seconds."""
    return cache(lambda name: _device(name, backend))


def _require_trust(job: Job, backend: Any) -> None:
    """Raise an error if only a file from elsewhere names the device of a job."""
    if backend is None and job.ticket is not None and not job.trusted:
        raise BackendError(
            f"{job}, and no file from elsewhere opens a device by itself; name the backend, or allow it "
            "(qchess jobs --trust, jobs.waiting(..., trust=True))"
        )


def _device(name: str, backend: Any) -> BaseSampler:
    source = (backends.get(name) if backend is None else backends.of(backend)).source()
    if not isinstance(source, QueuedSource):
        raise BackendError(f"{name} cannot be asked about its jobs")
    if source.sampler.name != name:
        raise BackendError(f"the job is of {name!r}, and this is {source.sampler.name!r}")
    return source.sampler


@contextmanager
def _asking(job: Job) -> Iterator[None]:
    """Turn any error of a vendor into one sentence."""
    try:
        yield
    except QchessError:
        raise
    except Exception as error:
        raise BackendError(f"{job.device} failed ({words_of(error)})") from error


def _stands(job: Job, device: Callable[[str], BaseSampler]) -> dict[str, Any]:
    if job.ticket is None:
        return {"state": "open"}
    if "failed" in job.ticket:
        return {"state": "failed", "why": str(job.ticket["failed"])}
    sampler = device(job.device)
    with _asking(job):
        told = plain(sampler.job_status(job.ticket))
    if not isinstance(told, dict) or told.get("state") not in STATES:
        raise BackendError(f"{job.device} must report a job's state as one of {', '.join(STATES)}, got {shown(told)}")
    return told


def _opened(job: Job, backend: Any) -> Keeper:
    """Return the game of a job, locked against other processes until it is closed."""
    if job.ticket is None:
        raise BackendError(f"{job}, and it has no job to wait for; go on with the game to ask")
    _require_trust(job, backend)
    record = Record.from_json(job.file.read_text(encoding="utf-8"))
    game = replay(record, backend=record.backend if backend is None else backend, trust=job.trusted)
    if game.pending and not isinstance(game.source, SlowSource):
        raise BackendError(f"{job}, and {game.backend.name} has no jobs")
    return Keeper(game, job.file.resolve(), goes_on=True)


def _collected(keeper: Keeper) -> Played | QchessError | None:
    """Return the move's result, or why there is no answer; None while waiting."""
    try:
        played = keeper.game.collect()
    except QchessError as error:
        return error
    if played is not None and keeper.trouble:
        return KeepingError(f"{keeper.path} could not be written ({keeper.trouble}); the job can be collected again")
    return played

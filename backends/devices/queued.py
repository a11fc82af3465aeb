"""Devices whose answers take long: a question is a job with a ticket, collected by whichever process comes later.

A ticket's key names one question of one game, with every setting that changes what runs. Samplers find a job by its
key, so that a question that is handed in twice, by a process that was killed before it wrote the ticket down, is paid
once; and an equal question of another game, or under other settings, is measured anew.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from copy import copy
from datetime import UTC, datetime
from typing import Any, Protocol, runtime_checkable

from qchess.backends.devices.deadline import Clock
from qchess.backends.devices.sampler import Sampler, Shots
from qchess.backends.devices.source import DeviceError, DeviceSource
from qchess.backends.devices.trust import plain, trusted, words_of
from qchess.circuits.engine import Draw, Ticket
from qchess.circuits.errors import BackendError, LostJobError
from qchess.circuits.program import Program
from qchess.circuits.running import Pause


@runtime_checkable
class Tuned(Protocol):
    """A sampler with options that change what runs; all of them are told, by name."""

    settings: Mapping[str, Any]


@runtime_checkable
class JobSampler(Sampler, Protocol):
    """A sampler whose runs are jobs that outlive the process."""

    def submit(self, circuits: Sequence[Any], shots: int, seed: int | None, key: str) -> Mapping[str, Any]:
        """Hands a job in and says how to find it, in JSON values.

        A key that is known finds its job; ``found`` then is True.
        """

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Any], shots: int) -> Sequence[Shots] | None:
        """The shots of a job, or None while it waits or runs."""

    def cancel(self, ticket: Mapping[str, Any]) -> None:
        """Ends a job that nobody wants any more."""


@runtime_checkable
class TellingSampler(JobSampler, Protocol):
    """A job sampler that also says how a job stands."""

    def job_status(self, ticket: Mapping[str, Any]) -> Mapping[str, Any]:
        """What has become of a job, in JSON values; asking changes nothing.

        `state` is one of `STATES`. Where the vendor tells them there are also `position` in the queue and `starts`, the
        time when it is expected to run; `why` it failed; its `tags`; and `seconds` of use once it is done.
        """


@runtime_checkable
class KnowingSampler(JobSampler, Protocol):
    """A job sampler that also says whether a job was handed in."""

    def known(self, key: str) -> bool:
        """Whether a job of this key is there that may still give shots."""


@runtime_checkable
class EndingSampler(JobSampler, Protocol):
    """A job sampler that also names the jobs of a question that ended without shots."""

    def ended(self, key: str) -> Sequence[str]:
        """The jobs of this key that gave no shots and never will: asking again sends another."""


#: how a job stands: at the end `gone` is one that the device does not know
STATES = ("waits", "runs", "done", "failed", "cancelled", "gone")


class QueuedSource(DeviceSource):
    """A device source that hands questions in and collects their answers later."""

    sampler: JobSampler

    def at(self, line: str) -> QueuedSource:
        """The same source at a named point of a game, where a question has one key."""
        there = super().at(line)
        assert isinstance(there, QueuedSource), "a copy is of the same class"
        there.line = line
        return there

    def named(self, name: str) -> QueuedSource:
        """The same source for the question of this name, whose jobs no other question finds."""
        there = copy(self)
        there.asked = name
        return there

    #: the point of the game, which tells two equal questions of one game apart
    line = ""
    #: the question's own name; those of older records have none
    asked = ""

    def submit(self, pause: Pause) -> Ticket:
        """Hands the question in as a job; what no device could do is refused before anything is paid.

        Where it fails, and the player chose a fallback, the ticket says so.
        """
        details = self._plan(pause)
        try:
            return self._submitted(pause, details)
        except DeviceError as failure:
            if self.on_failure == "raise":
                raise
            return {"device": self.sampler.name, "details": details, "failed": str(failure)}

    def _submitted(self, pause: Pause, details: dict[str, Any]) -> Ticket:
        with self._failing(details):
            ordered = self._order(pause, Clock(self.timeout), details)
            seed = random.Random(f"{self.root} {self.line}").getrandbits(31)
            texts = [circuit.text() for circuit in ordered.circuits]
            key = self._key(pause.step.name, texts)
            twirled = bool(details.get("readout_twirling")) and not self._of_before(key)
            if not twirled:
                details.pop("readout_twirling", None)
            circuits, shots = self._sent(ordered, twirled)
            key = _named(key, "read-out twirling") if twirled else key
            self._settle_late()
            if self.budget.holds(key) and (ended := self._ended(key)):
                self.budget.lost(key, ended)  # of a process that ended before it kept the ticket
            self.budget.reserve(key, self._takes(circuits, shots))
            found = dict(self.sampler.submit(circuits, shots, seed, key, **self.budget.bound(key)))
        details.update(self._left())
        if found.pop("found", False):
            details["found"] = "the job had been sent before"
        since = plain(found.pop("since", None)) or datetime.now(UTC).isoformat(timespec="seconds")
        return {**plain(found), "since": since, "key": key, "device": self.sampler.name, "details": details,
                "part": ordered.part, "circuits": _named(*texts)}  # fmt: skip

    def _of_before(self, key: str) -> bool:
        """Whether a job was handed in under this key before shots were twirled where nobody says so.

        Its process may have ended before it wrote the ticket down; the job is paid for, and gives the answer.
        """
        return self.readout_twirling is None and isinstance(self.sampler, KnowingSampler) and self.sampler.known(key)

    def _key(self, question: str, circuits: Sequence[str]) -> str:
        """The name of a question's job whose shots are not twirled."""
        asked = (self.sampler.name, self.shots, self.root, self.line, question, *circuits)
        if not self.asked:
            return _named(*asked)
        settings = sorted(self.sampler.settings.items()) if isinstance(self.sampler, Tuned) else []
        return _named(self.asked, self.strategy, self.level, self.preflight, settings, *asked)

    def collect(self, pause: Pause, ticket: Ticket) -> Draw | None:
        """The answer of the job, or None while there is none."""
        try:
            return self._collected(pause, ticket)
        except DeviceError as failure:
            if self.on_failure == "raise":
                raise
            return self._replaced(pause, failure)

    def _collected(self, pause: Pause, ticket: Ticket) -> Draw | None:
        details: dict[str, Any] = {**ticket.get("details", {}), "ticket": ticket.get("key")}
        if ticket.get("device") != self.sampler.name:
            raise DeviceError(f"the ticket is of {ticket.get('device')!r}, and this is {self.sampler.name!r}", details)
        if failed := ticket.get("failed"):
            raise DeviceError(str(failed), details)
        with self._failing(details):
            # the very circuits of then: by today's calibration others might be better, and those were not run
            ordered = self._recipes(pause, Clock(self.timeout), part=bool(ticket.get("part")))
            if ticket.get("circuits") != _named(*(circuit.text() for circuit in ordered.circuits)):
                raise BackendError("the job was sent for circuits other than those of this question")
            circuits, shots = self._sent(ordered, bool(details.get("readout_twirling")))
            told = self._shots_of(ticket, circuits, shots)
            if told is None:
                return None
            runs = trusted(told, circuits)
            came = sum(run.total for run in runs)
            used = self._used(ticket)
            self.budget.settle(str(ticket["key"]), came, used.get("usage", {}).get("seconds"), ticket)
            details["shots_run"] = details.get("shots_run", 0) + came
            details.update(self._left())
        details.update(used)
        self.rng = random.Random(f"{self.root} {ticket['key']}")
        return self._believed(pause, ordered, runs, details)

    def _shots_of(self, ticket: Ticket, circuits: Sequence[Program], shots: int) -> Sequence[Shots] | None:
        """The shots of a job; that it was lost is written down, so that another under its key is paid for."""
        try:
            return self.sampler.collect(ticket, circuits, shots)
        except LostJobError:
            self.budget.lost(str(ticket["key"]), self._ended(str(ticket["key"])))
            raise

    def _ended(self, key: str) -> list[str]:
        """The jobs of a key that gave no shots; none where the device cannot tell."""
        return sorted(map(str, self.sampler.ended(key))) if isinstance(self.sampler, EndingSampler) else []

    def _settle_late(self) -> None:
        """Asks for the seconds of use of jobs whose shots came before the vendor had worked those out."""
        for key, (shots, ticket) in self.budget.unread().items():
            self.budget.settle(key, shots, self._used(ticket).get("usage", {}).get("seconds"), ticket)

    def _used(self, ticket: Ticket) -> dict[str, Any]:
        """The tags of a job and its seconds of use, as the vendor tells them; failing to costs nobody the answer."""
        if not isinstance(self.sampler, TellingSampler):
            return {}
        try:
            told = plain(self.sampler.job_status(ticket))
        except Exception as error:  # noqa: BLE001 (the shots are there; the record says what is missing)
            return {"usage": {"unread": words_of(error)}}
        usage = {key: told[key] for key in ("seconds", "tags") if told.get(key) not in (None, [])}
        return {"usage": usage} if usage else {}


def _named(*parts: object) -> str:
    """A name that these parts alone have."""
    return "q" + hashlib.sha256(repr(parts).encode()).hexdigest()[:31]

"""Slow devices: a question is a job with a ticket, which a later process may collect.

A ticket's key names one question of one game, with every setting that changes what runs. Samplers find a job by its
key. So a question submitted twice, by a process that was killed before it stored the ticket, is paid once; an equal
question of another game, or with other settings, is measured anew.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from copy import copy
from datetime import UTC, datetime
from typing import Any

from qchess.backends.deadline import Clock
from qchess.backends.devices.sampler import Shots
from qchess.backends.devices.source import DeviceError, DeviceSource
from qchess.backends.devices.validation import plain, trusted, words_of
from qchess.circuits.engine import Sample, Ticket
from qchess.circuits.errors import BackendError, LostJobError
from qchess.circuits.program import Program
from qchess.circuits.running import Pause


class QueuedSource(DeviceSource):
    """A device source that submits questions and collects their answers later.

    No answer is ever late: a job is waited for until its vendor ends it (`LostJobError`), or a person gives it up.
    """

    def at(self, line: str) -> QueuedSource:
        """Return the same source at a named point of a game, where a question has one key."""
        there = super().at(line)
        assert isinstance(there, QueuedSource), "a copy is of the same class"
        there.line = line
        return there

    def named(self, name: str) -> QueuedSource:
        """Return the same source for the question of this name, whose jobs no other question finds."""
        there = copy(self)
        there.asked = name
        return there

    #: the point of the game, which distinguishes equal questions of one game
    line = ""
    #: the question's own name; empty in older records
    asked = ""

    def submit(self, pause: Pause) -> Ticket:
        """Submit the question as a job; what no device could do is refused before anything is paid.

        If it fails and the player chose a fallback, the ticket says so.
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
            batch = self._batch(pause, Clock(self.timeout), details)
            seed = random.Random(f"{self.root} {self.line}").getrandbits(31)
            texts = [circuit.text() for circuit in batch.circuits]
            key = self._key(pause.step.name, texts)
            twirled = bool(details.get("readout_twirling")) and not self._of_before(key)
            if not twirled:
                details.pop("readout_twirling", None)
            circuits, shots = self._sent(batch, twirled)
            key = _named(key, "read-out twirling") if twirled else key
            self._read_usage()
            if self.budget.holds(key) and (ended := self._ended(key)):
                self.budget.lost(key, ended)  # of a process that ended before it kept the ticket
            self.budget.reserve(key, self._takes(circuits, shots))
            found = dict(self.sampler.submit(circuits, shots, seed, key, **self.budget.bound(key)))
        details.update(self._left())
        if found.pop("found", False):
            details["found"] = "the job had been sent before"
        since = plain(found.pop("since", None)) or datetime.now(UTC).isoformat(timespec="seconds")
        return {**plain(found), "since": since, "key": key, "device": self.sampler.name, "details": details,
                "part": batch.part, "circuits": _named(*texts)}  # fmt: skip

    def _of_before(self, key: str) -> bool:
        """Tell whether a job with this key was submitted by an older version, before twirling became the default.

        Its process may have ended before it stored the ticket; the job is paid for, and gives the answer.
        """
        return self.readout_twirling is None and self.sampler.known(key)

    def _key(self, question: str, circuits: Sequence[str]) -> str:
        """Return the key of a question's job whose shots are not twirled."""
        asked = (self.sampler.name, self.shots, self.root, self.line, question, *circuits)
        if not self.asked:
            return _named(*asked)
        settings = sorted(self.sampler.settings.items())
        return _named(self.asked, self.strategy, self.level, self.preflight, settings, *asked)

    def collect(self, pause: Pause, ticket: Ticket) -> Sample | None:
        """Return the answer of the job, or None while there is none."""
        try:
            return self._collected(pause, ticket)
        except DeviceError as failure:
            if self.on_failure == "raise":
                raise
            return self._replaced(pause, failure)

    def _collected(self, pause: Pause, ticket: Ticket) -> Sample | None:
        details: dict[str, Any] = {**ticket.get("details", {}), "ticket": ticket.get("key")}
        if ticket.get("device") != self.sampler.name:
            raise DeviceError(f"the ticket is of {ticket.get('device')!r}, and this is {self.sampler.name!r}", details)
        if failed := ticket.get("failed"):
            raise DeviceError(str(failed), details)
        with self._failing(details):
            # the very circuits of then: by today's calibration others might be better, and those were not run
            batch = self._recipes(pause, Clock(None), part=bool(ticket.get("part")))  # what was paid is never late
            if ticket.get("circuits") != _named(*(circuit.text() for circuit in batch.circuits)):
                raise BackendError("the job was sent for circuits other than those of this question")
            circuits, shots = self._sent(batch, bool(details.get("readout_twirling")))
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
        return self._believed(pause, batch, runs, details)

    def _shots_of(self, ticket: Ticket, circuits: Sequence[Program], shots: int) -> Sequence[Shots] | None:
        """Return the shots of a job; records a lost job, so that the next one under its key is paid for."""
        try:
            return self.sampler.collect(ticket, circuits, shots)
        except LostJobError:
            self.budget.lost(str(ticket["key"]), self._ended(str(ticket["key"])))
            raise

    def _ended(self, key: str) -> list[str]:
        """Return the jobs of a key that gave no shots; empty if the device cannot tell."""
        return sorted(map(str, self.sampler.ended(key)))

    def _read_usage(self) -> None:
        """Ask for the seconds of use of jobs whose shots came before the vendor knew them."""
        for key, (shots, ticket) in self.budget.unread().items():
            self.budget.settle(key, shots, self._used(ticket).get("usage", {}).get("seconds"), ticket)

    def _used(self, ticket: Ticket) -> dict[str, Any]:
        """Return a job's tags and seconds of use from the vendor; a failure does not lose the answer."""
        try:
            told = plain(self.sampler.job_status(ticket))
        except Exception as error:  # noqa: BLE001 (the shots are there; the record says what is missing)
            return {"usage": {"unread": words_of(error)}}
        usage = {key: told[key] for key in ("seconds", "tags") if told.get(key) not in (None, [])}
        return {"usage": usage} if usage else {}


def _named(*parts: object) -> str:
    """Return a name unique to these parts."""
    return "q" + hashlib.sha256(repr(parts).encode()).hexdigest()[:31]

"""IBM's jobs: handed in with a tag that names the question, found again by it, collected by any process."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from qchess.backends.devices.primitive import PrimitiveSampler, job_id
from qchess.backends.devices.sampler import Shots
from qchess.backends.ibm import vendor
from qchess.circuits.errors import LostJobError
from qchess.circuits.program import Program

#: every job of ours has this tag beside its key
TAG = "qchess"
#: states of a job that give no shots any more
ENDED = ("CANCELLED", "ERROR")
#: what the vendor says of a job, in the words of every sampler of ours
STANDS = {"RUNNING": "runs", "DONE": "done", "CANCELLED": "cancelled", "ERROR": "failed"}
#: the least and the most seconds of use that a job can be held to: whole ones, and IBM ends every job after three hours
SECONDS = (1, 3 * 3600)
#: a question is handed in again where its job ended so; so many jobs of one question are looked at
TRIED = 10


class IbmJobs(PrimitiveSampler):
    """A sampler of an IBM processor whose runs are jobs; `service` is the account that holds them.

    A `session` or batch that they are sent through ends with this sampler, and at the latest with the program.
    """

    def __init__(self, primitive: Any, service: Any, *, session: Any = None, **options: Any) -> None:
        super().__init__(primitive, **options)
        self._service = service
        self._end = None if session is None else weakref.finalize(self, vendor.close, session)
        self._latest: Any = None
        #: the seconds of use after which every job ends that is held to no other number; None for IBM's own limit
        self.longest: int | None = None

    @property
    def job_seconds(self) -> tuple[int, int]:
        """The least and the most seconds of use to which a job can be held."""
        return SECONDS if self.longest is None else (self.longest, self.longest)

    def run(
        self, circuits: Sequence[Program], shots: int, seed: int | None, seconds: int | None = None
    ) -> list[Shots]:  # fmt: skip
        """The shots of each circuit, waited for; IBM ends the job after so many `seconds` of use."""
        with self._held(seconds):
            return super().run(circuits, shots, seed)

    @contextmanager
    def _held(self, seconds: int | None) -> Iterator[None]:
        """Holds the jobs that are sent inside to so many seconds of use."""
        if seconds is None:
            yield
            return
        self._primitive.options.max_execution_time = seconds
        try:
            yield
        finally:
            self._primitive.options.max_execution_time = self.longest

    def send(self, placed: Sequence[Any], shots: int, seed: int | None) -> Any:
        """The job of these circuits, remembered so that it can be cancelled."""
        self._latest = super().send(placed, shots, seed)
        return self._latest

    def close(self) -> None:
        """Closes the session or batch; jobs that were handed in run to their end, and no other is taken."""
        if self._end is not None:
            self._end()

    def stop(self) -> None:
        """Cancels the job that somebody waits for in vain."""
        if self._latest is not None:
            self._latest.cancel()
            self._latest = None

    def submit(
        self, circuits: Sequence[Program], shots: int, seed: int | None, key: str, seconds: int | None = None
    ) -> dict[str, Any]:
        """Hands a job in, unless one with this key is there; IBM ends it after so many `seconds` of use."""
        if known := self._known(key):
            return {"job": job_id(known[0]), "found": True, "since": _text(getattr(known[0], "creation_date", None))}
        placed = [self._placed(circuit) for circuit in circuits]
        machine = [self.told(where) for _, _, where in placed]
        environment = self._primitive.options.environment
        environment.job_tags = [TAG, key]
        try:
            with self._held(seconds):
                job = self.send(placed, shots, seed)
        finally:
            environment.job_tags = [TAG]  # a trial that is sent later is no job of this question
        return {"job": job_id(job), "machine": machine, "calibrated": self.calibrated}

    def known(self, key: str) -> bool:
        """Whether a job of this key is there that may still give shots."""
        return bool(self._known(key))

    def ended(self, key: str) -> list[str]:
        """The jobs of this key that failed or were cancelled."""
        return [str(job_id(job)) for job in self._tagged(key) if str(job.status()) in ENDED]

    def _known(self, key: str) -> list[Any]:
        return [job for job in self._tagged(key) if str(job.status()) not in ENDED]

    def _tagged(self, key: str) -> list[Any]:
        """The latest jobs of this key, however they stand."""
        return list(self._service.jobs(job_tags=[TAG, key], limit=TRIED))

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Program], shots: int) -> list[Shots] | None:
        """The shots of a job; None while it waits or runs."""
        job = self._service.job(str(ticket["job"]))
        state = str(job.status())
        if state in ENDED:
            why = job.error_message() if state == "ERROR" else "it was cancelled"
            raise LostJobError(f"IBM's job {ticket['job']} gave no shots: {why}")
        if state != "DONE":
            return None
        made, result = [circuit.to_qiskit() for circuit in circuits], job.result()
        machine = ticket.get("machine") or [{} for _ in circuits]
        return [
            self.shots(circuit, made[k], result[k].data, shots, machine[k], job=str(ticket["job"]),
                       calibrated=ticket.get("calibrated"))
            for k, circuit in enumerate(circuits)
        ]  # fmt: skip

    def job_status(self, ticket: Mapping[str, Any]) -> dict[str, Any]:
        """What has become of a job; its place in the queue while it waits, and its seconds of use once it is done."""
        job = self._service.job(str(ticket["job"]))
        state = STANDS.get(str(job.status()), "waits")
        told: dict[str, Any] = {"state": state, "tags": list(job.tags)}
        if state == "failed":
            return {**told, "why": job.error_message()}
        if state == "waits":
            figures = job.metrics()
            told |= {"position": figures.get("position_in_queue"), "starts": figures.get("estimated_start_time")}
        elif state == "done":
            told["seconds"] = job.usage() or None  # 0 until the vendor has worked it out
        return {key: value for key, value in told.items() if value is not None}

    def cancel(self, ticket: Mapping[str, Any]) -> None:
        """Ends a job that nobody wants any more."""
        self._service.job(str(ticket["job"])).cancel()


def _text(moment: Any) -> str | None:
    """A time of the vendor's as text."""
    return None if moment is None else str(moment.isoformat(timespec="seconds"))

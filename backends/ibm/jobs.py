"""IBM's jobs: submitted and found under a tag made from the question, collected by any process."""

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

#: the tag of all our jobs, beside their key
TAG = "qchess"
#: states of a job that will give no shots
ENDED = ("CANCELLED", "ERROR")
#: the vendor's states in the words of our samplers
STANDS = {"RUNNING": "runs", "DONE": "done", "CANCELLED": "cancelled", "ERROR": "failed"}
#: the smallest and largest limit of a job, in whole seconds of use; IBM ends every job after three hours
SECONDS = (1, 3 * 3600)
#: a question is submitted again after such a job; at most this many jobs of a question are looked at
TRIED = 10


class IbmJobs(PrimitiveSampler):
    """A sampler of an IBM processor whose runs are jobs; `service` is the account that holds them.

    Its `session` or batch ends with this sampler, at the latest with the program.
    """

    def __init__(self, primitive: Any, service: Any, *, session: Any = None, **options: Any) -> None:
        super().__init__(primitive, **options)
        self._service = service
        self._end = None if session is None else weakref.finalize(self, vendor.close, session)
        self._latest: Any = None
        #: the default limit of a job, in seconds of use; None for IBM's own limit
        self.longest: int | None = None

    @property
    def job_seconds(self) -> tuple[int, int]:  # type: ignore[override]
        """Return the smallest and largest limit of a job, in seconds of use."""
        return SECONDS if self.longest is None else (self.longest, self.longest)

    def run(
        self, circuits: Sequence[Program], shots: int, seed: int | None, seconds: int | None = None
    ) -> list[Shots]:  # fmt: skip
        """Return the shots of each circuit, waiting for them; IBM ends the job after this many `seconds` of use."""
        with self._held(seconds):
            return super().run(circuits, shots, seed)

    @contextmanager
    def _held(self, seconds: int | None) -> Iterator[None]:
        """Limit the jobs sent in the block to this many seconds of use."""
        if seconds is None:
            yield
            return
        self._primitive.options.max_execution_time = seconds
        try:
            yield
        finally:
            self._primitive.options.max_execution_time = self.longest

    def send(self, placed: Sequence[Any], shots: int, seed: int | None) -> Any:
        """Submit these circuits as a job, remembered so that it can be cancelled."""
        self._latest = super().send(placed, shots, seed)
        return self._latest

    def close(self) -> None:
        """Close the session or batch; submitted jobs run to their end, and no new one is taken."""
        if self._end is not None:
            self._end()

    def stop(self) -> None:
        """Cancel the job being waited for."""
        if self._latest is not None:
            self._latest.cancel()
            self._latest = None

    def submit(
        self, circuits: Sequence[Program], shots: int, seed: int | None, key: str, seconds: int | None = None
    ) -> dict[str, Any]:
        """Submit a job, unless one with this key is there; IBM ends it after this many `seconds` of use."""
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
        """Tell whether there is a job of this key that may still give shots."""
        return bool(self._known(key))

    def ended(self, key: str) -> list[str]:
        """Return the jobs of this key that failed or were cancelled."""
        return [str(job_id(job)) for job in self._tagged(key) if str(job.status()) in ENDED]

    def _known(self, key: str) -> list[Any]:
        return [job for job in self._tagged(key) if str(job.status()) not in ENDED]

    def _tagged(self, key: str) -> list[Any]:
        """Return the latest jobs of this key, in any state."""
        return list(self._service.jobs(job_tags=[TAG, key], limit=TRIED))

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Program], shots: int) -> list[Shots] | None:
        """Return the shots of a job; None while it waits or runs."""
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
        """Return the state of a job; its place in the queue while it waits, its seconds of use once it is done."""
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
        """Cancel a job that is no longer needed."""
        self._service.job(str(ticket["job"])).cancel()


def _text(moment: Any) -> str | None:
    """Return a time of the vendor's as text."""
    return None if moment is None else str(moment.isoformat(timespec="seconds"))

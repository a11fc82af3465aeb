"""Google's jobs: handed in under a name that is the question's, found again by it, collected by any process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import Any

from qchess.backends.devices.cirq_sampler import in_order
from qchess.backends.devices.sampler import Shots, check_circuits
from qchess.backends.google import vendor
from qchess.backends.google.compiling import DeviceCompiler
from qchess.backends.google.sampler import GoogleSampler
from qchess.circuits.errors import LostJobError
from qchess.circuits.program import Program

#: states of a job that gives no shots any more
ENDED = ("CANCELLED", "CANCELLING", "FAILURE")
#: what the vendor says of a job, in the words of every sampler of ours; None is said of a job that is not there
STANDS = {
    "SUCCESS": "done",
    "RUNNING": "runs",
    "CANCELLED": "cancelled",
    "CANCELLING": "cancelled",
    "FAILURE": "failed",
}
#: of several jobs the one that stands worst says how they stand
WORST = ("gone", "failed", "cancelled", "waits", "runs", "done")
#: a question is handed in again where its job ended so, at most so many times
TRIED = 10


class GoogleJobs(GoogleSampler):
    """A sampler of a real processor whose runs are jobs. Each circuit is a job: the engine finds those by name."""

    def __init__(self, name: str, compiler: DeviceCompiler, processor: vendor.Processor) -> None:
        most = len(processor.device.metadata.qubit_set)
        super().__init__(name, compiler, lambda seed, qubits: processor.sampler, most=most, real=True)
        self._processor = processor
        #: the options that change what runs
        self.settings: dict[str, Any] = {}

    def submit(self, circuits: Sequence[Program], shots: int, seed: int | None, key: str) -> dict[str, Any]:
        """Hands the jobs in, unless those of this key are there; where those were put, nobody knows any more."""
        check_circuits(self, circuits, shots)
        placed = [self.compiler.compile(circuit) for circuit in circuits]
        names = [self._name(f"{key}-{number}") for number in range(len(placed))]
        new = [
            vendor.hand_in(self._processor, name, one.circuit, shots) for name, one in zip(names, placed, strict=True)
        ]
        machine = [self.told(one) if sent else {} for one, sent in zip(placed, new, strict=True)]
        calibrated = self.compiler.chip.calibrated if all(new) else None
        return {"jobs": names, "machine": machine, "calibrated": calibrated, "found": not all(new)}

    def known(self, key: str) -> bool:
        """Whether the first job of this key is there; the others of its question are handed in after it."""
        return vendor.state(self._processor, self._name(f"{key}-0")) not in (None, *ENDED)

    def ended(self, key: str) -> list[str]:
        """The jobs of this key that failed or were cancelled, of all circuits that were handed in."""
        circuits = takewhile(bool, (self._tried(f"{key}-{number}") for number in count()))
        return [name for tried in circuits for name, state in tried.items() if state in ENDED]

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Program], shots: int) -> list[Shots] | None:
        """The shots of the jobs; None while one of them waits or runs."""
        names = [str(name) for name in ticket["jobs"]]
        if any(self._state(name) != "SUCCESS" for name in names):
            return None
        return [
            self._collected(circuit, name, shots, told, ticket.get("calibrated"))
            for circuit, name, told in zip(circuits, names, ticket["machine"], strict=True)
        ]

    def job_status(self, ticket: Mapping[str, Any]) -> dict[str, Any]:
        """What has become of the jobs of a question; the one that stands worst speaks for all."""
        states = [vendor.state(self._processor, str(name)) for name in ticket["jobs"]]
        stands = ["gone" if state is None else STANDS.get(state, "waits") for state in states]
        return {"state": min(stands, key=WORST.index)}

    def cancel(self, ticket: Mapping[str, Any]) -> None:
        """Ends jobs that nobody wants any more."""
        for name in ticket["jobs"]:
            vendor.job(self._processor, str(name)).cancel()

    def _name(self, wanted: str) -> str:
        """A name whose job is under way, or done, or not there yet."""
        tries = _tries(wanted)
        return next((name for name in tries if vendor.state(self._processor, name) not in ENDED), tries[-1])

    def _tried(self, wanted: str) -> dict[str, str]:
        """The state of each job that was handed in for a circuit, by its name."""
        found: dict[str, str] = {}
        for name in _tries(wanted):
            if (state := vendor.state(self._processor, name)) is None:
                break
            found[name] = state
        return found

    def _state(self, name: str) -> str:
        """What has become of a job; an error where it gives no shots any more."""
        state = vendor.state(self._processor, name)
        if state is None:
            raise LostJobError(f"Google has no job {name!r} of ours")
        if state in ENDED:
            why = vendor.job(self._processor, name).failure() if state == "FAILURE" else None
            raise LostJobError(f"Google's job {name} gave no shots: {' '.join(why) if why else state.lower()}")
        return state

    def _collected(
        self, circuit: Program, name: str, asked: int, told: Mapping[str, Any], calibrated: str | None
    ) -> Shots:  # fmt: skip
        [result] = vendor.job(self._processor, name).results()
        return self.shots(circuit, in_order(circuit, result), asked, told, job=name, calibrated=calibrated)


def _tries(wanted: str) -> tuple[str, ...]:
    """The names under which a circuit is handed in, one after another where its jobs end without shots."""
    return (wanted, *(f"{wanted}-{again}" for again in range(1, TRIED)))

"""Google's jobs: submitted and found under a name made from the question, collected by any process."""

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

#: states of a job that will give no shots
ENDED = ("CANCELLED", "CANCELLING", "FAILURE")
#: the vendor's states in the words of our samplers; None stands for a missing job
STANDS = {
    "SUCCESS": "done",
    "RUNNING": "runs",
    "CANCELLED": "cancelled",
    "CANCELLING": "cancelled",
    "FAILURE": "failed",
}
#: the order of states from worst to best; the worst of several jobs is their common state
WORST = ("gone", "failed", "cancelled", "waits", "runs", "done")
#: a question is submitted again after such a job, at most this many times
TRIED = 10


class GoogleJobs(GoogleSampler):
    """A sampler of a real processor whose runs are jobs, one for each circuit, found by name."""

    def __init__(self, name: str, compiler: DeviceCompiler, processor: vendor.Processor) -> None:
        most = len(processor.device.metadata.qubit_set)
        super().__init__(name, compiler, lambda seed, qubits: processor.sampler, most=most, real=True)
        self._processor = processor
        #: the options that change what runs
        self.settings: dict[str, Any] = {}

    def submit(self, circuits: Sequence[Program], shots: int, seed: int | None, key: str) -> dict[str, Any]:
        """Submit the jobs, unless those of this key are there; then where they were placed is unknown."""
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
        """Tell whether the first job of this key is there; the others of its question are submitted after it."""
        return vendor.state(self._processor, self._name(f"{key}-0")) not in (None, *ENDED)

    def ended(self, key: str) -> list[str]:
        """Return the jobs of this key that failed or were cancelled, of all circuits."""
        circuits = takewhile(bool, (self._tried(f"{key}-{number}") for number in count()))
        return [name for tried in circuits for name, state in tried.items() if state in ENDED]

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Program], shots: int) -> list[Shots] | None:
        """Return the shots of the jobs; None while one of them waits or runs."""
        names = [str(name) for name in ticket["jobs"]]
        if any(self._state(name) != "SUCCESS" for name in names):
            return None
        return [
            self._collected(circuit, name, shots, told, ticket.get("calibrated"))
            for circuit, name, told in zip(circuits, names, ticket["machine"], strict=True)
        ]

    def job_status(self, ticket: Mapping[str, Any]) -> dict[str, Any]:
        """Return the common state of the jobs of a question: the worst of theirs."""
        states = [vendor.state(self._processor, str(name)) for name in ticket["jobs"]]
        stands = ["gone" if state is None else STANDS.get(state, "waits") for state in states]
        return {"state": min(stands, key=WORST.index)}

    def cancel(self, ticket: Mapping[str, Any]) -> None:
        """Cancel jobs that are no longer needed."""
        for name in ticket["jobs"]:
            vendor.job(self._processor, str(name)).cancel()

    def _name(self, wanted: str) -> str:
        """Return a name whose job is active, done, or not yet submitted."""
        tries = _tries(wanted)
        return next((name for name in tries if vendor.state(self._processor, name) not in ENDED), tries[-1])

    def _tried(self, wanted: str) -> dict[str, str]:
        """Return the state of each job submitted for a circuit, by its name."""
        found: dict[str, str] = {}
        for name in _tries(wanted):
            if (state := vendor.state(self._processor, name)) is None:
                break
            found[name] = state
        return found

    def _state(self, name: str) -> str:
        """Return the state of a job; raises if it will give no shots."""
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
    """Return the names for a circuit's jobs: the first, and those used after a job ended without shots."""
    return (wanted, *(f"{wanted}-{again}" for again in range(1, TRIED)))

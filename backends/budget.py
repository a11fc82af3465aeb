"""Budgets: the shots or seconds of use that all processes with one state folder may spend on a device.

A run is reserved before it is sent, and settled to what it took when its results come. So the recorded sum is never
less than what was spent: if a process is killed, its reservation stays. Jobs are recorded under their key, so that a
process that asks again finds them.
"""

from __future__ import annotations

import json
import math
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from qchess.backends.devices.jobqueue import folder, write
from qchess.backends.devices.sampler import BaseSampler
from qchess.backends.devices.validation import is_count, is_number, kept
from qchess.circuits.engine import Ticket
from qchess.circuits.errors import BackendError
from qchess.circuits.locks import taken

#: seconds to wait for the file while other processes write
PATIENCE = 60.0
NO_BUDGET = "{} is not a budget file; move it away to start again with nothing spent"
#: each entry by its key: ``{"shots": 100, "open": true}``; open means reserved and not yet settled
Entries = dict[str, dict[str, Any]]
#: the units, and the key in an entry that says it is open
OPEN = {"shots": "open", "seconds": "seconds_open"}
#: the same units in words
WORDS = {"shots": "shots", "seconds": "seconds of use"}


class BudgetError(BackendError):
    """A request exceeds what a budget has left; `used` is what had run, `needs` is what was wanted."""

    def __init__(self, message: str, used: int = 0, needs: int = 0) -> None:
        super().__init__(message)
        self.used, self.needs = used, needs


@dataclass(slots=True)
class Held:
    """A reservation for one run, None without a budget; after the run `used` records what it took.

    `bound` has the reserved seconds of use, as a sampler with `job_seconds` takes them.
    """

    shots: int | None
    bound: dict[str, Any]
    used: int | None = None


class Budget:
    """The most that may be spent on a device, in `shots` and `seconds` of use; None is no limit.

    It covers everything sent under a budget to the device of this name, with any settings, by any process with this
    state folder. Without a limit nothing is recorded. `job_seconds` are the smallest and largest limit of a job in
    seconds; what is left, within these, is reserved for one job.
    """

    def __init__(
        self, device: str, shots: int | None = None, place: Path | None = None, *,
        seconds: float | None = None, job_seconds: tuple[int, int] = (1, 1),
    ) -> None:  # fmt: skip
        if shots is not None and (type(shots) is not int or shots < 0):
            raise BackendError(f"a device's budget_shots is a number of shots, or None for no limit; got {shots!r}")
        if seconds is not None and not is_number(seconds):
            raise BackendError(
                f"a device's budget_seconds is a number of seconds, or None for no limit; got {seconds!r}"
            )
        self.device, self.shots, self.seconds, self.job_seconds = device, shots, seconds, job_seconds
        self.path = (place or _folder()) / f"{quote(device, safe='')}.json"

    @property
    def limits(self) -> dict[str, float]:
        """Return the limits by unit, without the units that have none."""
        both = {"shots": self.shots, "seconds": self.seconds}
        return {unit: limit for unit, limit in both.items() if limit is not None}

    def reserve(self, key: str, shots: int, least: int | None = None) -> int | None:
        """Reserve shots (at least `least`) and seconds under a key; a key already there is the same job."""
        if not self.limits:
            return None
        wanted = {"shots": (shots if least is None else least, shots), "seconds": self.job_seconds}
        with self._entries() as entries:
            entry = dict(entries.get(key, {}))
            for unit in ("shots", *self.limits):  # shots are always known
                if unit not in entry:
                    entry |= {unit: self._part(entries, unit, *wanted[unit]), OPEN[unit]: True}
            entries[key], entries["limit"] = entry, {**entries.get("limit", {}), **self.limits}
            return int(entry["shots"])

    def _part(self, entries: Entries, unit: str, least: int, most: int) -> int:
        """Return as much of the remainder as may be used, at least `least`."""
        if unit not in self.limits:
            return most
        left = _tidy(self.limits[unit] - _sum(entries, unit))
        if left < least:
            raise BudgetError(self._refusal(entries, unit, least))
        return min(most, math.floor(left))

    def foreseen(self, shots: int) -> dict[str, int]:
        """Return what would be reserved for another run of this many shots, by unit; raises if too little is left."""
        wanted = {"shots": (shots, shots), "seconds": self.job_seconds}
        entries = read(self.path) if self.limits else {}
        return {unit: self._part(entries, unit, *wanted[unit]) for unit in self.limits}

    def bound(self, key: str) -> dict[str, Any]:
        """Return the seconds-of-use limit for the job of a key, as its sampler takes it; {} without a limit."""
        if self.seconds is None:
            return {}
        least = self.job_seconds[0]
        return {"seconds": max(least, int(read(self.path).get(key, {}).get("seconds", least)))}

    def settle(self, key: str, shots: int, seconds: object = None, ticket: Ticket | None = None) -> None:
        """Settle a reservation to what was used; repeating it changes nothing.

        If the vendor does not report the seconds of use, the reservation stays, and the ticket is kept to ask again.
        """
        if self.path.exists():
            with self._entries() as entries:
                if key in entries:
                    entries[key] = {"shots": shots, **_seconds_settled(entries[key], seconds, ticket)}

    def unread(self) -> dict[str, tuple[int, Ticket]]:
        """Return the shots and the ticket of each key whose shots came without seconds of use."""
        entries = read(self.path) if self.seconds is not None else {}
        return {
            key: (one["shots"], one["ticket"]) for key, one in entries.items() if isinstance(one.get("ticket"), dict)
        }

    def holds(self, key: str) -> bool:
        """Tell whether something was reserved under a key before, perhaps by another process."""
        return bool(self.limits) and key in read(self.path)

    def lost(self, key: str, jobs: Sequence[str] = ()) -> None:
        """Allow a new job under the key of lost jobs; their reservation still counts, as they may have run.

        `jobs` are the names of all jobs lost under this key; if none is new, nothing changes.
        """
        if self.path.exists():
            with self._entries() as entries:
                before = [one for name, one in entries.items() if name.startswith(f"{key} lost ")]
                counted = {job for one in before for job in one.get("jobs", ())}
                if key in entries and (not jobs or not counted.issuperset(jobs)):
                    taken_back = entries.pop(key)
                    counts = {unit: taken_back[unit] for unit in OPEN if unit in taken_back}
                    entries[f"{key} lost {uuid.uuid4().hex}"] = {**counts, "jobs": [*jobs]}

    @contextmanager
    def spending(self, shots: int, least: int | None = None) -> Iterator[Held]:
        """Reserve shots for a run, and settle what it used; if it fails, all of it counts."""
        key = f"run {uuid.uuid4().hex}"
        reserved = self.reserve(key, shots, least)
        held = Held(reserved, self.bound(key))
        try:
            yield held
        except BudgetError as error:
            self.settle(key, error.used)
            with self._entries() as entries:
                raise BudgetError(self._refusal(entries, "shots", error.needs)) from None
        if held.shots is not None and held.used is not None:
            self.settle(key, held.used)

    def left(self) -> int | None:
        """Return how many shots are neither spent nor reserved; None without a limit."""
        told: int | None = self.told().get("left")
        return told

    def told(self) -> dict[str, Any]:
        """Return the limits and what is left, for a record; empty without limits."""
        entries, names = read(self.path) if self.limits else {}, {"shots": "left", "seconds": "seconds_left"}
        found: dict[str, Any] = {}
        for unit, limit in self.limits.items():
            found |= {unit: limit, names[unit]: _tidy(limit - _sum(entries, unit))}
        return found

    def _refusal(self, entries: Entries, unit: str, needs: float) -> str:
        used = _sum(entries, unit)
        return (
            f"the budget of {self.device} is too small: {used} of {self.limits[unit]} {WORDS[unit]} are spent or "
            f"reserved, and this would take {needs} more; go on with budget_{unit}={_tidy(used + needs)} or more, "
            "or with another backend"
        )

    @contextmanager
    def _entries(self) -> Iterator[Entries]:
        """Yield the recorded entries, locked; changes are written when the block ends."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_suffix(".lock").open("ab") as lock:
            end = time.monotonic() + PATIENCE
            while not taken(lock):
                if time.monotonic() > end:
                    raise BackendError(f"another process has held {self.path.with_suffix('.lock')} for {PATIENCE:g} s")
                time.sleep(0.01)
            entries = read(self.path)
            before = json.dumps(entries)
            yield entries
            if json.dumps(entries) != before:
                write(self.path, entries)


def budget_of(sampler: BaseSampler, shots: int | None, seconds: float | None, *, trials: bool) -> Budget:
    """Return the budget of a sampler's device; raises if a job's seconds of use cannot be known in advance."""
    if seconds is None:
        return Budget(sampler.name, shots)
    if sampler.job_seconds is None and sampler.on_a_fake is None:
        raise BackendError(
            f"{sampler.name} takes no budget_seconds, because it cannot end a job after a number "
            "of seconds; use budget_shots"
        )
    if trials:
        raise BackendError(
            f"budget_seconds={seconds!r} does not cover the tests of preflight and mitigation; "
            "leave one or the other out"
        )
    if sampler.job_seconds is not None:
        return Budget(sampler.name, shots, seconds=seconds, job_seconds=sampler.job_seconds)
    Budget(sampler.name, shots, seconds=seconds)  # refuses what is no limit
    return Budget(sampler.name, shots)  # a fake takes the limit, and nobody counts its seconds


def standing() -> Iterator[dict[str, Any]]:
    """Yield each device with a budget: its name, what is spent, reserved and left by unit, the last limit, the file."""
    for path in sorted(_folder().glob("*.json")):
        entries = read(path)
        limits = entries.get("limit", {})
        for unit, limit in ((unit, limits[unit]) for unit in OPEN if unit in limits):
            reserved = _sum(entries, unit, only_open=True)
            spent = _tidy(_sum(entries, unit) - reserved)
            yield {"device": unquote(path.stem), "unit": WORDS[unit], "limit": limit, "spent": spent,
                   "reserved": reserved, "left": _tidy(limit - spent - reserved), "file": str(path)}  # fmt: skip


def _folder() -> Path:
    return folder().parent / "budgets"


def _sum(entries: Entries, unit: str = "shots", only_open: bool = False) -> float:
    counted = (one for key, one in entries.items() if key != "limit" and (one.get(OPEN[unit]) or not only_open))
    return _tidy(sum(one.get(unit, 0) for one in counted))


def _tidy(number: float) -> float:
    """Return a number for people: to the thousandth, whole if it is."""
    return int(number) if number == int(number) else round(number, 3)


def _seconds_settled(entry: dict[str, Any], seconds: object, ticket: Ticket | None) -> dict[str, Any]:
    """Return an entry's part about seconds once its shots have come."""
    if "seconds" not in entry:
        return {}
    if is_number(seconds):
        return {"seconds": seconds}
    if not entry.get("seconds_open"):  # they were told before
        return {"seconds": entry["seconds"]}
    waits = {"ticket": {name: ticket[name] for name in ("job", "jobs") if name in ticket}} if ticket else {}
    return {"seconds": entry["seconds"], "seconds_open": True, **waits}


def read(path: Path) -> Entries:
    """Return the entries of a budget's file; none if there is no file."""
    try:
        entries = kept(path, "a budget") or {}
    except BackendError as error:
        raise BackendError(NO_BUDGET.format(path)) from error
    if not all(_is_entry(*pair) for pair in entries.items()):
        raise BackendError(NO_BUDGET.format(path))
    return entries


def _is_entry(key: str, one: object) -> bool:
    return (
        isinstance(one, dict)
        and (is_count(one.get("shots")) or (key == "limit" and "shots" not in one))
        and is_number(one.get("seconds", 0))
        and isinstance(one.get("jobs", []), list)
    )

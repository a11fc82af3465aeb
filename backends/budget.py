"""Budgets: how many shots may be spent on one device, by all processes that share a state folder.

What is going to be sent is written down as reserved before it is sent, and set to what came when it came. So the sum
of what is written is never less than what was spent, also where a process is killed at any moment between: then what
it reserved stays reserved. Jobs are written down under their key, which a process that asks again has again.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from urllib.parse import quote, unquote

from qchess.backends.devices.desk import folder, write
from qchess.circuits.errors import BackendError
from qchess.circuits.locks import taken

#: seconds to wait for the file while other processes write
PATIENCE = 60.0
#: each entry by its key: ``{"shots": 100, "open": true}``, where open is what is reserved and not known to be spent
Entries = dict[str, dict[str, Any]]


@runtime_checkable
class Generous(Protocol):
    """A sampler whose machine gives more shots than asked, and which knows how many."""

    def shots_given(self, shots: int) -> int:
        """How many shots of a circuit come where so many are asked."""


def shots_given(sampler: object, shots: int) -> int:
    """How many shots of a circuit will come where so many are asked."""
    return sampler.shots_given(shots) if isinstance(sampler, Generous) else shots


class BudgetError(BackendError):
    """Something would take more than a budget leaves; `used` of what was reserved had run, and `needs` were wanted."""

    def __init__(self, message: str, used: int = 0, needs: int = 0) -> None:
        super().__init__(message)
        self.used, self.needs = used, needs


@dataclass(slots=True)
class Held:
    """What is reserved for one run, None where there is no budget; whoever ran it says what it `used`."""

    shots: int | None
    used: int | None = None


class Budget:
    """What may be spent on a device: at most so many `shots`, and without end where that is None.

    What it covers is all that was sent under a budget to the device of this name, whatever its settings, by any
    process with this state folder. Without a limit nothing is written down.
    """

    def __init__(self, device: str, shots: int | None = None, place: Path | None = None) -> None:
        if shots is not None and (type(shots) is not int or shots < 0):
            raise BackendError(f"a device's budget_shots is a number of shots, or None for no limit; got {shots!r}")
        self.device, self.shots = device, shots
        self.path = (place or _folder()) / f"{quote(device, safe='')}.json"

    def reserve(self, key: str, shots: int, least: int | None = None) -> int | None:
        """Reserves shots under a key, or fewer but `least`; what has this key already is the same job."""
        if self.shots is None:
            return None
        with self._entries() as entries:
            if key not in entries:
                left = self.shots - _sum(entries)
                if left < (shots if least is None else least):
                    raise BudgetError(self._refusal(entries, shots if least is None else least))
                entries[key] = {"shots": min(shots, left), "open": True}
            entries["limit"] = {"shots": self.shots}
            return int(entries[key]["shots"])

    def settle(self, key: str, shots: int) -> None:
        """Sets what was reserved under a key to what came; doing that again changes nothing."""
        if self.path.exists():
            with self._entries() as entries:
                if key in entries:
                    entries[key] = {"shots": shots}

    def holds(self, key: str) -> bool:
        """Whether something was reserved under a key before, by a process whose job may be there."""
        return self.shots is not None and key in _read(self.path)

    def lost(self, key: str, jobs: Sequence[str] = ()) -> None:
        """Lets the key of jobs that gave no shots be handed in again; what was reserved counts, as they may have run.

        `jobs` are the names of all that ended so under this key: where none of them is new, nothing changes.
        """
        if self.path.exists():
            with self._entries() as entries:
                before = [one for name, one in entries.items() if name.startswith(f"{key} lost ")]
                counted = {job for one in before for job in one.get("jobs", ())}
                if key in entries and (not jobs or not counted.issuperset(jobs)):
                    entries[f"{key} lost {uuid.uuid4().hex}"] = {"shots": entries.pop(key)["shots"], "jobs": [*jobs]}

    @contextmanager
    def spending(self, shots: int, least: int | None = None) -> Iterator[Held]:
        """Reserves shots for a run, and settles what it used; where it fails, all of it counts."""
        key = f"run {uuid.uuid4().hex}"
        held = Held(self.reserve(key, shots, least))
        try:
            yield held
        except BudgetError as error:
            self.settle(key, error.used)
            with self._entries() as entries:
                raise BudgetError(self._refusal(entries, error.needs)) from None
        if held.shots is not None and held.used is not None:
            self.settle(key, held.used)

    def left(self) -> int | None:
        """How many shots are neither spent nor reserved; None where there is no limit."""
        return None if self.shots is None else self.shots - _sum(_read(self.path))

    def _refusal(self, entries: Entries, needs: int) -> str:
        used = _sum(entries)
        return (
            f"the budget of {self.device} is too small: {used} of {self.shots} shots are spent or reserved, and this "
            f"would take {needs} more; go on with budget_shots={used + needs} or more, or with another backend"
        )

    @contextmanager
    def _entries(self) -> Iterator[Entries]:
        """What is written down; what is changed in it is written when this ends, and nobody else writes meanwhile."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_suffix(".lock").open("ab") as lock:
            end = time.monotonic() + PATIENCE
            while not taken(lock):
                if time.monotonic() > end:
                    raise BackendError(f"another process has held {self.path.with_suffix('.lock')} for {PATIENCE:g} s")
                time.sleep(0.01)
            entries = _read(self.path)
            before = json.dumps(entries)
            yield entries
            if json.dumps(entries) != before:
                write(self.path, entries)


def standing() -> Iterator[dict[str, Any]]:
    """Each device with a budget: its name, its shots spent, reserved and left, the last limit, and the file."""
    for path in sorted(_folder().glob("*.json")):
        entries = _read(path)
        limit, reserved = entries.get("limit", {}).get("shots", 0), _sum(entries, only_open=True)
        spent = _sum(entries) - reserved
        yield {"device": unquote(path.stem), "limit": limit, "spent": spent, "reserved": reserved,
               "left": limit - spent - reserved, "file": str(path)}  # fmt: skip


def _folder() -> Path:
    return folder().parent / "budgets"


def _sum(entries: Entries, only_open: bool = False) -> int:
    return sum(one["shots"] for key, one in entries.items() if key != "limit" and (one.get("open") or not only_open))


def _read(path: Path) -> Entries:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        entries = None
    if not isinstance(entries, dict) or not all(map(_is_entry, entries.values())):
        raise BackendError(f"{path} holds no budget; move it away to begin anew from nothing spent")
    return entries


def _is_entry(one: object) -> bool:
    return isinstance(one, dict) and type(one.get("shots")) is int and isinstance(one.get("jobs", []), list)

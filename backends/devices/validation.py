"""Validation: checks on a sampler's result and on the files of jobs and budgets, before anything of them is used.

A sampler is foreign code and may return anything. Anything but lists of shots, in whole numbers, for the circuits sent
raises one `BackendError` that says what was expected and what came. So does a file that holds anything else.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from numbers import Integral
from pathlib import Path
from typing import Any

from qchess.backends.devices.sampler import Provenance, Shots
from qchess.circuits.errors import BackendError, QchessError, whole
from qchess.circuits.program import Program, ReadOut

#: the longest part of a foreign value in a message
SHOWN = 80
#: no run gives this many shots; a larger count is garbage
MOST_SHOTS = 10**9
#: the most bytes of a file
LARGEST = 256 * 1024 * 1024


def trusted(runs: object, circuits: Sequence[Program]) -> list[Shots]:
    """Return the shots of each circuit, with every field checked; the error names the first fault."""
    if not isinstance(runs, Sequence) or isinstance(runs, str | bytes):
        raise BackendError(f"a sampler returns a list of Shots, one a circuit, got {shown(runs)}")
    if len(runs) != len(circuits):
        raise BackendError(f"it ran {len(runs)} circuits instead of {len(circuits)}")
    return [_shots(run, circuit) for run, circuit in zip(runs, circuits, strict=True)]


def shown(value: object) -> str:
    """Return a foreign value as text of bounded length, whatever its ``repr`` does."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 (its own repr fails: that is what is told)
        text = f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def words_of(error: Exception) -> str:
    """Return an error's text; for foreign errors, with their type."""
    return whole(str(error) if isinstance(error, QchessError) else f"{type(error).__name__}: {error}")


def _shots(run: object, circuit: Program) -> Shots:
    if not isinstance(run, Shots):
        raise BackendError(f"a sampler returns Shots, got {shown(run)}")
    answers = run.answers
    if not isinstance(answers, tuple) or not all(isinstance(name, str) for name in answers):
        raise BackendError(f"shots name their answers, got {shown(answers)}")
    if set(circuit.answers) - set(answers) or len(set(answers)) != len(answers):
        raise BackendError(f"shots must answer {list(circuit.answers)}, they answer {shown(list(answers))}")
    widths = {step.name: len(step.qubits) for step in circuit if isinstance(step, ReadOut)}
    limits = [2 ** widths.get(name, 1) for name in answers]
    counts = _counts(run.counts, answers, limits)
    return Shots(answers, counts, _provenance(run.provenance), _sequence(run.sequence, counts))


def _counts(counts: object, answers: tuple[str, ...], limits: list[int]) -> dict[tuple[int, ...], int]:
    if not isinstance(counts, Mapping):
        raise BackendError(f"counts map outcomes to how often they came, got {shown(counts)}")
    found: dict[tuple[int, ...], int] = {}
    for key, times in counts.items():
        if not isinstance(key, tuple) or len(key) != len(answers):
            raise BackendError(f"an outcome needs a value for each of {list(answers)}, got {shown(key)}")
        for value, limit in zip(key, limits, strict=True):
            if not _whole(value) or not 0 <= value < limit:
                raise BackendError(f"the values of an outcome are whole and below {limits}, got {shown(key)}")
        if not _whole(times) or not 0 <= times <= MOST_SHOTS:
            raise BackendError(f"an outcome comes a whole number of times, got {shown(times)} for {shown(key)}")
        if times:
            whole = tuple(int(value) for value in key)
            found[whole] = found.get(whole, 0) + int(times)
    return found


def _sequence(
    sequence: object, counts: Mapping[tuple[int, ...], int]
) -> tuple[tuple[int, ...], ...] | None:  # fmt: skip
    """Return the order of the shots, which must hold exactly the counted outcomes."""
    if sequence is None:
        return None
    if not isinstance(sequence, tuple) or Counter(sequence) != Counter(counts):
        raise BackendError(f"the order of the shots has other outcomes than their counts: {shown(sequence)}")
    return tuple(tuple(int(value) for value in outcome) for outcome in sequence)


def _whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _provenance(told: object) -> Provenance:
    if not isinstance(told, Provenance):
        raise BackendError(f"shots come with their Provenance, got {shown(told)}")
    if not isinstance(told.backend, str) or not _whole(told.asked) or not _whole(told.returned):
        raise BackendError(f"a provenance names the backend and the shots asked and returned, got {shown(told)}")
    return Provenance(**{part.name: plain(getattr(told, part.name)) for part in fields(Provenance)})


def plain(value: Any) -> Any:
    """Return the value as JSON can hold it: foreign numbers become ours, other values their text."""
    if isinstance(value, str):
        return whole(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Mapping):
        return {whole(key) if isinstance(key, str) else shown(key): plain(v) for key, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    if isinstance(value, Integral):
        return int(value)
    try:
        return json.loads(json.dumps(float(value), allow_nan=False))
    except (TypeError, ValueError):
        return value.isoformat() if hasattr(value, "isoformat") else shown(value)


def kept(path: Path, what: str) -> dict[str, Any] | None:
    """Return the object that a file of ours holds; None if there is no file."""
    try:
        if path.stat().st_size > LARGEST:
            raise BackendError(f"{path}: expected {what} of at most {LARGEST} bytes, got {path.stat().st_size}")
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except BackendError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise BackendError(f"{path}: expected {what} as JSON: {error}") from error
    if not isinstance(found, dict):
        raise BackendError(f"{path}: expected {what} as an object, got {str(found)[:60]}")
    return found


def require(path: Path, value: object, what: str, good: bool) -> None:
    """Refuse what a file holds, unless it is good."""
    if not good:
        raise BackendError(f"{path}: expected {what}, got {repr(value)[:60]}")


def is_count(value: object, most: float = 2.0**63) -> bool:
    """Tell whether this is a whole number from 0 to the most."""
    return type(value) is int and 0 <= value <= most


def is_number(value: object) -> bool:
    """Tell whether this is a number from 0 up that can be counted with."""
    return type(value) in (int, float) and 0 <= value < 1e18  # type: ignore[operator]

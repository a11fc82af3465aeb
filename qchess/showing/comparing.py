"""Devices side by side: each one's results for the same questions, with its errors and its costs.

Circuits of only the qubits asked about are a smaller experiment, and have a row of their own; so have failed questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from qchess.circuits.engine import Answer
from qchess.showing.measurements import Measurement, measurement, of_turns

if TYPE_CHECKING:
    from qchess.playing.measurements import Asked, Failure, Measured

#: the subject of a row
WHOLE, PART, FAILED = "whole registers", "in part", "failed"


@dataclass(frozen=True, slots=True)
class Row:
    """The questions of one kind on one device. Errors are means over the circuits; None if unknown."""

    device: str
    kind: str
    questions: int
    kept: float | None = None
    kept_expected: float | None = None
    #: the share that coin flips would keep, and their distance from the exact odds
    kept_coins: float | None = None
    distance_coins: float | None = None
    distance: float | None = None
    #: the band of 95% of ideal devices, its ends averaged
    ideal: tuple[float, float] | None = None
    agreement: float | None = None
    #: if known for every circuit
    undetected: float | None = None
    fidelity: float | None = None
    #: two-qubit gates of a question, after routing if known, and the expected fidelity of its circuits
    gates: float | None = None
    expected_fidelity: float | None = None
    #: the cost, failed attempts included: shots that ran, jobs, seconds, and the vendor's seconds of use
    shots: int = 0
    jobs: int = 0
    seconds: float | None = None
    used: float | None = None
    #: why the first of the questions failed
    why: str = ""
    #: True: the undetected error includes systematic angle errors
    angles: bool = False


def rows(found: Iterable[Measured]) -> list[Row]:
    """Return a row for each device and each kind of its questions."""
    made = []
    for one in found:
        groups: dict[str, list[tuple[Asked, list[Measurement]]]] = {WHOLE: [], PART: [], FAILED: []}
        for asked in one.asked:
            told = [] if asked.turn is None else of_turns([(asked.turn.player, asked.turn.move, asked.turn.answers)])
            groups[(PART if told[0].in_part else WHOLE) if told else FAILED].append((asked, told))
        made += [_row(one.device, kind, group) for kind, group in groups.items() if group]
    return made


def _row(device: str, kind: str, asked: Sequence[tuple[Asked, list[Measurement]]]) -> Row:
    group = [each for _, told in asked for each in told]
    tries = [_of_failure(failure) for one, _ in asked for failure in one.failures]
    costs = _costs(group, tries)
    if kind == FAILED:
        return Row(device, kind, len(asked), **costs, why=asked[0][0].failures[-1].why)
    figures = [each for one in group for each in one.figures]
    bands = [each.distance_noise for each in figures if each.distance_noise is not None]
    returned = sum(each.returned for each in group)
    unseen = [error for each in group for error in each.undetected]
    untold = sum(max(1, each.circuits) for each in group) > len(unseen)  # large circuits; a mean would pass over them
    return Row(
        device, kind, len(group),
        sum(each.kept for each in group) / returned if returned else None,
        _mean(each.kept_expected for each in figures), _mean(each.kept_coins for each in figures),
        _mean(each.distance_coins for each in figures), _mean(each.distance for each in figures),
        (fmean(low for low, _ in bands), fmean(high for _, high in bands)) if bands else None,
        _mean(each.agreement for each in group), None if untold else _mean(unseen),
        _mean(each.fidelity for each in figures),
        _mean(each.two_qubit_gates if each.sent is None else each.sent for each in group),
        _mean(each.expected_fidelity for each in group), **costs, angles=all(each.angles for each in group),
    )  # fmt: skip


def _of_failure(failure: Failure) -> Measurement:
    """Return what the record of a failure says, without an answer."""
    return measurement(0, "", "", Answer("", 0, 0.0, "", failure.details))


def _costs(answered: Sequence[Measurement], failed: Sequence[Measurement]) -> dict[str, Any]:
    """Return the cost of answers and failures together, as far as known; the same job counts once."""
    jobs: set[str] = set()
    group: list[Measurement] = []
    for each in (*answered, *failed):
        if not each.jobs or not jobs.issuperset(each.jobs):
            group.append(each)
        jobs.update(each.jobs)
    return {
        "shots": sum(each.ran or each.returned for each in group), "jobs": len(jobs),
        "seconds": _sum(each.seconds for each in group), "used": _sum(each.used for each in group),
    }  # fmt: skip


def _mean(values: Iterable[float | None]) -> float | None:
    told = [value for value in values if value is not None]
    return fmean(told) if told else None


def _sum(values: Iterable[float | None]) -> float | None:
    told = [value for value in values if value is not None]
    return sum(told) if told else None


#: the head of each column after the device, in two lines, and its content
COLUMNS: tuple[tuple[tuple[str, str], Callable[[Row], str]], ...] = (
    (("ques-", "tions"), lambda row: str(row.questions)),
    (("2q", "gates"), lambda row: _told(row.gates, 1)),
    (("expected", "fidelity"), lambda row: _told(row.expected_fidelity)),
    (("kept", "seen"), lambda row: _told(row.kept)),
    (("kept", "expected"), lambda row: _told(row.kept_expected)),
    (("kept", "coins"), lambda row: _told(row.kept_coins)),
    (("dis-", "tance"), lambda row: _told(row.distance)),
    (("ideal", "up to"), lambda row: _told(row.ideal and row.ideal[1])),
    (("un-", "detected"), lambda row: _told(row.undetected, 4)),
    (("", "shots"), lambda row: str(row.shots or "-")),
    (("", "jobs"), lambda row: str(row.jobs or "-")),
    (("use", "in s"), lambda row: _told(row.used, 1)),
    (("time", "in s"), lambda row: _told(row.seconds, 1)),
)


def text(made: Sequence[Row]) -> str:
    """Return the rows as a table, then which errors are incomplete, and the devices with failed questions.

    A column without any value is left out.
    """
    columns = [["", "device", *_names(made)], *([*head, *map(cell, made)] for head, cell in COLUMNS)]
    told = [column for column in columns if set(column[2:]) != {"-"}]
    widths = [max(map(len, column)) for column in told]
    lines = (
        "  ".join(
            cell.rjust(width) if k else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in zip(*told, strict=True)
    )
    return "\n".join([*lines, *_without_angles(made), *_failures(made)])


def _without_angles(made: Sequence[Row]) -> Iterator[str]:
    """Yield which undetected errors are incomplete because a calibration lacks figures."""
    told = [row for row in made if row.undetected is not None]
    counted = dict.fromkeys(row.device for row in told if row.angles)
    if any(not row.angles for row in told):
        if counted:
            told_by = f"included for {', '.join(counted)} only; the others do not publish them"
        else:
            told_by = "not included, since no device here publishes them"
        yield f"undetected: constant angle errors are {told_by}"


def _names(made: Sequence[Row]) -> Iterator[str]:
    """Yield the name of each row; below the first row of a device, only the subject."""
    for before, row in zip([None, *made], made, strict=False):
        if before and before.device == row.device:
            yield f"  {row.kind}"
        else:
            yield row.device if row.kind == WHOLE else f"{row.device} ({row.kind})"


def _band(row: Row) -> str:
    return "-" if row.ideal is None else f"{row.ideal[0]:.3f} to {row.ideal[1]:.3f}"


def _told(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _failures(made: Sequence[Row]) -> Iterator[str]:
    for row in made:
        if row.kind == FAILED:
            yield f"{row.device} failed {row.questions} time{'s' * (row.questions > 1)}: {row.why}"


def described(row: Row) -> str:
    """Return a row in words, for those who do not see it."""
    told = f"{row.device}, {row.questions} question{'s' * (row.questions > 1)}"
    if row.kind == FAILED:
        return f"{told} failed: {row.why}"
    always = "" if row.angles else " without constant angle errors"
    figures = [
        (f"kept {_share(row.kept)}", row.kept), (f"expected {_share(row.kept_expected)}", row.kept_expected),
        (f"coin flips {_share(row.kept_coins)}", row.kept_coins), (f"distance {_told(row.distance)}", row.distance),
        (f"of ideal devices {_band(row)}", row.ideal),
        (f"undetected error {_told(row.undetected, 4)}{always}", row.undetected),
    ]  # fmt: skip
    part = " in part" if row.kind == PART else ""
    return ", ".join([told + part, *(text for text, value in figures if value is not None), *filter(None, cost(row))])


def cost(row: Row) -> tuple[str, str]:
    """Return what ran, and how long it took."""
    jobs = f", {row.jobs} job{'s' * (row.jobs > 1)}" if row.jobs else ""
    times = (("", row.seconds), (" of use", row.used))
    return f"{row.shots} shots{jobs}", ", ".join(f"{value:.1f} s{what}" for what, value in times if value is not None)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"

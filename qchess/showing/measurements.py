"""Measurements: a record's open questions, and who answered them how, as values.

Only the record is read; nothing is run again. A circuit of only the qubits asked about is a smaller experiment than one
of the whole register: the two are kept apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qchess.circuits.engine import Answer
    from qchess.playing.record import Record

#: the width of the intervals of frequencies, in standard deviations
SIGMA = 2


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures that distinguish the shots of one circuit from coin flips; None if not recorded.

    First the shares of shots kept: seen, expected of this device, and of coin flips. Then, for all strings that were
    read, their total variation distance from the exact odds and their Hellinger fidelity with them, each with the band
    of 95% of ideal devices with as many shots.
    """

    shots: int
    kept: float | None = None
    kept_expected: float | None = None
    kept_coins: float | None = None
    distance: float | None = None
    distance_noise: tuple[float, float] | None = None
    distance_coins: float | None = None
    fidelity: float | None = None
    fidelity_noise: tuple[float, float] | None = None
    #: True: the shots look like coin flips
    like_coins: bool = False
    #: the names of the bits read, past questions and then qubits; the counts of the most frequent strings; and
    #: how many shots gave others. Older records lack them
    read: tuple[str, ...] = ()
    strings: Mapping[str, int] = field(default_factory=dict)
    other_shots: int = 0
    #: the exact odds of these strings, where not 0, and why some were dropped; None if not recorded
    string_odds: Mapping[str, float] | None = None
    dropped_strings: Mapping[str, str] | None = None
    #: if coin flips keep as many shots as a perfect device: the share of the strings likelier than theirs,
    #: by the exact odds, and of coin flips
    likelier: float | None = None
    likelier_exact: float | None = None
    likelier_coins: float | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """One open question of a game: what was asked, who answered, and what came back."""

    ply: int
    player: str
    move: str
    question: str
    value: int
    source: str
    #: the exact probability of each answer, and how many valid shots gave it
    odds: Mapping[str, float]
    observed: Mapping[str, int] = field(default_factory=dict)
    #: the odds corrected for read-out errors, if requested
    mitigated: Mapping[str, float] = field(default_factory=dict)
    device: str = ""
    strategy: str = ""
    made: str = ""
    #: how many circuits were sent, the qubits of the widest, and those of each if recorded
    circuits: int = 0
    qubits: int = 0
    widths: tuple[int, ...] = ()
    #: how many qubits of its register each circuit left out, if any
    left_out: tuple[int, ...] = ()
    depth: int = 0
    two_qubit_gates: int = 0
    #: two-qubit gates, and the largest depth, after routing on the chip, if known
    sent: int | None = None
    sent_depth: int | None = None
    asked: int = 0
    returned: int = 0
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    #: all shots that ran for the answer, tests of the qubits included; 0 if not recorded
    ran: int = 0
    expected_fidelity: float | None = None
    #: the expected error of the kept shots, circuit by circuit, if computed
    undetected: tuple[float, ...] = ()
    #: True: that includes systematic angle errors of two-qubit gates, which most machines do not report
    angles: bool = False
    seconds: float | None = None
    #: the vendor's seconds of use
    used: float | None = None
    #: the seconds expected before sending
    expected_seconds: float | None = None
    physical: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    #: the tags by which the vendor's pages find the jobs
    tags: tuple[str, ...] = ()
    calibrated: str | None = None
    picked: str = ""
    fallback: str = ""
    #: qubits that were tested, found bad, and not used
    avoided: tuple[str, ...] = ()
    figures: tuple[Figures, ...] = ()
    #: how a job from an earlier process was found
    found: str = ""
    #: True: half of the shots were read with every bit flipped
    twirled: bool = False
    #: the limits of the device's budget and what was left, as recorded
    budget: Mapping[str, float] = field(default_factory=dict)
    #: what a fake did with those settings of its device that it does not apply or that do not help it
    on_a_fake: Mapping[str, str] = field(default_factory=dict)

    @property
    def agreement(self) -> float | None:
        """Return the Hellinger fidelity of the kept shots' answers with the exact odds; None without shots.

        It says whether the answer is reliable, but little about the device: coin flips agree as well if their wrong
        shots are dropped.
        """
        shots = sum(self.observed.values())
        if not shots:
            return None
        return sum(math.sqrt(p * self.observed.get(value, 0) / shots) for value, p in self.odds.items()) ** 2

    @property
    def fidelity(self) -> float | None:
        """Return `agreement`, by its former name."""
        return self.agreement

    @property
    def in_part(self) -> bool:
        """Tell whether only the qubits asked about were sent, not the whole register."""
        return "in part" in self.made

    def share(self, value: str) -> tuple[float, float] | None:
        """Return the observed share of an answer, and its standard deviation; None without shots."""
        shots = sum(self.observed.values())
        if not shots:
            return None
        share = self.observed.get(value, 0) / shots
        return share, math.sqrt(max(share * (1 - share), 1 / shots) / shots)

    def interval(self, value: str) -> tuple[float, float] | None:
        """Return Wilson's interval (`SIGMA`) for the probability of an answer, from the observed shots."""
        shots, times = sum(self.observed.values()), self.observed.get(value, 0)
        if not shots:
            return None
        centre = times + SIGMA**2 / 2
        half = SIGMA * math.sqrt(times * (shots - times) / shots + SIGMA**2 / 4)
        return max(0.0, centre - half) / (shots + SIGMA**2), min(1.0, (centre + half) / (shots + SIGMA**2))

    def values(self) -> dict[str, Any]:
        """Return the measurement as JSON values."""
        told: dict[str, Any] = _listed(asdict(self))
        return {**told, "agreement": self.agreement, "fidelity": self.fidelity, "in_part": self.in_part}


def measurements(record: Record) -> list[Measurement]:
    """Return the open questions of a record, in the order asked."""
    turns = [(entry.player, entry.move, entry.answers) for entry in record.entries]
    if record.pending:
        turns.append(("", record.pending.move, record.pending.answers))
    return of_turns(turns)


def of_turns(turns: Sequence[tuple[str, str, Sequence[Answer]]]) -> list[Measurement]:
    """Return the open questions of these turns, each a player, a move and its answers."""
    return [
        measurement(ply, player, move, answer)
        for ply, (player, move, answers) in enumerate(turns, 1)
        for answer in answers
        if answer.source != "certain"
    ]


def waiting(record: Record) -> dict[str, Any] | None:
    """Return what a record waits for, as JSON values: the move, the question, the device and its jobs; else None."""
    if record.pending is None:
        return None
    ticket = record.pending.ticket or {}
    jobs = _list(ticket.get("jobs")) or [job for job in (ticket.get("job"),) if job is not None]
    return {
        "move": record.pending.move,
        "question": record.pending.question,
        "device": _text(ticket.get("device")) or record.backend,
        "jobs": list(map(str, jobs)),
    }


def measurement(ply: int, player: str, move: str, answer: Answer) -> Measurement:
    """Return the measurement from one answer."""
    told = answer.details
    machine = [each for each in _list(told.get("machine")) if isinstance(each, Mapping)]
    unseen = [each for each in machine if _number(each.get("undetected_error")) is not None]
    preflight, usage = told.get("preflight"), told.get("usage")
    sent = [each["two_qubit_gates"] for each in machine if isinstance(each.get("two_qubit_gates"), int)]
    return Measurement(
        ply, player, move, answer.name, answer.value, answer.source,
        odds=_numbers(told.get("odds")) or {str(answer.value): answer.probability},
        observed={value: int(times) for value, times in _numbers(told.get("observed")).items()},
        mitigated=_numbers(told.get("mitigated")),
        device=_text(told.get("backend")), strategy=_text(told.get("strategy")), made=_text(told.get("made")),
        circuits=_count(told.get("circuits")), qubits=_count(told.get("qubits")), depth=_count(told.get("depth")),
        widths=tuple(map(_count, _list(told.get("widths")))), left_out=tuple(map(_count, _list(told.get("left_out")))),
        two_qubit_gates=_count(told.get("two_qubit_gates")), sent=sum(sent) if sent else None,
        sent_depth=max((_count(each.get("depth")) for each in machine), default=0) or None,
        asked=_count(told.get("asked")), returned=_count(told.get("returned")), kept=_count(told.get("kept")),
        dropped={reason: int(times) for reason, times in _numbers(told.get("dropped")).items()},
        ran=_count(told.get("shots_run")),
        expected_fidelity=_number(told.get("expected_fidelity")), seconds=_number(told.get("seconds")),
        undetected=tuple(float(each["undetected_error"]) for each in unseen),
        angles=bool(unseen) and all(each.get("undetected_angles") is True for each in unseen),
        used=_number(usage.get("seconds")) if isinstance(usage, Mapping) else None,
        tags=tuple(map(str, _list(usage.get("tags")))) if isinstance(usage, Mapping) else (),
        expected_seconds=_number(told.get("expected_seconds")),
        physical=tuple(str(q) for each in machine for q in _list(each.get("physical"))),
        jobs=tuple(map(str, _list(told.get("jobs")))), calibrated=_text(told.get("calibrated")) or None,
        picked=_text(told.get("picked")), fallback=_text(told.get("fallback")),
        avoided=tuple(map(str, _list(preflight.get("bad")))) if isinstance(preflight, Mapping) else (),
        figures=tuple(_figures(each) for each in _list(told.get("figures")) if isinstance(each, Mapping)),
        found=_text(told.get("found")), twirled=told.get("readout_twirling") is True,
        budget=_numbers(told.get("budget")), on_a_fake=_texts(told.get("on_a_fake")),
    )  # fmt: skip


def _figures(told: Mapping[str, Any]) -> Figures:
    dropped = told.get("dropped_strings")
    return Figures(
        _count(told.get("shots")), _number(told.get("kept")), _number(told.get("kept_expected")),
        _number(told.get("kept_coins")), _number(told.get("distance")), _band(told.get("distance_noise")),
        _number(told.get("distance_coins")), _number(told.get("fidelity")), _band(told.get("fidelity_noise")),
        told.get("like_coins") is True, tuple(map(str, _list(told.get("read")))),
        {bits: int(times) for bits, times in _numbers(told.get("strings")).items()}, _count(told.get("other_shots")),
        _numbers(odds) if isinstance(odds := told.get("string_odds"), Mapping) else None,
        {str(bits): _text(why) for bits, why in dropped.items()} if isinstance(dropped, Mapping) else None,
        *(_number(told.get(name)) for name in ("likelier", "likelier_exact", "likelier_coins")),
    )  # fmt: skip


# -- records come from outside: each field is read as what it has to be ------------------------------------


def _numbers(value: object) -> dict[str, float]:
    found = value.items() if isinstance(value, Mapping) else ()
    return {str(key): number for key, each in found if (number := _number(each)) is not None}


def _texts(value: object) -> dict[str, str]:
    found = value.items() if isinstance(value, Mapping) else ()
    return {str(key): each for key, each in found if isinstance(each, str)}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _band(value: object) -> tuple[float, float] | None:
    ends = [number for each in _list(value) if (number := _number(each)) is not None]
    return (ends[0], ends[1]) if len(ends) == 2 else None


def _listed(value: Any) -> Any:
    """Return the value with lists for tuples, as JSON has them."""
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    return [_listed(inner) for inner in value] if isinstance(value, list | tuple) else value

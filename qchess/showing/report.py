"""Reports: what a record tells about its measurements, beside the exact odds; as values, text and pictures.

Only the record is read. Nothing is run again, so a report says what was, not what would be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.errors import QchessError

if TYPE_CHECKING:
    from qchess.circuits.engine import Answer
    from qchess.playing.record import Record

#: one standard deviation of a frequency is drawn; two make the interval in the text
SIGMA = 2


@dataclass(frozen=True, slots=True)
class Measurement:
    """One open question of a game: what was asked of whom, and what came back."""

    ply: int
    player: str
    move: str
    question: str
    value: int
    source: str
    #: the exact probability of each answer, and how many believable shots gave it
    odds: Mapping[str, float]
    observed: Mapping[str, int] = field(default_factory=dict)
    #: the odds that the shots would show if bits were read rightly, where that was wanted
    mitigated: Mapping[str, float] = field(default_factory=dict)
    device: str = ""
    strategy: str = ""
    made: str = ""
    qubits: int = 0
    depth: int = 0
    two_qubit_gates: int = 0
    #: two-qubit gates after routing on the chip, where it tells
    sent: int | None = None
    asked: int = 0
    returned: int = 0
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    expected_fidelity: float | None = None
    seconds: float | None = None
    physical: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    calibrated: str | None = None
    picked: str = ""
    fallback: str = ""
    #: qubits that were tried before, found bad, and not used
    avoided: tuple[str, ...] = ()

    @property
    def fidelity(self) -> float | None:
        """The Hellinger fidelity between the observed and the exact odds; None without shots."""
        shots = sum(self.observed.values())
        if not shots:
            return None
        return sum(math.sqrt(p * self.observed.get(value, 0) / shots) for value, p in self.odds.items()) ** 2

    def share(self, value: str) -> tuple[float, float] | None:
        """How often an answer was observed, and one standard deviation of that; None without shots."""
        shots = sum(self.observed.values())
        if not shots:
            return None
        share = self.observed.get(value, 0) / shots
        return share, math.sqrt(max(share * (1 - share), 1 / shots) / shots)

    def values(self) -> dict[str, Any]:
        """The measurement in JSON values."""
        lists = {"physical": list(self.physical), "jobs": list(self.jobs), "avoided": list(self.avoided)}
        return {**asdict(self), **lists, "fidelity": self.fidelity}


def measurements(record: Record) -> list[Measurement]:
    """The questions of a record whose answers were open, in the order in which they were asked."""
    return [
        _measurement(ply, entry.player, entry.move, answer)
        for ply, entry in enumerate(record.entries, 1)
        for answer in entry.answers
        if answer.source != "certain"
    ]


def _measurement(ply: int, player: str, move: str, answer: Answer) -> Measurement:
    told = answer.details
    machine = [each for each in _list(told.get("machine")) if isinstance(each, Mapping)]
    preflight = told.get("preflight")
    sent = [each["two_qubit_gates"] for each in machine if isinstance(each.get("two_qubit_gates"), int)]
    return Measurement(
        ply, player, move, answer.name, answer.value, answer.source,
        odds=_numbers(told.get("odds")) or {str(answer.value): answer.probability},
        observed={value: int(times) for value, times in _numbers(told.get("observed")).items()},
        mitigated=_numbers(told.get("mitigated")),
        device=_text(told.get("backend")), strategy=_text(told.get("strategy")), made=_text(told.get("made")),
        qubits=_count(told.get("qubits")), depth=_count(told.get("depth")),
        two_qubit_gates=_count(told.get("two_qubit_gates")), sent=sum(sent) if sent else None,
        asked=_count(told.get("asked")), returned=_count(told.get("returned")), kept=_count(told.get("kept")),
        dropped={reason: int(times) for reason, times in _numbers(told.get("dropped")).items()},
        expected_fidelity=_number(told.get("expected_fidelity")), seconds=_number(told.get("seconds")),
        physical=tuple(str(q) for each in machine for q in _list(each.get("physical"))),
        jobs=tuple(map(str, _list(told.get("jobs")))), calibrated=_text(told.get("calibrated")) or None,
        picked=_text(told.get("picked")), fallback=_text(told.get("fallback")),
        avoided=tuple(map(str, _list(preflight.get("bad")))) if isinstance(preflight, Mapping) else (),
    )  # fmt: skip


# -- records come from outside: each field is read as what it has to be ------------------------------------


def _numbers(value: object) -> dict[str, float]:
    found = value.items() if isinstance(value, Mapping) else ()
    return {str(key): number for key, each in found if (number := _number(each)) is not None}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


# -- text ---------------------------------------------------------------------------------------------------


def text(record: Record) -> str:
    """The report as text: the totals, then each measurement."""
    found = measurements(record)
    drawn = f", answers from {record.outcomes}" if record.outcomes else ""
    title = f"{record.game} on {record.backend}{drawn}: {len(record.entries)} turns, {len(found)} open questions"
    if not found:
        return f"{title}\nNothing was measured: every answer was certain."
    return "\n".join([title, *_totals(found), "", *(line for one in found for line in _lines(one))])


def _totals(found: Sequence[Measurement]) -> Iterator[str]:
    shots = sum(one.returned for one in found)
    if not shots:
        return
    kept = sum(one.kept for one in found)
    yield f"  shots: {shots} returned, {kept} kept ({kept / shots:.1%})"
    fidelities = [one.fidelity for one in found if one.fidelity is not None]
    if fidelities:
        yield f"  odds: Hellinger fidelity with the exact ones {sum(fidelities) / len(fidelities):.4f} on average"
    seconds = [one.seconds for one in found if one.seconds is not None]
    if seconds:
        yield f"  time: {sum(seconds):.1f} s on devices"


def _lines(one: Measurement) -> Iterator[str]:
    yield f"{one.ply:3}. {one.player}: {one.move}  {one.question} = {one.value}, from {one.source}"
    for value, p in one.odds.items():
        share = one.share(value)
        seen = "" if share is None else f", observed {share[0]:.3f} ± {SIGMA * share[1]:.3f}"
        undone = f", {one.mitigated[value]:.3f} without the errors of reading" if value in one.mitigated else ""
        yield f"       {one.question} = {value}: exact {p:.4f}{seen}{undone}"
    if one.device:
        gates = f"{one.two_qubit_gates} two-qubit gates" + ("" if one.sent is None else f", {one.sent} on the chip")
        yield f"       circuit ({one.made or one.strategy}): {one.qubits} qubits, {gates}, depth {one.depth}"
        lost = ", ".join(f"{times} {reason}" for reason, times in one.dropped.items() if times) or "none"
        yield f"       shots: {one.asked} asked, {one.returned} returned, {one.kept} kept; dropped: {lost}"
    yield from _particulars(one)


def _particulars(one: Measurement) -> Iterator[str]:
    if one.fidelity is not None:
        expected = (
            "" if one.expected_fidelity is None else f"; expected for the raw circuit {one.expected_fidelity:.3f}"
        )
        yield f"       fidelity: {one.fidelity:.4f} of the kept shots{expected}"
    if one.physical:
        avoided = f"; found bad and not used: {' '.join(one.avoided)}" if one.avoided else ""
        yield f"       on qubits: {' '.join(one.physical)}{avoided}"
    facts = [f"{one.seconds:.2f} s" if one.seconds is not None else "", *(f"job {job}" for job in one.jobs),
             f"calibrated {one.calibrated}" if one.calibrated else "", one.picked]  # fmt: skip
    if any(facts):
        yield f"       {', '.join(fact for fact in facts if fact)}"
    if one.fallback:
        yield f"       the device failed: {one.fallback}"


# -- pictures --------------------------------------------------------------------------------------------------


def plots(record: Record, folder: Path) -> list[Path]:
    """Draws the pictures of a report into a folder: odds, fidelity, and where on the chip."""
    found = [one for one in measurements(record) if one.observed]
    if not found:
        raise QchessError("there is nothing to draw: no answer of this record came from a device's shots")
    figure = _matplotlib()
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {"odds": _draw_odds, "fidelity": _draw_fidelity, "chip": _draw_chip}
    made = []
    for name, draw in drawn.items():
        picture = figure(figsize=(7, 4.2), layout="constrained")
        draw(picture.subplots(), found)
        made.append(folder / f"{name}.svg")
        picture.savefig(made[-1])
    return made


def _matplotlib() -> Any:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise QchessError("pictures of a report need matplotlib; install it with: pip install 'qchess[viz]'") from error
    return Figure


def _draw_odds(axes: Any, found: Sequence[Measurement]) -> None:
    """Observed odds over exact ones, with one standard deviation; on the line they agree."""
    points = [(p, *share) for one in found for value, p in one.odds.items() if (share := one.share(value)) is not None]
    exact, seen, errors = zip(*points, strict=True)
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, zorder=1)
    axes.errorbar(exact, seen, yerr=errors, fmt="o", markersize=4, capsize=2, color="#1f5fa8")
    axes.set(xlabel="exact probability", ylabel="share of the kept shots", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    axes.set_title("observed odds against exact ones, one standard deviation")


def _draw_fidelity(axes: Any, found: Sequence[Measurement]) -> None:
    """The fidelity of the odds and the kept share over the two-qubit gates."""
    gates = [one.sent if one.sent is not None else one.two_qubit_gates for one in found]
    axes.plot(gates, [one.fidelity for one in found], "o", color="#1f5fa8", label="fidelity of the odds, kept shots")
    axes.plot(gates, [one.kept / max(1, one.returned) for one in found], "s", color="#c8641e", label="kept share")
    axes.set(xlabel="two-qubit gates", ylim=(0, 1.05))
    axes.legend(loc="lower left", frameon=False)
    axes.set_title("what the gates cost")


def _draw_chip(axes: Any, found: Sequence[Measurement]) -> None:
    """How often each qubit of the chip was used."""
    uses: dict[str, int] = {}
    for one in found:
        for qubit in one.physical:
            uses[qubit] = uses.get(qubit, 0) + 1
    names = sorted(uses, key=lambda q: (len(q), q))
    axes.bar(range(len(names)), [uses[q] for q in names], color="#1f5fa8")
    axes.set_xticks(range(len(names)), names, rotation=60 if len(names) > 8 else 0, fontsize=8)
    axes.set(xlabel="qubit of the chip", ylabel="measurements")
    axes.set_title("where on the chip" if names else "the device did not say which qubits it used")

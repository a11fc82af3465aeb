"""Reports: what a record tells about its measurements, beside the exact odds; as values, text and pictures.

Only the record is read. Nothing is run again, so a report says what was, not what would be. A circuit of the asked
qubits alone is a smaller experiment than one of their whole register: the two are counted apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.backends.devices.sampler import fake_line
from qchess.errors import QchessError

if TYPE_CHECKING:
    from qchess.circuits.engine import Answer
    from qchess.playing.record import Record

#: the intervals of frequencies, in text and pictures, are of so many standard deviations
SIGMA = 2


@dataclass(frozen=True, slots=True)
class Figures:
    """What tells the shots of one circuit from coin flips; None where the record does not tell it.

    Shares of the shots that are kept: seen, expected of this device, and of coin flips. Of all strings that were read,
    nothing dropped: their total variation distance from the exact odds and their Hellinger fidelity with them, each
    with the band in which 95% of ideal devices would lie with as many shots.
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
    #: whether coin flips would keep as many shots
    like_coins: bool = False
    #: the names of the bits that were read, past questions and then qubits; how often the commonest strings came; and
    #: how many shots gave others. Older records do not tell them
    read: tuple[str, ...] = ()
    strings: Mapping[str, int] = field(default_factory=dict)
    other_shots: int = 0


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
    #: how many circuits were sent, the qubits of the widest, and those of each where the record tells them
    circuits: int = 0
    qubits: int = 0
    widths: tuple[int, ...] = ()
    #: how many qubits of its register each circuit left out, where one did
    left_out: tuple[int, ...] = ()
    depth: int = 0
    two_qubit_gates: int = 0
    #: two-qubit gates, and the largest depth, after routing on the chip, where it tells
    sent: int | None = None
    sent_depth: int | None = None
    asked: int = 0
    returned: int = 0
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    #: all shots that ran for the answer, trials of the qubits included; 0 where the record does not tell
    ran: int = 0
    expected_fidelity: float | None = None
    #: the error to expect of the kept shots, circuit by circuit, where that was worked out
    undetected: tuple[float, ...] = ()
    seconds: float | None = None
    #: the seconds of use that the vendor counts
    used: float | None = None
    #: those that were expected before it was sent
    expected_seconds: float | None = None
    physical: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    calibrated: str | None = None
    picked: str = ""
    fallback: str = ""
    #: qubits that were tried before, found bad, and not used
    avoided: tuple[str, ...] = ()
    figures: tuple[Figures, ...] = ()
    #: how the job was found that an earlier process had handed in
    found: str = ""
    #: whether half of the shots were read with every bit turned over
    twirled: bool = False
    #: the limits of the device's budget and what was left of them afterwards, as the record holds them
    budget: Mapping[str, float] = field(default_factory=dict)
    #: what a fake made of the settings of its device, of those that it does not do or that do not help it
    on_a_fake: Mapping[str, str] = field(default_factory=dict)

    @property
    def agreement(self) -> float | None:
        """The Hellinger fidelity of the answers of the kept shots with the exact odds; None without shots.

        It says whether the answer can be believed, and next to nothing of the device: coin flips agree as well where
        what they get wrong is dropped.
        """
        shots = sum(self.observed.values())
        if not shots:
            return None
        return sum(math.sqrt(p * self.observed.get(value, 0) / shots) for value, p in self.odds.items()) ** 2

    @property
    def fidelity(self) -> float | None:
        """The agreement of the answer, by its former name."""
        return self.agreement

    @property
    def in_part(self) -> bool:
        """Whether only the asked qubits of a register were sent, not the whole."""
        return "in part" in self.made

    def share(self, value: str) -> tuple[float, float] | None:
        """How often an answer was observed, and one standard deviation of that; None without shots."""
        shots = sum(self.observed.values())
        if not shots:
            return None
        share = self.observed.get(value, 0) / shots
        return share, math.sqrt(max(share * (1 - share), 1 / shots) / shots)

    def interval(self, value: str) -> tuple[float, float] | None:
        """Between which shares the odds of an answer lie, by what was observed (Wilson's interval of `SIGMA`)."""
        shots, times = sum(self.observed.values()), self.observed.get(value, 0)
        if not shots:
            return None
        centre = times + SIGMA**2 / 2
        half = SIGMA * math.sqrt(times * (shots - times) / shots + SIGMA**2 / 4)
        return max(0.0, centre - half) / (shots + SIGMA**2), min(1.0, (centre + half) / (shots + SIGMA**2))

    def values(self) -> dict[str, Any]:
        """The measurement in JSON values."""
        told: dict[str, Any] = _listed(asdict(self))
        return {**told, "agreement": self.agreement, "fidelity": self.fidelity, "in_part": self.in_part}


def measurements(record: Record) -> list[Measurement]:
    """The questions of a record whose answers were open, in the order in which they were asked."""
    turns = [(entry.player, entry.move, entry.answers) for entry in record.entries]
    if record.pending:
        turns.append(("", record.pending.move, record.pending.answers))
    return of_turns(turns)


def of_turns(turns: Sequence[tuple[str, str, Sequence[Answer]]]) -> list[Measurement]:
    """The open questions of these turns, each a player, a move and its answers."""
    return [
        measurement(ply, player, move, answer)
        for ply, (player, move, answers) in enumerate(turns, 1)
        for answer in answers
        if answer.source != "certain"
    ]


def waiting(record: Record) -> dict[str, Any] | None:
    """What a record waits for, in JSON values: the move, the question, the device and its jobs; None for nothing."""
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
    """What one answer tells of itself."""
    told = answer.details
    machine = [each for each in _list(told.get("machine")) if isinstance(each, Mapping)]
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
        undetected=tuple(e for each in machine if (e := _number(each.get("undetected_error"))) is not None),
        used=_number(usage.get("seconds")) if isinstance(usage, Mapping) else None,
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
    return Figures(
        _count(told.get("shots")), _number(told.get("kept")), _number(told.get("kept_expected")),
        _number(told.get("kept_coins")), _number(told.get("distance")), _band(told.get("distance_noise")),
        _number(told.get("distance_coins")), _number(told.get("fidelity")), _band(told.get("fidelity_noise")),
        told.get("like_coins") is True, tuple(map(str, _list(told.get("read")))),
        {bits: int(times) for bits, times in _numbers(told.get("strings")).items()}, _count(told.get("other_shots")),
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
    """The value with lists for tuples, as JSON has them."""
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    return [_listed(inner) for inner in value] if isinstance(value, list | tuple) else value


# -- text ---------------------------------------------------------------------------------------------------


def text(record: Record) -> str:
    """The report as text: the totals, then each measurement."""
    found, waits = measurements(record), waiting(record)
    drawn = f", answers from {record.outcomes}" if record.outcomes else ""
    title = f"{record.game} on {record.backend}{drawn}: {_many(len(record.entries), 'turn')}"
    lines = [f"{title}, {_many(len(found), 'open question')}", *_totals(found)]
    if waits:
        jobs = "".join(f", job {job}" for job in waits["jobs"]) or ", not handed in yet"
        lines.append(f"  1 question is waiting: {waits['question']} of {waits['move']} on {waits['device']}{jobs}")
    elif not found:
        lines.append("No measurement was needed.")
    return "\n".join([*lines, *([""] if found else []), *(line for one in found for line in _lines(one))])


def _many(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _totals(found: Sequence[Measurement]) -> Iterator[str]:
    """The sums: questions about whole registers, those in part, those the device did not answer."""
    answered = [one for one in found if one.returned and not one.fallback]
    for words, part in (("whole registers", False), ("in part, the asked qubits alone", True)):
        if group := [one for one in answered if one.in_part is part]:
            yield f"  {words}: {_total(group)}"
    if failed := sum(bool(one.fallback) for one in found):
        yield f"  not answered by the device: {_many(failed, 'question')}"
    if (ran := sum(one.ran for one in found)) > sum(one.returned for one in found):
        yield f"  all that ran, trials of the qubits included: {_many(ran, 'shot')}"
    for words, name in (("time", "seconds"), ("use, as the vendor counts it", "used")):
        if seconds := [told for one in found if (told := getattr(one, name)) is not None]:
            yield f"  {words}: {sum(seconds):.1f} s on devices"
    expected = [one.expected_seconds for one in found if one.used is not None and one.expected_seconds is not None]
    if expected:
        yield f"  use, as expected before of {_many(len(expected), 'question')} of these: {sum(expected):.1f} s"
    yield from _budgets(found)
    yield from dict.fromkeys(f"  {fake_line(one.on_a_fake)}" for one in found if one.on_a_fake)


def _budgets(found: Sequence[Measurement]) -> Iterator[str]:
    """What was left of each device's budget after the last question that tells it."""
    units = (("shots", "left", "shots"), ("seconds", "seconds_left", "seconds of use"))
    for device, told in {one.device: one.budget for one in found if one.budget}.items():
        limits = [f"{told[left]:.10g} of {told[limit]:.10g} {words}" for limit, left, words in units
                  if limit in told and left in told]  # fmt: skip
        if limits:
            yield f"  budget of {device}: {' and '.join(limits)} left after the last question"


def _total(group: Sequence[Measurement]) -> str:
    """The sum of questions of one kind."""
    shots, kept = sum(one.returned for one in group), sum(one.kept for one in group)
    told = [each for one in group for each in one.figures]
    shares = _shares(told) if all(one.figures for one in group) else ""
    agreements = [one.agreement for one in group if one.agreement is not None]
    mean = f"; agreement of the answers {sum(agreements) / len(agreements):.4f} on average" if agreements else ""
    return f"{_many(len(group), 'question')}, {_many(shots, 'shot')}, {kept} kept ({kept / shots:.1%}{shares}){mean}"


def _shares(told: Sequence[Figures]) -> str:
    """What share of the shots of these circuits would be kept, of this device as expected and of coin flips."""
    shots, found = sum(each.shots for each in told), ""
    for words, name in (("expected of this device", "kept_expected"), ("of coin flips", "kept_coins")):
        shares = [getattr(each, name) for each in told]
        if shots and None not in shares:
            found += f", {words} {sum(p * each.shots for p, each in zip(shares, told, strict=True)) / shots:.1%}"
    return found


def _lines(one: Measurement) -> Iterator[str]:
    player = f"{one.player}: " if one.player else ""
    yield f"{one.ply:3}. {player}{one.move}  {one.question} = {one.value}, from {one.source}"
    for value, p in one.odds.items():
        share, ends = one.share(value), one.interval(value)
        seen = f", observed {share[0]:.3f} ({SIGMA} sigma: {ends[0]:.3f} to {ends[1]:.3f})" if share and ends else ""
        undone = f", {one.mitigated[value]:.3f} without the errors of reading" if value in one.mitigated else ""
        yield f"       {one.question} = {value}: exact {p:.4f}{seen}{undone}"
    if one.device:
        yield f"       {_sent(one)}"
        lost = ", ".join(f"{times} {reason}" for reason, times in one.dropped.items() if times) or "none"
        more = f"; {one.ran} ran, trials of the qubits included" if one.ran > one.returned else ""
        yield f"       shots: {one.asked} asked, {one.returned} returned, {one.kept} kept; dropped: {lost}{more}"
        if one.twirled:
            yield "       read-out twirling: half of the shots were read with every bit turned over, and turned back"
    for number, told in enumerate(one.figures, 1):
        yield from _against_coins(told, f"circuit {number}, " if len(one.figures) > 1 else "")
    yield from _particulars(one)


def _sent(one: Measurement) -> str:
    """The circuits of a question, as made and as sent."""
    widths = one.widths or (one.qubits,)
    circuits = max(1, one.circuits, len(widths))
    left_out = one.left_out or (0,) * len(widths)
    each = [f"{n} of {n + left}" if left else str(n) for n, left in zip(widths, left_out, strict=False)]
    size = f"{' and '.join(each)} qubit{'' if each == ['1'] else 's'}"
    size += " at most" if circuits > len(widths) else ""
    gates = _many(one.two_qubit_gates, "two-qubit gate") + ("" if one.sent is None else f", {one.sent} on the chip")
    depth = f"depth {one.depth}" + ("" if one.sent_depth is None else f", {one.sent_depth} on the chip")
    name = "circuit" if circuits == 1 else f"{circuits} circuits"
    return f"{name} ({one.made or one.strategy}): {size}; {gates}; {depth}"


def _against_coins(told: Figures, which: str) -> Iterator[str]:
    """What tells the shots of a circuit from coin flips."""
    if told.kept is not None:
        like = "; no better than coin flips" if told.like_coins else ""
        yield f"       {which}kept {told.kept:.1%}{_shares([told])}{like}"
    if told.distance is not None:
        coins = "" if told.distance_coins is None else f", coin flips {told.distance_coins:.3f}"
        yield (
            f"       {which}all strings read: distance from the exact odds {told.distance:.3f}"
            f" ({_ideal(told.distance_noise)}{coins})"
        )
    if told.fidelity is not None:
        yield f"       {which}all strings read: Hellinger fidelity {told.fidelity:.3f} ({_ideal(told.fidelity_noise)})"


def _ideal(band: tuple[float, float] | None) -> str:
    """Where an ideal device lies, by the noise of its shots alone."""
    return "an ideal device: not worked out" if band is None else f"an ideal device {band[0]:.3f} to {band[1]:.3f}"


def _particulars(one: Measurement) -> Iterator[str]:
    if one.agreement is not None:
        yield f"       agreement of the answer with its exact odds, kept shots: {one.agreement:.4f}"
    if one.expected_fidelity is not None:
        unseen = ", ".join(f"{error:.4f}" for error in one.undetected)
        kept = f"; undetected error of what is kept: {unseen}" if unseen else ""
        yield f"       expected fidelity of what was sent: {one.expected_fidelity:.3f}{kept}"
    if one.physical:
        avoided = f"; found bad and not used: {' '.join(one.avoided)}" if one.avoided else ""
        yield f"       on qubits: {' '.join(one.physical)}{avoided}"
    facts = [f"{one.seconds:.2f} s" if one.seconds is not None else "", *(f"job {job}" for job in one.jobs),
             one.found, f"calibrated {one.calibrated}" if one.calibrated else "", one.picked]  # fmt: skip
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
    """Observed odds over exact ones, with their intervals; on the line they agree."""
    points = [
        (p, share[0], share[0] - ends[0], ends[1] - share[0])
        for one in found
        for value, p in one.odds.items()
        if (share := one.share(value)) and (ends := one.interval(value))
    ]
    exact, seen, below, above = zip(*points, strict=True)
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, zorder=1)
    errors = [[max(0.0, length) for length in lengths] for lengths in (below, above)]
    axes.errorbar(exact, seen, yerr=errors, fmt="o", markersize=4, capsize=2, color="#1f5fa8")
    axes.set(xlabel="exact probability", ylabel="share of the kept shots", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    axes.set_title(f"observed odds against exact ones, {SIGMA} standard deviations")


def _draw_fidelity(axes: Any, found: Sequence[Measurement]) -> None:
    """The agreement of the answers and the kept share over the two-qubit gates; hollow where only a part was sent."""
    for part, fill in ((False, "full"), (True, "none")):
        group = [one for one in found if one.in_part is part]
        gates = [one.sent if one.sent is not None else one.two_qubit_gates for one in group]
        seen = {"agreement of the answer": [one.agreement for one in group],
                "kept share": [one.kept / max(1, one.returned) for one in group]}  # fmt: skip
        for (name, values), mark, colour in zip(seen.items(), "os", ("#1f5fa8", "#c8641e"), strict=True):
            label = f"{name}, in part" if part else name
            axes.plot(gates, values, mark, color=colour, fillstyle=fill, label=label if group else None)
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

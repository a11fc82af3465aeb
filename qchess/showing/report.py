"""Reports: a record's measurements beside the exact odds, as text.

Questions about whole registers and those in part have separate sums: the latter are smaller experiments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from qchess.backends.devices.sampler import fake_line
from qchess.showing.measurements import SIGMA, Figures, Measurement, measurements, waiting
from qchess.showing.plots import plots
from qchess.showing.shots import counts, printable

if TYPE_CHECKING:
    from qchess.playing.record import Record

__all__ = ["measurements", "plots", "text", "waiting"]

#: how many strings of a circuit are shown
STRINGS = 8
#: why shots were dropped, in words
DROPPED = {"history": "another history", "count": "wrong number of pieces", "impossible": "impossible"}


def text(record: Record, squares: Sequence[Mapping[str, str]] = ()) -> str:
    """Return the report as text: the totals, then each measurement.

    `squares` gives for each turn the squares of qubits with other names. Names from a device stay on their line.
    """
    found, waits = measurements(record), waiting(record)
    drawn = f", answers from {record.outcomes}" if record.outcomes else ""
    title = f"{record.game} on {record.backend}{drawn}: {_many(len(record.entries), 'turn')}"
    lines = [f"{title}, {_many(len(found), 'open question')}", *_totals(found)]
    if waits:
        jobs = "".join(f", job {job}" for job in waits["jobs"]) or ", not handed in yet"
        lines.append(f"  1 question is waiting: {waits['question']} of {waits['move']} on {waits['device']}{jobs}")
    elif not found:
        lines.append("No measurement was needed.")
    lines += [""] if found else []
    for one in found:
        lines += _lines(one, squares[one.ply - 1] if one.ply <= len(squares) else {})
    return "\n".join(map(printable, lines))


def _many(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _totals(found: Sequence[Measurement]) -> Iterator[str]:
    """Yield the sums: questions about whole registers, those in part, those without an answer."""
    answered = [one for one in found if one.returned and not one.fallback]
    for words, part in (("whole registers", False), ("in part, the asked qubits alone", True)):
        if group := [one for one in answered if one.in_part is part]:
            yield f"  {words}: {_total(group)}"
    if failed := sum(bool(one.fallback) for one in found):
        yield f"  not answered by the device: {_many(failed, 'question')}"
    if (ran := sum(one.ran for one in found)) > sum(one.returned for one in found):
        yield f"  all that ran, trials of the qubits included: {_many(ran, 'shot')}"
    for words, name in (("time", "seconds"), ("use, as counted by the vendor", "used")):
        if seconds := [told for one in found if (told := getattr(one, name)) is not None]:
            yield f"  {words}: {sum(seconds):.1f} s on devices"
    used = [one for one in found if one.used is not None]
    expected = [one.expected_seconds for one in used or found if one.expected_seconds is not None]
    if expected:
        of_these = " of these" if used else ", not counted by the vendor"
        yield f"  use, as expected before of {_many(len(expected), 'question')}{of_these}: {sum(expected):.1f} s"
    yield from _budgets(found)
    yield from dict.fromkeys(f"  {fake_line(one.on_a_fake)}" for one in found if one.on_a_fake)


def _budgets(found: Sequence[Measurement]) -> Iterator[str]:
    """Yield what was left of each device's budget after the last question that has it."""
    units = (("shots", "left", "shots"), ("seconds", "seconds_left", "seconds of use"))
    last = {one.source.partition("device ")[2] or one.device: one.budget for one in found if one.budget}
    for device, told in last.items():
        limits = [f"{told[left]:.10g} of {told[limit]:.10g} {words}" for limit, left, words in units
                  if limit in told and left in told]  # fmt: skip
        if limits:
            yield f"  budget of {device}: {' and '.join(limits)} left after the last question"


def _total(group: Sequence[Measurement]) -> str:
    """Return the sum of questions of one kind."""
    shots, kept = sum(one.returned for one in group), sum(one.kept for one in group)
    told = [each for one in group for each in one.figures]
    shares = _shares(told) if all(one.figures for one in group) else ""
    agreements = [one.agreement for one in group if one.agreement is not None]
    mean = f"; agreement of the answers {sum(agreements) / len(agreements):.4f} on average" if agreements else ""
    return f"{_many(len(group), 'question')}, {_many(shots, 'shot')}, {kept} kept ({kept / shots:.1%}{shares}){mean}"


def _shares(told: Sequence[Figures]) -> str:
    """Return the kept share of the shots of these circuits, expected of this device and of coin flips."""
    shots, found = sum(each.shots for each in told), ""
    for words, name in (("expected of this device", "kept_expected"), ("of coin flips", "kept_coins")):
        shares = [getattr(each, name) for each in told]
        if shots and None not in shares:
            found += f", {words} {sum(p * each.shots for p, each in zip(shares, told, strict=True)) / shots:.1%}"
    return found


def _lines(one: Measurement, squares: Mapping[str, str]) -> Iterator[str]:
    player = f"{one.player}: " if one.player else ""
    yield f"{one.ply:3}. {player}{one.move}  {one.question} = {one.value}, from {one.source}"
    for value, p in one.odds.items():
        share, ends = one.share(value), one.interval(value)
        seen = f", observed {share[0]:.3f} ({SIGMA} sigma: {ends[0]:.3f} to {ends[1]:.3f})" if share and ends else ""
        undone = f", {one.mitigated[value]:.3f} without the errors of reading" if value in one.mitigated else ""
        yield f"       {one.question} = {value}: exact {p:.4f}{seen}{undone}"
    if one.device:
        yield f"       {_sent(one)}"
        lost = ", ".join(f"{times} ({_why(reason)})" for reason, times in one.dropped.items() if times) or "none"
        more = f"; {one.ran} ran, trials of the qubits included" if one.ran > one.returned else ""
        yield f"       shots: {one.asked} asked, {one.returned} returned, {one.kept} kept; dropped: {lost}{more}"
        if one.twirled:
            yield "       read-out twirling: half of the shots were read with every bit turned over, and turned back"
    for number, told in enumerate(one.figures, 1):
        which = f"circuit {number}, " if len(one.figures) > 1 else ""
        yield from _against_coins(told, which)
        yield from _strings(told, which, squares)
    yield from _particulars(one)


def _sent(one: Measurement) -> str:
    """Return the circuits of a question, as made and as sent."""
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
    """Yield what distinguishes the shots of a circuit from coin flips."""
    like = "; no better than coin flips" if told.like_coins else ""
    if told.kept is not None:
        yield f"       {which}kept {told.kept:.1%}{_shares([told])}{like if told.likelier is None else ''}"
    if told.likelier is not None and told.likelier_exact and told.likelier_coins:
        yield (
            f"       {which}strings likelier than with coin flips: {told.likelier:.1%} of the shots, "
            f"exact {told.likelier_exact:.1%}, of coin flips {told.likelier_coins:.1%}{like}"
        )
    if told.distance is not None:
        coins = "" if told.distance_coins is None else f", coin flips {told.distance_coins:.3f}"
        yield (
            f"       {which}all strings read: distance from the exact odds {told.distance:.3f}"
            f" ({_ideal(told.distance_noise)}{coins})"
        )
    if told.fidelity is not None:
        yield f"       {which}all strings read: Hellinger fidelity {told.fidelity:.3f} ({_ideal(told.fidelity_noise)})"


def _ideal(band: tuple[float, float] | None) -> str:
    """Return the band of an ideal device, from the noise of its shots alone."""
    return "an ideal device: not worked out" if band is None else f"an ideal device {band[0]:.3f} to {band[1]:.3f}"


def _strings(told: Figures, which: str, squares: Mapping[str, str]) -> Iterator[str]:
    """Yield the most frequent strings, with the square of each bit, and how many others there are."""
    read = counts(told, squares, STRINGS)
    if read is None:
        return
    yield f"       {which}strings read, from left to right {' '.join(read.names)}:"
    shots = max(1, sum(told.strings.values()) + told.other_shots)
    wide = max(len(str(times)) for _, times in read.strings)
    for bits, times in read.strings:
        odds = "" if told.string_odds is None else f" (exact {told.string_odds.get(bits, 0):.1%})"
        name = "shot" if times == 1 else "shots"
        yield f"         {bits}  {times:{wide}} {name}, {times / shots:.1%}{odds}{_fate(told, bits)}"
    if read.others:
        more = len(told.strings) - len(read.strings)
        name = f"{'more than ' * bool(told.other_shots)}{_many(more, 'more string')}" if more else "more strings"
        yield f"         and {name}, {_many(read.others, 'shot')}"


def _fate(told: Figures, bits: str) -> str:
    """Return whether the shots with these bits were kept, if known."""
    if told.dropped_strings is None:
        return ""
    return f", dropped: {_why(told.dropped_strings[bits])}" if bits in told.dropped_strings else ", kept"


def _why(reason: str) -> str:
    return DROPPED.get(reason, reason)


def _particulars(one: Measurement) -> Iterator[str]:
    if one.agreement is not None:
        yield f"       agreement of the answer with its exact odds, kept shots: {one.agreement:.4f}"
    if one.expected_fidelity is not None:
        unseen = ", ".join(f"{error:.4f}" for error in one.undetected)
        always = f", constant angle errors {'included' if one.angles else 'not included'}"
        kept = f"; error that no count of pieces shows: {unseen}{always}" if unseen else ""
        yield f"       expected fidelity of what was sent: {one.expected_fidelity:.3f}{kept}"
    if one.physical:
        avoided = f"; found bad and not used: {' '.join(one.avoided)}" if one.avoided else ""
        yield f"       on qubits: {' '.join(one.physical)}{avoided}"
    facts = [f"{one.seconds:.2f} s" if one.seconds is not None else "", *(f"job {job}" for job in one.jobs),
             f"tags {' '.join(one.tags)}" if one.tags else "", one.found,
             f"calibrated {one.calibrated}" if one.calibrated else "", one.picked]  # fmt: skip
    if any(facts):
        yield f"       {', '.join(fact for fact in facts if fact)}"
    if one.fallback:
        yield f"       the device failed: {one.fallback}"

"""Steps as pictures: wires from left to right, and between the gates the probability that each is full.

A cell is filled by its qubit's probability, in the colour of its register: qubits of one colour are entangled, those
without colour are not. Below are the branches and the entropy after each step, and the amplitudes as bars in the colour
of their phase.
"""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from qchess.circuits.forms.marks import Mark, Wires, in_board_order, sections, shown
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program
from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.showing.bars import bars
from qchess.showing.picture import Picture, several, size_of
from qchess.showing.registers import COLOURS, look
from qchess.showing.svgparts import phase_colour
from qchess.study.beside import WIDEST, beside
from qchess.study.plots import turn_of
from qchess.study.stepping import words
from qchess.study.stepping.amplitudes import chart, likeliest, scale_of, told
from qchess.study.stepping.shapes import LETTER, MARGIN, MONO, cut, framed, legend, mark, printable, text
from qchess.study.subject import StudyError
from qchess.wording import percent

if TYPE_CHECKING:
    from qchess.study.stepping.steps import Step, Steps

#: the height of a wire, the size of a cell, and of the bars below
ROW, CELL, BOX, BARS, BAR, WIDE_BAR = 25.0, 40.0, 17.0, 36.0, 5.0, 10.0
TOP = 36.0
#: the most steps drawn at once, the most wires, and the most registers of one step
MOST, MOST_WIRES, MOST_REGISTERS = 60, 24, 4
#: for each open qubit, the number of its register's colour
Colours = dict[Qubit, int]


class Column(NamedTuple):
    """A step as drawn: its marks by qubit, and the room of its gate."""

    step: Step
    marks: tuple[tuple[Mark, tuple[Qubit, ...]], ...]
    width: float


def strip(steps: Steps, first: int, most: int | None) -> Picture:
    """Draw all steps, in as many rows as needed."""
    chosen, left_out = window(steps, first, most)
    wires, more = _wires(chosen)
    colours = colours_of(steps)
    sheet = [text(MARGIN, 20, f"Gate by gate: {steps.title}", "head")]
    y, right = 30.0, 560.0
    for row in _rows([_column(step) for step in chosen], _left(wires)):
        mine = _wires([column.step for column in row])[0] if len(wires) >= MOST_WIRES else wires
        wide, y = _block(sheet, row, mine, colours, y)
        right = max(right, wide)
    notes = [left_out, f"Not drawn: {more} other open wire{'' if more == 1 else 's'}" if more else ""]
    if any(number > len(COLOURS) for found in colours.values() for number in found.values()):
        notes.append(f"Of more than {len(COLOURS)} registers, colours repeat")
    for note in filter(None, notes):
        sheet.append(text(MARGIN, y + 12, f"{note}.", "said"))
        y += 16
    sheet.append(legend(y + 14))
    gates = [f"{step.number} {step.gate}" for step in chosen if step.done is not None]
    about = f"Gate by gate, {steps.title}: {several(gates) or 'no gate'}. {_left_at_the_end(chosen[-1])}"
    return framed(sheet, right + MARGIN, y + 40, about)


def scene(track: Sequence[Step], number: int) -> Picture:
    """Draw one step: what happened in words, the circuit around it with the step marked, and the amplitudes."""
    step = track[number]
    near, before, after = _around([_column(each) for each in track], number)
    wires, more = _wires([column.step for column in near])
    turn = f"{step.part.title}: " if step.part.title else ""
    sheet = [text(MARGIN, 20, f"Step {number} of {len(track) - 1}.  {turn}{step.gate}", "head")]
    y = 28.0
    sentences = step.sentences
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, 118)]
    for line in lines:
        sheet.append(text(MARGIN, y + 11, line))
        y += 15
    wide, y = _block(sheet, near, wires, colours_of(track), y + 4, step)
    counted = ((before, "earlier step"), (after, "later step"), (more, "other open wire"))
    notes = [f"{n} {what}{'' if n == 1 else 's'}" for n, what in counted if n]
    if notes:
        sheet.append(text(MARGIN, y + 10, f"Not drawn: {', '.join(notes)}.", "soft"))
        y += 16
    charts = beside(*_charts(step)).svg if step.registers.each or step.chances else ""
    if charts:
        across, high = size_of(charts)
        sheet.append(charts.replace("<svg", f'<svg x="{MARGIN:g}" y="{y + 4:g}"', 1))
        wide, y = max(wide, MARGIN + across), y + 4 + high
    else:
        sheet.append(text(MARGIN, y + 14, "Nothing is open: every square is certain."))
        y += 20
    longest = max(map(len, lines), default=0)
    about = f"Step {number} of {len(track) - 1}: {turn}{step.gate}. {' '.join(sentences)} {_left_at_the_end(step)}"
    return framed(sheet, max(430.0, wide, MARGIN + LETTER * longest) + MARGIN, y + MARGIN, about)


def window(steps: Sequence[Step], first: int, most: int | None) -> tuple[Sequence[Step], str]:
    """Return the steps that are shown, and a text about the others."""
    limit = MOST if most is None else most
    if not 0 <= first < len(steps) or limit < 1:
        raise StudyError(f"expected a first step from 0 to {len(steps) - 1} and at least one, got {first} and {limit}")
    chosen = steps[first : first + limit]
    left = len(steps) - len(chosen)
    return chosen, f"{left} of {len(steps)} steps are left out" if left else ""


# -- what goes where ---------------------------------------------------------------------------------------


def colours_of(track: Sequence[Step]) -> dict[int, Colours]:
    """Return a colour for each register; it keeps that of the former register with the most qubits in common."""
    found: dict[int, Colours] = {}
    past: Colours = {}
    for step in track:
        taken: set[int] = set()
        new: Colours = {}
        several_each = (register for register in step.registers.each if len(register.qubits) > 1)
        for register in sorted(several_each, key=lambda each: -len(each.qubits)):
            had = [past[qubit] for qubit in register.qubits if qubit in past]
            colour = max(had, key=had.count, default=0)
            if colour < 1 or colour in taken:
                colour = next(k for k in range(1, len(past) + len(taken) + 2) if k not in {*taken, *past.values()})
            taken.add(colour)
            new.update(dict.fromkeys(register.qubits, colour))
        found[step.number] = past = new
    return found


def _wires(chosen: Sequence[Step]) -> tuple[tuple[Qubit, ...], int]:
    """Return the wires of the gates and those entangled with them, and how many others are open."""
    touched, bound, other = dict[Qubit, None](), dict[Qubit, None](), dict[Qubit, None]()
    for step in chosen:
        mine = step.done.qubits if step.done else ()
        touched.update(dict.fromkeys(mine))
        for world in (step.before, step.registers):
            bound.update(dict.fromkeys(qubit for register, _ in world.held(mine) for qubit in register.qubits))
            other.update(dict.fromkeys(world.uncertain))
    every = [*{**touched, **bound}] or [*other] or sorted(chosen[0].registers.full)[:4]
    drawn = every[: max(MOST_WIRES, len(touched))]
    return in_board_order(sorted(drawn)), len(other.keys() - set(drawn))


def _column(step: Step) -> Column:
    if step.done is None:
        return Column(step, (), 0.0 if step.number == 0 else 24.0)
    marks = tuple(
        (drawn, part.qubits)
        for part in sections(Program(step.done))
        if isinstance(part, Wires)
        for column in part.columns
        for drawn in column
    )
    widest = max((len(cell) for drawn, _ in marks for cell in drawn.cells.values()), default=2)
    answer = LETTER * max(map(len, _answer(step)), default=0) - CELL
    return Column(step, marks, max(26.0, 14 + MONO * widest, answer))


def _answer(step: Step) -> tuple[str, ...]:
    if not step.chances:
        return ()
    if step.answer is None:
        return ("no answer yet",)
    p = step.chances[step.answer.value]
    source = "" if step.answer.source == "given" else f", {step.answer.source}"
    return (f"{step.answer.name} = {step.answer.value}", f"{percent(p)}{source}")


def _left(wires: Sequence[Qubit]) -> float:
    return MARGIN + max(62.0, *(MONO * len(shown(q)) + 8 for q in wires), 0.0)


def _room(column: Column) -> float:
    return column.width + CELL + 6


def _rows(columns: list[Column], left: float) -> Iterator[list[Column]]:
    row: list[Column] = []
    x = left + CELL
    for column in columns:
        if row and x + _room(column) > WIDEST:
            yield row
            row, x = [], left + CELL
        row.append(column)
        x += _room(column)
    yield row


def _around(columns: list[Column], number: int) -> tuple[list[Column], int, int]:
    """Return the steps around one that fit in a row, and how many are before and after them."""
    low = high = number
    room = WIDEST - 2 * CELL - 150 - _room(columns[number])
    while True:
        grown = False
        for at in (high + 1, low - 1):
            if 0 <= at < len(columns) and room >= _room(columns[at]):
                room -= _room(columns[at])
                low, high, grown = min(low, at), max(high, at), True
        if not grown:
            return columns[low : high + 1], low, len(columns) - 1 - high


# -- drawing -----------------------------------------------------------------------------------------------


def _block(
    sheet: list[str], row: list[Column], wires: tuple[Qubit, ...], colours: dict[int, Colours], y: float,
    now: Step | None = None,
) -> tuple[float, float]:  # fmt: skip
    """Draw a row of steps; returns how far it reaches to the right and down."""
    y -= 0 if any(column.step.part.title for column in row) else 16
    left, top = _left(wires), y + TOP + ROW / 2
    place = {qubit: top + ROW * k for k, qubit in enumerate(wires)}
    bottom = top + ROW * (len(wires) - 0.5)
    starts_here = row[0].step.number == 0
    right = left + (0 if starts_here else CELL + 6) + sum(map(_room, row))
    squares = {qubit: name for column in row for qubit, name in column.step.part.squares.items()}
    for qubit, middle in place.items():
        sheet.append(text(MARGIN, middle + 4, shown(qubit), "mono", title=squares.get(qubit, "")))
        sheet.append(f'<path class="wire" d="M{left - 4:g} {middle:g}H{right:g}"/>')
    for word, down in (("branches", 14), ("entropy", 28), ("amplitudes", 48)):
        sheet.append(text(MARGIN, bottom + down, word, "soft"))
    x, turn = left, row[0].step.part.title if starts_here else ""
    if not starts_here:
        first = row[0].step
        _cells(sheet, first.before, {}, colours.get(first.number - 1, {}), place, x)
        x += CELL + 6
    asked = max((len(_answer(column.step)) for column in row), default=0)
    for k, column in enumerate(row):
        step, middle = column.step, x + column.width / 2
        if step.part.title != turn:
            turn = step.part.title
            room = sum(_room(later) for later in row[k:] if later.step.part is step.part)
            sheet.append(f'<path class="rule" d="M{x - 1:g} {y + 6:g}V{bottom:g}"/>')
            sheet.append(text(x + 2, y + 15, cut(turn, room), "turn", title=turn))
        if step is now:
            sheet.append(f'<rect class="now" x="{x:g}" y="{y + 19:g}" width="{_room(column) - 2:g}" '
                         f'height="{bottom - y - 17:g}" rx="5"/>')  # fmt: skip
        number = text(middle, y + 31, str(step.number), "mid soft")
        sheet.append(number if step.number else text(x + CELL / 2, y + 31, "start", "mid soft"))
        sheet.append(f"<g><title>{escape(printable(step.gate))}</title>")
        for drawn, qubits in column.marks:
            mark(sheet, drawn, [place[qubit] for qubit in qubits], middle, place.values())
        sheet.append("</g>")
        _cells(sheet, step.registers, step.changed, colours[step.number], place, x + column.width + 2)
        _figures(sheet, column, x, bottom)
        for line, said in enumerate(_answer(step)):
            sheet.append(text(x, bottom + 34 + BARS + 13 * (line + 1), said, "said" if line == 0 else "soft"))
        x += _room(column)
    if now is not None:
        sheet.append(text(right + 20, y + 31, "bits", "mid soft"))
        for qubit, value in now.entropies.items():
            if qubit in place:
                sheet.append(text(right + 20, place[qubit] + 4, f"{value:.2f}", "mid"))
        right += 40
    return right, bottom + 40 + BARS + 13 * asked


def _cells(
    sheet: list[str], world: Registers, changed: Container[Qubit], colours: Colours, place: dict[Qubit, float], x: float
) -> None:
    """Draw each wire's probability of full as a filled cell in the colour of the register."""
    for qubit, y in place.items():
        p = world.probability(qubit)
        if p < words.LEAST and qubit not in changed:
            continue
        new = " new" if qubit in changed else ""
        told = f"<title>{escape(printable(qubit))}: {p:.6g}</title>"
        frame = f'x="{x:g}" y="{y - BOX / 2:g}" height="{BOX:g}" rx="3"'
        colour = look(colours[qubit] - 1).colour if qubit in colours else "#808a94"
        deep = ".5" if qubit in colours else ".42"
        share = "full" if p > 1 - words.LEAST else "empty" if p < words.LEAST else percent(p)
        sheet.append(f'<g>{told}<rect class="cell{new}" {frame} width="{CELL:g}"/>'
                     f'<rect {frame} width="{CELL * min(1.0, p):.1f}" fill="{colour}" fill-opacity="{deep}"/>'
                     f"{text(x + CELL / 2, y + 4, share, 'mid')}</g>")  # fmt: skip


def _figures(sheet: list[str], column: Column, x: float, bottom: float) -> None:
    """Draw branches, entropy and the likeliest amplitudes after a step."""
    step = column.step
    middle = x + column.width + 2 + CELL / 2
    many = "x".join(map(str, sorted(step.registers.branches(), reverse=True))) or "1"
    sheet.append(text(middle, bottom + 14, cut(many, min(_room(column), CELL + 18)), "mid"))
    sheet.append(text(middle, bottom + 28, f"{step.entropy:.3g}", "mid"))
    base = bottom + 34 + BARS
    at = x + 4 if column.width else x
    registers = _touched_first(step)
    needed = sum(register.branches + 1 for register in registers)
    wide = WIDE_BAR if needed * WIDE_BAR < x + _room(column) - at else BAR
    for register in registers:
        order = in_board_order(register.qubits)
        room = int((x + _room(column) - at - 4) / wide)
        if room < 2:
            break
        found = likeliest(register, room)
        if (scale := scale_of(found)) > 1:
            sheet.append(text(at, base - BARS + 5, f"x{scale}", "soft"))
        for key, amplitude in found:
            high = max(0.6, (BARS if scale == 1 else BARS - 8) * scale * abs(amplitude) ** 2)
            sheet.append(f'<rect x="{at:g}" y="{base - high:.1f}" width="{wide - 1:g}" height="{high:.1f}" '
                         f'fill="{phase_colour(turn_of(amplitude))}"><title>{escape(told((key, amplitude), order))}'
                         "</title></rect>")  # fmt: skip
            at += wide
        at += wide
    sheet.append(f'<path class="wire" d="M{x + (2 if column.width else 0):g} {base:g}H{x + _room(column) - 4:g}"/>')


def _touched_first(step: Step) -> list[Register]:
    """Return the registers after a step, those it touched first."""
    touched = set(step.done.qubits) if step.done else set()
    return sorted(step.registers.each, key=lambda register: touched.isdisjoint(register.qubits))


def _charts(step: Step) -> Iterator[Picture]:
    """Yield charts of a question's answers, then of the amplitudes of the registers."""
    if step.chances and step.done is not None:
        name = getattr(step.done, "name", "answer")
        yield bars({f"{name} {value}": p for value, p in sorted(step.chances.items())}, title=f"Answers to {name}")
    yield from map(chart, _touched_first(step)[:MOST_REGISTERS])


def _left_at_the_end(step: Step) -> str:
    """Return in words what is uncertain after a step."""
    each = [f"{words.named(register.qubits)} in {register.branches} branches" for register in step.registers.each]
    return f"Still open: {several(each)}; entropy {step.entropy:.3g} bits." if each else "After it nothing is open."

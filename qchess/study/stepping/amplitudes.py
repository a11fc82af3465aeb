"""The amplitudes of a register as bars: few with names, many as thin lines on a scale of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from qchess.circuits.forms.marks import in_board_order
from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.showing.bars import bars
from qchess.showing.picture import Picture
from qchess.showing.svgparts import phase_colour
from qchess.study.plots import turn_of
from qchess.study.stepping import words
from qchess.study.stepping.shapes import framed, phases, printable, text
from qchess.study.subject import branches_of

Branch = tuple[int, complex]
#: most branches with names, the longest name, and most branches without
NAMED, LETTERS, MOST = 14, 13, 256
#: the height of the largest line, the room to its left, and around it
HIGH, LEFT, TOP = 110.0, 52.0, 22.0
#: with more lines there are no tooltips: they would be most of the file
TOLD = 64
#: largest probabilities below this are drawn enlarged
SMALL = 0.25


def likeliest(register: Register, most: int) -> list[Branch]:
    """Return the likeliest branches of a register, by key; bit k of a key is the k-th qubit in board order."""
    return register.worked_out(("likeliest", most), lambda held: _likeliest(held, most))


def _likeliest(register: Register, most: int) -> list[Branch]:
    import numpy as np

    held = branches_of(register)
    keys, sizes = held.pattern(in_board_order(register.qubits)), np.round(np.abs(held.amplitudes), 9)
    chosen = np.arange(len(keys))
    if len(keys) > most:  # of equals the first, so that the same state gives the same picture
        least = np.partition(sizes, -most)[-most]
        sure, even = np.flatnonzero(sizes > least), np.flatnonzero(sizes == least)
        chosen = np.concatenate((sure, even[np.argsort(keys[even])][: most - len(sure)]))
    return sorted((int(keys[k]), complex(held.amplitudes[k])) for k in chosen)


def scale_of(found: Sequence[Branch]) -> int:
    """Return the power of two by which probabilities are enlarged: the largest stays below 1."""
    top = max((abs(amplitude) ** 2 for _, amplitude in found), default=1.0)
    scale = 1
    while top < SMALL and 2 * scale * top <= 1 + words.LEAST:
        scale *= 2
    return scale


def name(key: int, order: Sequence[Qubit]) -> str:
    """Return the qubits that are full in a branch."""
    return " ".join(qubit for k, qubit in enumerate(order) if key >> k & 1) or "none"


def told(branch: Branch, order: Sequence[Qubit]) -> str:
    """Return a branch in words: its full qubits, its probability and its phase."""
    key, amplitude = branch
    return printable(f"{name(key, order)}: {abs(amplitude) ** 2:.4g}, phase {turn_of(amplitude):.3g} of a turn")


def chart(register: Register) -> Picture:
    """Draw the branches of a register, the likeliest if there are many."""
    order = in_board_order(register.qubits)
    title = f"{words.named(order)}: {register.branches} branches"
    if register.branches <= NAMED:
        found = {name(key, order): amplitude for key, amplitude in likeliest(register, NAMED)}
        if max(map(len, found)) <= LETTERS:
            return bars(found, title=title)
    found_all = likeliest(register, MOST)
    left_out = f", the {MOST} likeliest" if register.branches > MOST else ""
    return _lines(found_all, order, title + left_out)


def _lines(found: Sequence[Branch], order: Sequence[Qubit], title: str) -> Picture:
    wide = max(2.5, min(10.0, 400 / len(found)))
    top = max(abs(amplitude) ** 2 for _, amplitude in found)
    right = max(LEFT + wide * len(found) + 10, LEFT + 6.2 * len(title))
    sheet = [text(LEFT, 13, title)]
    for share in (0.0, 0.5, 1.0):
        y = TOP + HIGH * (1 - share)
        sheet.append(f'<path class="wire" d="M{LEFT:g} {y:g}H{right - 8:g}"/>')
        sheet.append(text(LEFT - 6, y + 4, f"{share * top:.2g}", "end"))
    for number, branch in enumerate(found):
        high = HIGH * abs(branch[1]) ** 2 / top
        words_of = f"<title>{escape(told(branch, order))}</title>" if len(found) <= TOLD else ""
        sheet.append(f'<rect x="{LEFT + wide * number:g}" y="{TOP + HIGH - high:.1f}" width="{wide * 0.85:.2g}" '
                     f'height="{high:.1f}" fill="{phase_colour(turn_of(branch[1]))}">{words_of}</rect>')  # fmt: skip
    sheet.append(phases(LEFT, TOP + HIGH + 18))
    return framed(sheet, right, TOP + HIGH + 28, f"{title}; the largest has probability {top:.3g}")

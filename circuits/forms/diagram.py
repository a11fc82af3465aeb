"""Draws a program as text.

One wire a qubit, time from left to right; ``●`` and ``○`` are controls on 1 and on 0, ``⊕`` flips and ``×`` exchanges.
A question is a box with the value asked of each qubit, one column per alternative. A read-out is a box with the bit of
each qubit. ``⊣`` ends a discarded wire. Steps that follow an answer are indented below it.

>>> from qchess.circuits import asked, cnot, full
>>> print(draw(asked(full('e4'), Program(cnot('d5', 'e4')))))
e4: ─┤?hit 1├─
if hit = 1:
    e4: ─⊕─
         │
    d5: ─●─
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qchess.circuits.forms.marks import END, Case, Mark, Section, Wires, sections, shown
from qchess.circuits.program import Program

INDENT = "    "
WIRE, LINE, CROSSING = "─", "│", "┼"
#: the end of a wire that continues in the next block
CONTINUED = "┄"


def draw(program: Program, columns: int | None = None) -> str:
    """Return the program as a text diagram, without trailing blanks.

    Lines longer than `columns` continue below, with the wire names repeated.
    """
    return "\n".join(line.rstrip() for line in _lines(sections(program), columns)) or "(nothing)"


def _lines(parts: Iterable[Section], columns: int | None) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Case):
            yield part.title
            room = None if columns is None else columns - len(INDENT)
            yield from (INDENT + line for line in _lines(part.sections, room))
        else:
            yield from _stretch(part, columns)


def _stretch(wires: Wires, columns: int | None) -> Iterator[str]:
    """Yield one line per wire and one between each two, in as many blocks as needed."""
    alive = [True] * len(wires.qubits)
    lines = fresh = _labels(wires, alive)
    for column in wires.columns:
        before = list(alive)
        pieces = _column(column, alive)
        if columns is not None and lines is not fresh and len(lines[0]) + len(pieces[0]) >= columns:
            yield from _ended(lines, before, CONTINUED)
            yield ""
            lines = _labels(wires, before)
        lines = [line + piece for line, piece in zip(lines, pieces, strict=True)]
    yield from _ended(lines, alive, WIRE)


def _labels(wires: Wires, alive: list[bool]) -> list[str]:
    """Return the beginning of a block: the name of each wire that has not ended."""
    names = [f"{shown(qubit)}: " for qubit in wires.qubits]
    wide = max(map(len, names))
    lines = [" " * wide] * (2 * len(names) - 1)
    lines[::2] = [(name if lives else "").ljust(wide) for name, lives in zip(names, alive, strict=True)]
    return lines


def _ended(lines: list[str], alive: list[bool], end: str) -> list[str]:
    return [line + end if k % 2 == 0 and alive[k // 2] else line for k, line in enumerate(lines)]


def _column(marks: tuple[Mark, ...], alive: list[bool]) -> list[str]:
    """Return the column's text on every line; a discard ends its wire in `alive`."""
    width = 1 + max(len(_text(mark, 2 * row)) for mark in marks for row in mark.cells)
    pieces = [(WIRE if k % 2 == 0 and alive[k // 2] else " ") * width for k in range(2 * len(alive) - 1)]
    for mark in marks:
        for k in range(2 * mark.span.start, 2 * mark.span.stop - 1):
            pieces[k] = _over(pieces[k], _text(mark, k, crosses=k % 2 == 0 and alive[k // 2]))
        for row, text in mark.cells.items():
            alive[row] = text != END
    return pieces


def _text(mark: Mark, line: int, crosses: bool = False) -> str:
    """Return the mark's text on a line: its cell on its own wires, else what passes through."""
    cell = None if line % 2 else mark.cells.get(line // 2)
    if cell is not None:
        return f"┤{cell}├" if mark.boxed else cell
    side, inside = (CROSSING, WIRE) if crosses else (LINE, " ")
    if not mark.boxed:
        return side
    return side + inside * len(next(iter(mark.cells.values()))) + side


def _over(piece: str, text: str) -> str:
    """Put the text in the middle of the piece, so that a column is centred."""
    start = 1 + (len(piece) - 2) // 2 - (len(text) - 1) // 2
    rest = piece[start + len(text) :]
    return piece[:start] + text + (" " * len(rest) if text == END else rest)

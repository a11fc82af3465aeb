"""Draw a program as a standalone SVG picture, with the layout of the text diagram.

The style sheet inside the picture follows the reader's light or dark theme and affects nothing outside. A wire
is a group with its qubit as ``data-qubit``; a gate is a group with ``data-step`` and ``data-qubits``. So a page
can highlight what belongs together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from qchess.circuits.forms.marks import EMPTY, END, EXCHANGE, FLIP, FULL, Case, Mark, Section, Wires, sections, shown
from qchess.circuits.program import Program

ROW, GAP, LETTER, INDENT, MARGIN = 36.0, 16.0, 8.4, 28.0, 14.0
#: a wider picture continues below
WIDEST = 960.0
#: every rule uses our own class, since an inline picture shares the page's style sheet
_RULES = (
    "{color:#1d2733;--paper:#fff}",
    " text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:currentColor}",
    " .mid{text-anchor:middle}",
    " .wire,.qchess-circuit .link,.qchess-circuit .ring{stroke:currentColor;stroke-width:1.4;fill:none}",
    " .wire{opacity:.55}",
    " .dot{fill:currentColor}",
    " .box{stroke:currentColor;stroke-width:1.4;fill:#fff;fill:var(--paper)}",
    " .ask{fill:#e9b949;fill-opacity:.28}",
)
_DARK = "@media(prefers-color-scheme:dark){.qchess-circuit{color:#e6eaf0;--paper:#16202c}}"
_STYLE = "".join(f".qchess-circuit{rule}" for rule in _RULES) + _DARK


class _Sheet:
    """Collects shapes from top to bottom and tracks the room they take."""

    def __init__(self) -> None:
        self.shapes: list[str] = []
        self.right = self.bottom = MARGIN

    def open(self, kind: str, **marks: str) -> None:
        """Open a group that a page finds by its data attributes."""
        told = "".join(f' data-{name}="{escape(_printable(value))}"' for name, value in marks.items())
        self.shapes.append(f'<g class="{kind}"{told}>')

    def close(self) -> None:
        self.shapes.append("</g>")

    def text(self, x: float, y: float, words: str, middle: bool = False) -> None:
        place = f'x="{x:g}" y="{y + 5:g}"' + (' class="mid"' if middle else "")
        self.shapes.append(f'<text {place} xml:space="preserve">{escape(_printable(words))}</text>')
        self.right = max(self.right, x + len(words) * LETTER * (0.5 if middle else 1))

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "link") -> None:
        self.shapes.append(f'<path class="{kind}" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>')
        self.right = max(self.right, x1, x2)

    def circle(self, x: float, y: float, radius: float, kind: str) -> None:
        self.shapes.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>')

    def box(self, x: float, top: float, bottom: float, width: float, kind: str = "") -> None:
        place = f'x="{x - width / 2:g}" y="{top - 12:g}" width="{width:g}" height="{bottom - top + 24:g}"'
        self.shapes.append(f'<rect class="box" {place} rx="4"/>')
        if kind:
            self.shapes.append(f'<rect class="{kind}" {place} rx="4"/>')


def svg(program: Program) -> str:
    """Return the program as an SVG document.

    >>> svg(Program.parse("h a")).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    sheet = _Sheet()
    parts = sections(program)
    if parts:
        _draw(sheet, parts, MARGIN)
    else:
        _title(sheet, "(nothing)", MARGIN)
    wide, high = sheet.right + MARGIN, sheet.bottom + MARGIN
    size = f'width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="qchess-circuit" {size}>'
    return "\n".join([head, f"<style>{_STYLE}</style>", *sheet.shapes, "</svg>"])


def _draw(sheet: _Sheet, parts: Iterable[Section], left: float) -> None:
    for part in parts:
        if isinstance(part, Case):
            _title(sheet, part.title, left)
            _draw(sheet, part.sections, left + INDENT)
        else:
            _stretch(sheet, part, left)


def _title(sheet: _Sheet, words: str, left: float) -> None:
    sheet.text(left, sheet.bottom + ROW / 2, words)
    sheet.bottom += ROW


def _stretch(sheet: _Sheet, wires: Wires, left: float) -> None:
    """Draw the wires, in as many blocks as their columns need."""
    start = left + LETTER * (max(len(shown(q)) for q in wires.qubits) + 1)
    ended: set[int] = set()
    blocks = _blocks(wires, WIDEST - start)
    for number, columns in enumerate(blocks):
        _block(sheet, Wires(wires.qubits, columns), left, start, ended)
        sheet.bottom += ROW / 2 if number < len(blocks) - 1 else 0


def _blocks(wires: Wires, room: float) -> list[tuple[tuple[Mark, ...], ...]]:
    """Cut the columns into runs that fit the room, each of at least one column."""
    blocks: list[list[tuple[Mark, ...]]] = [[]]
    x = 0.0
    for column in wires.columns:
        width = GAP + max(_width(mark) for mark in column)
        if blocks[-1] and x + width > room:
            blocks.append([])
            x = 0.0
        blocks[-1].append(column)
        x += width
    return [tuple(block) for block in blocks]


def _block(sheet: _Sheet, wires: Wires, left: float, start: float, ended: set[int]) -> None:
    """Draw one block: the wires that have not ended, then the marks over them."""
    top, x = sheet.bottom + ROW / 2, start
    middles = []
    for column in wires.columns:
        width = max(_width(mark) for mark in column)
        middles.append(x + GAP + width / 2)
        x += GAP + width
    ends = _ends(wires.columns, middles)
    for row, qubit in enumerate(wires.qubits):
        if row in ended and not any(row in mark.cells for column in wires.columns for mark in column):
            continue
        y = top + ROW * row
        sheet.open("qubit", qubit=qubit)
        sheet.text(left, y, shown(qubit))
        sheet.line(start, y, ends.get(row, x + GAP), y, "wire")
        sheet.close()
    ended.update(ends)
    for middle, column in zip(middles, wires.columns, strict=True):
        for mark in column:
            sheet.open("step", step=mark.step, qubits=" ".join(wires.qubits[row] for row in mark.cells))
            _mark(sheet, mark, middle, top)
            sheet.close()
    sheet.bottom += ROW * len(wires.qubits)


def _ends(columns: Sequence[tuple[Mark, ...]], middles: list[float]) -> dict[int, float]:
    """Return where the wires stop whose last mark is a discard."""
    ends: dict[int, float] = {}
    for middle, column in zip(middles, columns, strict=True):
        for row, cell in ((row, cell) for mark in column for row, cell in mark.cells.items()):
            ends.pop(row, None)
            if cell == END:
                ends[row] = middle
    return ends


def _width(mark: Mark) -> float:
    return 14 + LETTER * max(map(len, mark.cells.values()))


def _mark(sheet: _Sheet, mark: Mark, x: float, top: float) -> None:
    if mark.boxed:
        _box(sheet, mark, x, top)
    elif len(mark.span) > 1:
        sheet.line(x, top + ROW * mark.span.start, x, top + ROW * (mark.span.stop - 1))
    for row, cell in mark.cells.items():
        if mark.boxed:
            sheet.text(x, top + ROW * row, cell, middle=True)
        else:
            _cell(sheet, cell, x, top + ROW * row, _width(mark))


def _box(sheet: _Sheet, mark: Mark, x: float, top: float) -> None:
    """Draw the frame of a question; wires it does not ask about continue over it."""
    width = _width(mark)
    sheet.box(x, top + ROW * mark.span.start, top + ROW * (mark.span.stop - 1), width, "ask")
    for y in (top + ROW * row for row in mark.span if row not in mark.cells):
        sheet.line(x - width / 2, y, x + width / 2, y, "wire")


def _cell(sheet: _Sheet, cell: str, x: float, y: float, width: float) -> None:
    """Draw a control, flip, exchange or end as a shape, and any other gate as a small box."""
    if cell in (FULL, EMPTY):
        sheet.circle(x, y, 5, "dot" if cell == FULL else "box")
    elif cell == FLIP:
        sheet.circle(x, y, 9, "ring")
        sheet.line(x - 9, y, x + 9, y)
        sheet.line(x, y - 9, x, y + 9)
    elif cell == EXCHANGE:
        sheet.line(x - 6, y - 6, x + 6, y + 6)
        sheet.line(x - 6, y + 6, x + 6, y - 6)
    elif cell == END:
        sheet.line(x, y - 9, x, y + 9)
    else:
        sheet.box(x, y, y, width)
        sheet.text(x, y, cell, middle=True)


def _printable(words: str) -> str:
    """Return the words without the characters that XML cannot hold."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words)

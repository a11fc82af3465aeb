"""Draw a program as text, SVG or a matplotlib figure; each displays itself in a notebook."""

from __future__ import annotations

import io
from typing import Any

from qchess.circuits.errors import MissingExtraError, ProgramError
from qchess.circuits.forms.diagram import draw
from qchess.circuits.forms.marks import EMPTY, EXCHANGE, FLIP, FULL, Case, Mark, Section, Wires, sections, shown
from qchess.circuits.forms.svg import svg
from qchess.circuits.program import Program

OUTPUTS = ("text", "svg", "mpl")
#: sizes in rows of the figure: a letter, and the space beside a mark
LETTER, GAP = 0.22, 0.5
#: inches per row
INCHES = 0.42


class Diagram(str):
    """A drawing as text; its repr is the drawing, without quotes and escapes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Svg(str):
    """A drawing as SVG, which a notebook displays as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def drawn(program: Program, output: str, columns: int | None) -> Any:
    """Return the circuit in one of the forms."""
    if columns is not None and not hasattr(columns, "__index__"):
        raise ProgramError(f"expected columns as a whole number, or None; got {columns!r}")
    if output == "text":
        return Diagram(draw(program, columns))
    if output == "svg":
        return Svg(svg(program))
    if output == "mpl":
        return figure(program)
    raise ProgramError(
        f"a program is drawn as one of {', '.join(OUTPUTS)}, got {output!r}; Qiskit's own drawings: to_qiskit().draw()"
    )


def figure(program: Program) -> Any:
    """Return the circuit as a ``matplotlib.figure.Figure``, with the layout of the other drawings."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingExtraError("drawing with matplotlib needs it: pip install 'qchess[viz]'") from error

    class Drawing(Figure):
        """A figure that a notebook displays without pyplot."""

        def _repr_png_(self) -> bytes:
            file = io.BytesIO()
            self.savefig(file, format="png", dpi=110)
            return file.getvalue()

    sheet = _Sheet()
    sheet.sections(sections(program) or (Case("(nothing)"),), 0.0)
    made = Drawing(figsize=(INCHES * (sheet.right + 0.5), INCHES * (sheet.bottom + 0.5)))
    axes = made.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-0.3, sheet.right + 0.2), ylim=(sheet.bottom - 0.2, -0.7), aspect="equal")
    axes.set_axis_off()
    for shape in sheet.shapes:
        shape(axes)
    return made


class _Sheet:
    """Lays out the drawing from top to bottom, in units of a row; shapes are drawn later."""

    def __init__(self) -> None:
        self.shapes: list[Any] = []
        self.right = self.bottom = 0.0

    def text(self, x: float, y: float, words: str, centred: bool = False, size: int = 9) -> None:
        side = "center" if centred else "left"
        self.shapes.append(
            lambda axes: axes.text(x, y, words, ha=side, va="center", family="monospace", fontsize=size, zorder=4)
        )
        self.right = max(self.right, x + LETTER * len(words) * (0.5 if centred else 1))

    def line(self, xs: tuple[float, float], ys: tuple[float, float], width: float = 1.2) -> None:
        self.shapes.append(lambda axes: axes.plot(xs, ys, color="black", linewidth=width, zorder=1))

    def sections(self, parts: tuple[Section, ...], left: float) -> None:
        for part in parts:
            if isinstance(part, Case):
                self.text(left, self.bottom, part.title)
                self.bottom += 1
                self.sections(part.sections, left + 1)
            else:
                self.stretch(part, left)

    def stretch(self, wires: Wires, left: float) -> None:
        top = self.bottom
        start = x = left + LETTER * (1 + max(len(shown(qubit)) for qubit in wires.qubits))
        for column in wires.columns:
            wide = max(0.6 + LETTER * max(map(len, mark.cells.values())) for mark in column)
            for mark in column:
                self.mark(mark, x + GAP / 2 + wide / 2, top)
            x += GAP + wide
        for row, qubit in enumerate(wires.qubits):
            self.text(left, top + row, shown(qubit))
            self.line((start, x), (top + row, top + row), 0.8)
        self.right = max(self.right, x)
        self.bottom += len(wires.qubits)

    def mark(self, mark: Mark, x: float, top: float) -> None:
        self.line((x, x), (top + mark.span.start, top + mark.span.stop - 1))
        if mark.boxed:
            self.box(mark, x, top + mark.span.start, top + mark.span.stop - 1)
        for row, cell in mark.cells.items():
            if cell in (FULL, EMPTY):
                self.dot(x, top + row, "black" if cell == FULL else "white")
            elif mark.boxed or cell in (FLIP, EXCHANGE):
                self.text(x, top + row, cell, centred=True, size=9 if mark.boxed else 16)
            else:
                self.box(mark, x, top + row, top + row)
                self.text(x, top + row, cell, centred=True)

    def dot(self, x: float, y: float, colour: str) -> None:
        self.shapes.append(
            lambda axes: axes.plot([x], [y], "o", color=colour, markeredgecolor="black", markersize=6, zorder=3)
        )

    def box(self, mark: Mark, x: float, top: float, bottom: float) -> None:
        from matplotlib.patches import Rectangle

        wide = 0.3 + LETTER * max(map(len, mark.cells.values()))
        place, high = (x - wide / 2, top - 0.35), bottom - top + 0.7
        self.shapes.append(
            lambda axes: axes.add_patch(Rectangle(place, wide, high, facecolor="white", edgecolor="black", zorder=2))
        )

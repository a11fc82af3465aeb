"""The shapes of pictures of steps: gates, texts, the legend, and the style sheet of light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from qchess.circuits.forms.marks import EMPTY, END, EXCHANGE, FLIP, FULL, Mark
from qchess.showing.picture import Picture
from qchess.showing.svgparts import phase_colour
from qchess.study.paper import DARK, LIGHT
from qchess.study.plots import PHASES

#: the approximate width of a letter in boxes, and in text
MONO, LETTER = 7.3, 6.1
MARGIN = 10.0

_RULES = (
    "{{--qs0:{0};--qs1:{1};--qs2:{2};color:var(--qs0)}}",
    " text{{font:11px ui-sans-serif,Helvetica,Arial,sans-serif;fill:var(--qs0)}}",
    " .mono{{font:12px ui-monospace,Menlo,Consolas,monospace}}",
    " .mid{{text-anchor:middle}}",
    " .end{{text-anchor:end}}",
    " .soft{{opacity:.7}}",
    " .head{{font-size:14px;font-weight:700}}",
    " .turn{{font-weight:700}}",
    " .said{{fill:var(--qs2);font-weight:700}}",
    " .paper,.qsteps .cell{{fill:var(--qs1)}}",
    " .cell,.qsteps .box{{stroke:var(--qs0);stroke-opacity:.45}}",
    " .box{{stroke-opacity:1;stroke-width:1.3;fill:var(--qs1)}}",
    " .ask{{fill:#e9b949;fill-opacity:.3}}",
    " .wire{{stroke:var(--qs0);stroke-opacity:.35}}",
    " .link,.qsteps .ring{{stroke:var(--qs0);stroke-width:1.4;fill:none}}",
    " .dot{{fill:var(--qs0)}}",
    " .new{{stroke:var(--qs2);stroke-opacity:1;stroke-width:1.8}}",
    " .now{{fill:var(--qs2);fill-opacity:.16}}",
    " .rule{{stroke:var(--qs0);stroke-opacity:.25;stroke-dasharray:2 3}}",
)
_STYLE = "".join(".qsteps" + rule.format(LIGHT[0], LIGHT[1], LIGHT[3]) for rule in _RULES) + (
    f"@media(prefers-color-scheme:dark){{.qsteps{{--qs0:{DARK[0]};--qs1:{DARK[1]};--qs2:{DARK[3]}}}}}"
)


def mark(sheet: list[str], mark: Mark, rows: list[float], x: float, wires: Iterable[float]) -> None:
    """Draw a gate on its wires, `rows` by the numbers of its cells; wires a box does not ask about continue over it."""
    heights = [rows[row] for row in mark.cells]
    low, high = min(heights), max(heights)
    wide = 10 + MONO * max(map(len, mark.cells.values()))
    if mark.boxed:
        sheet += [_rect(kind, x, low, high, wide) for kind in ("box", "ask")]
        for y in (y for y in wires if low < y < high and y not in heights):
            sheet.append(f'<path class="wire" d="M{x - wide / 2:g} {y:g}h{wide:g}"/>')
    elif low < high:
        sheet.append(f'<path class="link" d="M{x:g} {low:g}V{high:g}"/>')
    for row, cell in mark.cells.items():
        sheet.append(text(x, rows[row] + 4, cell, "mono mid") if mark.boxed else _cell(cell, x, rows[row], wide))


def _cell(cell: str, x: float, y: float, wide: float) -> str:
    if cell in (FULL, EMPTY):
        return f'<circle class="{"dot" if cell == FULL else "box"}" cx="{x:g}" cy="{y:g}" r="4.5"/>'
    if cell == FLIP:
        cross = f'<path class="ring" d="M{x - 8:g} {y:g}h16M{x:g} {y - 8:g}v16"/>'
        return f'{cross}<circle class="ring" cx="{x:g}" cy="{y:g}" r="8"/>'
    if cell == EXCHANGE:
        return f'<path class="link" d="M{x - 6:g} {y - 6:g}l12 12m-12 0l12 -12"/>'
    if cell == END:
        return f'<path class="link" d="M{x:g} {y - 8:g}v16"/>'
    return _rect("box", x, y, y, wide) + text(x, y + 4, cell, "mono mid")


def _rect(kind: str, x: float, low: float, high: float, wide: float) -> str:
    return (f'<rect class="{kind}" x="{x - wide / 2:g}" y="{low - 10:g}" width="{wide:g}" '
            f'height="{high - low + 20:g}" rx="3"/>')  # fmt: skip


def text(x: float, y: float, words: str, kind: str = "", title: str = "") -> str:
    """Draw text at a place."""
    told = f"<title>{escape(printable(title))}</title>" if title else ""
    mark = f' class="{kind}"' if kind else ""
    return f'<text{mark} x="{x:g}" y="{y:g}" xml:space="preserve">{told}{escape(printable(words))}</text>'


def cut(words: str, room: float) -> str:
    """Return the text cut to the available room."""
    most = max(3, int(room / LETTER))
    return words if len(words) <= most else f"{words[: most - 1]}…"


def printable(words: str) -> str:
    """Return the text without the characters that XML cannot hold."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in words)


def legend(y: float) -> str:
    """Draw what cells and colours mean, in two lines."""
    words = "A cell's fill shows how likely its square is full. Squares of one colour are entangled; grey ones are not."
    return text(MARGIN, y, words, "soft") + phases(MARGIN, y + 16)


def phases(x: float, y: float) -> str:
    """Draw the colours of the phases."""
    parts = [text(x, y, "Amplitudes by their phase, in turns:", "soft")]
    for number, (phase, label) in enumerate(PHASES):
        at = x + 200 + 30 * number
        parts.append(f'<circle cx="{at:g}" cy="{y - 4:g}" r="4.5" fill="{phase_colour(phase)}"/>')
        parts.append(text(at + 8, y, label, "soft"))
    return "".join(parts)


def framed(sheet: list[str], wide: float, high: float, about: str) -> Picture:
    """Return the shapes on paper, as a picture."""
    size = f'width="{wide:.0f}" height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="qsteps" {size}><style>{_STYLE}</style>'
    paper = f'<rect class="paper" width="{wide:.0f}" height="{high:.0f}" rx="6"/>'
    return Picture("\n".join((head, paper, *sheet, "</svg>")), " ".join(about.split()))

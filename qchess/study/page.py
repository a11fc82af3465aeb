"""A game's timeline as one HTML page with figures, pictures and a table; it opens without a server."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from qchess.playing.game import Game
from qchess.study.boards import board, entangled_board
from qchess.study.paper import DARK, LIGHT
from qchess.study.plots import over_time
from qchess.study.timeline import Moment, Timeline, then

_STYLE = """
:root{{color-scheme:light dark;--ink:{0};--paper:#f6f7f8;--line:#d4dae0;--mark:{3}}}
@media(prefers-color-scheme:dark){{:root{{--ink:{1};--paper:#11171d;--line:#33404b;--mark:{2}}}}}
body{{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);
font:15px/1.5 ui-sans-serif,Helvetica,Arial,sans-serif}}
h1{{font-size:1.5rem;margin:.5rem 0}}h2{{font-size:1.1rem;margin:1.6rem 0 .5rem}}
dl{{display:flex;flex-wrap:wrap;gap:.5rem 1.6rem}}dt{{font-size:.8rem;opacity:.75}}dd{{margin:0;font-size:1.25rem}}
svg{{max-width:100%;height:auto}}.boards{{display:flex;flex-wrap:wrap;gap:1rem}}figure{{margin:0;flex:1 1 20rem}}
.wide{{overflow-x:auto}}table{{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%;font-size:.85rem}}
th,td{{padding:.2rem .5rem;text-align:right;border-bottom:1px solid var(--line)}}
th:nth-child(-n+3),td:nth-child(-n+3),th:last-child,td:last-child{{text-align:left}}
tr.asked td:last-child{{color:var(--mark)}}
"""
_HEADS = ("ply", "player", "move", "open squares", "registers", "largest", "branches", "entropy", "read-out",
          "two-qubit gates", "depth", "answers")  # fmt: skip


def page(game: Game[Any, Any], told: Timeline) -> str:
    """Return the timeline of a game as an HTML document."""
    style = _STYLE.format(LIGHT[0], DARK[0], DARK[3], LIGHT[3])
    title = f"{told.title}: {len(told.moments) - 1} turns on {told.backend}"
    return "\n".join((
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}</style></head><body>",
        f"<h1>{escape(title)}</h1><p>{escape(told.result or 'The game goes on.')} Every figure comes from exact "
        f"amplitudes. Entropies are in bits; gates are those of each move's circuit, level {told.level}.</p>",
        _summary(told), "<h2>Turn by turn</h2>", over_time(told).svg(), *_boards(game, told), _table(told),
        "</body></html>", "",
    ))  # fmt: skip


def _summary(told: Timeline) -> str:
    parts = (f"<div><dt>{escape(name)}</dt><dd>{value:.6g}</dd></div>" for name, value in told.summary().items())
    return f"<dl>{''.join(parts)}</dl>"


def _boards(game: Game[Any, Any], told: Timeline) -> Iterator[str]:
    """Yield the odds and the entanglement where a register is largest, and at the end."""
    peak, last = told.peak(), told.moments[-1]
    shown = (
        [(last, "The last position")] if peak is last else [(peak, "The largest register"), (last, "The last position")]
    )
    for moment, words in shown:
        shown_game = then(game, moment.ply)
        after = f"after turn {moment.ply}, {moment.move}" if moment.ply else "the start"
        yield f"<h2>{escape(words)}: {escape(after)}</h2>"
        odds, links = board(shown_game).svg, entangled_board(shown_game).svg
        captions = (
            "the probability that each open square is occupied",
            "mutual information of the squares; dots: entropies",
        )
        yield '<div class="boards">' + "".join(
            f"<figure>{picture}<figcaption>{words}</figcaption></figure>"
            for picture, words in zip((odds, links), captions, strict=True)
        ) + "</div>"  # fmt: skip


def _table(told: Timeline) -> str:
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    rows = "\n".join(_row(moment) for moment in told.moments)
    return (
        f'<h2>All turns</h2><div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(moment: Moment) -> str:
    answers = ", ".join(f"{answer.name}={answer.value} (p={answer.probability:.4g})" for answer in moment.answers)
    cells = (
        moment.ply, moment.player or "start", moment.move, moment.open, len(moment.registers),
        max(map(len, moment.registers), default=0), moment.largest, f"{moment.entanglement:.3f}",
        f"{moment.readout:.3f}", moment.two_qubit_gates, moment.depth, answers,
    )  # fmt: skip
    kind = ' class="asked"' if moment.answers else ""
    return f"<tr{kind}>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>"

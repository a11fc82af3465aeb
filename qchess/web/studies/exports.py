"""Exports of a game: a page that replays it without a server, and an animated picture.

>>> import qchess
>>> game = qchess.new('quantum-chess', seed=1)
>>> played = game.play('b1^a3c3')
>>> page(game).startswith('<!doctype html>'), animated(game).startswith('<svg')
(True, True)
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any
from xml.etree import ElementTree

from qchess.errors import InvalidMoveError
from qchess.playing.game import Game
from qchess.showing import svg, viewjson
from qchess.web.studies import inlining, telling
from qchess.web.studies.circuits import circuit

AnyGame = Game[Any, Any]
SVG = "http://www.w3.org/2000/svg"
#: the circuit of a game with more turns is not included in a page
MOST_DRAWN = 200
#: seconds that an animation shows a position, and the last one
SECONDS, LAST = 1.2, 4.0
#: the height of the line below an animation, in pixels
LINE = 22.0

_LOOK = """
:root{color-scheme:light dark}
body{margin:0 auto;max-width:76rem;padding:1rem;background:#f8f5ee;color:#26313b}
body{font:16px/1.45 ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
@media(prefers-color-scheme:dark){body{background:#171c21;color:#e9eef2}}
h1{font-size:1.15rem;font-weight:600;margin:0 0 .8rem}
button{font:inherit;color:inherit;background:none;border:1px solid #8a8f94;border-radius:.7rem}
button{padding:.4rem .9rem;min-height:44px;cursor:pointer}
footer{margin-top:1rem;font-size:.9rem;opacity:.85}
"""
_PLAY = '<button type="button" id="play" aria-pressed="false">Play the game</button>'


def page(game: AnyGame, title: str = "") -> str:
    """Return a standalone page with the whole game: its boards, its moves, its circuits."""
    kept = {
        "state": telling.state(game, None),
        "positions": [telling.position(game, ply) for ply in range(len(game.history) + 1)],
        "circuits": _circuits(game),
        "drawings": _drawings(game),
    }
    name = escape(title or game.rules.title)
    told = f"{game.rules.title}, {len(game.history)} moves; questions answered by {game.backend.name}."
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{_LOOK}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
        f"<main><qc-viewer>{_PLAY}</qc-viewer></main>\n"
        f"<footer>{escape(told)}</footer>\n"
        f'<script type="application/json" id="game">{_safe(json.dumps(kept))}</script>\n'
        f'<script type="module">\n{_ending_nothing(inlining.script("replay"))}\n</script>\n</body>\n</html>\n'
    )


def _safe(values: str) -> str:
    """Return JSON that cannot begin markup, whatever its texts."""
    return values.replace("<", "\\u003c")


def _ending_nothing(text: str) -> str:
    """Return our modules with ``</`` only in texts, so that it cannot end the script around them."""
    return text.replace("</", "<\\/")


def _drawings(game: AnyGame) -> dict[str, Any]:
    kind = game.rules.view(game.position).drawings
    return {**viewjson.drawings(kind), "name": kind}


def _circuits(game: AnyGame) -> dict[str, Any]:
    """Return the circuits of every move and of the whole game, as the rules write them."""
    plies = range(len(game.history) + 1)
    found = {f"move {ply}": circuit(game, "move", ply=ply) for ply in plies}
    if len(game.history) <= MOST_DRAWN:
        found["game"] = circuit(game, "game")
    return found


# -- a picture that moves --------------------------------------------------------------------------------------


def animated(
    game: AnyGame,
    *,
    size: int = 400,
    below: str | None = None,
    style: str = "auto",
    seconds: float = SECONDS,
) -> str:
    """Return the whole game as one animated SVG, which needs no scripts.

    Shapes shared by several positions are drawn once.
    """
    if not 0.1 <= seconds <= 60:
        raise InvalidMoveError(f"expected 0.1 to 60 seconds for each position, got {seconds}")
    views = [replace(game.view(ply), notes=()) for ply in range(len(game.positions))]
    seen_from = below or views[0].players[0]
    drawn = [ElementTree.fromstring(svg.board(view, size=size, orientation=seen_from, style=style)) for view in views]
    width, height = _extent(drawn)
    shapes: dict[str, str] = {}
    parts: dict[str, str] = {}
    frames = [_frame(picture, shapes, parts) for picture in drawn]
    look = next(child.text or "" for child in drawn[0] if child.tag.endswith("style"))
    named = "".join(f'<g id="{name}" class="qb">{shape}</g>' for shape, name in shapes.items())
    unit = width / size
    common = "".join(parts.values())
    turns = "".join(_shown(frames, _captions(game), height, unit, seconds))
    high = height + LINE * unit
    return (
        f'<svg xmlns="{SVG}" class="qb" viewBox="0 0 {width:g} {high:g}" width="{size:g}" '
        f'height="{size * high / width:g}" role="img"><title>{escape(game.rules.title)}</title>'
        f"<style>{look}.qb .frame{{visibility:hidden}}</style><defs>{common}{named}</defs>{turns}</svg>\n"
    )


def _extent(drawn: Sequence[ElementTree.Element]) -> tuple[float, float]:
    """Return the width of all pictures, and the height of the highest."""
    boxes = [[float(value) for value in picture.attrib["viewBox"].split()] for picture in drawn]
    return max(box[2] for box in boxes), max(box[3] for box in boxes)


def _text(element: ElementTree.Element) -> str:
    return ElementTree.tostring(element, encoding="unicode").replace("ns0:", "").replace(":ns0", "")


def _frame(picture: ElementTree.Element, shapes: dict[str, str], parts: dict[str, str]) -> list[str]:
    """Return the names of a picture's shapes, in order; a new shape gets a name, and the parts of men are kept."""
    names = []
    for child in picture:
        if child.tag.endswith("style"):
            continue
        if child.tag.endswith("defs"):
            parts.update((part.attrib["id"], _text(part)) for part in child)
            continue
        text = _text(child)
        names.append(shapes.setdefault(text, f"s{len(shapes)}"))
    return names


def _captions(game: AnyGame) -> list[str]:
    """Return a line for each position: who played what."""
    played = [f"{number}. {move.player}: {move.text}" for number, move in enumerate(game.history, 1)]
    end = f"{played.pop()}   {game.result}" if played and game.result else None
    return [game.rules.title, *played, *([end] if end else [])]


def _shown(frames: list[list[str]], captions: list[str], height: float, unit: float, seconds: float) -> list[str]:
    """Return each position as a group that is visible in its time, in a loop."""
    whole = seconds * (len(frames) - 1) + LAST
    parts = []
    for number, (names, caption) in enumerate(zip(frames, captions, strict=True)):
        begin = number * seconds / whole
        end = 1.0 if number == len(frames) - 1 else (number + 1) * seconds / whole
        used = "".join(f'<use href="#{name}"/>' for name in names)
        place = f'x="{4 * unit:g}" y="{height + 0.7 * LINE * unit:g}" font-size="{13 * unit:g}"'
        words = f'<text {place} class="note">{escape(caption)}</text>'
        parts.append(f'<g class="frame">{_turn(begin, end, whole)}{used}{words}</g>')
    return parts


def _turn(begin: float, end: float, whole: float) -> str:
    """Return when a group is visible, as parts of the whole time."""
    times, values = [0.0], ["hidden"]
    for at, value in ((begin, "visible"), (end, "hidden")):
        if at == 0.0:
            values[0] = value
        elif at < 1.0:
            times.append(at)
            values.append(value)
    told = ";".join(f"{at:.6g}" for at in times)
    return (
        f'<animate attributeName="visibility" calcMode="discrete" dur="{whole:g}s" repeatCount="indefinite" '
        f'keyTimes="{told}" values="{";".join(values)}"/>'
    )

"""A board and its moves as JSON values, for front ends that are not Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qchess.showing.svgpieces import DISC, DISCS, HUNDRED, MARKS, MEN, Shape
from qchess.showing.view import Man, Sketch, View

#: the digits of strengths and phases
DIGITS = 6
#: the names of the two signs of a link
TOGETHER, APART = "together", "either-or"
#: the drawings for each kind of pieces
DRAWINGS: dict[str, dict[str, Shape]] = {"chess": MEN, "draughts": DISCS, "marks": MARKS, "letters": {}}


def view(shown: View) -> dict[str, Any]:
    """Return the board as JSON values, without defaults.

    >>> view(View(2, 1, {'a1': (Man('n', 0.5),)}))['men']
    {'a1': [{'symbol': 'n', 'player': 1, 'probability': 0.5}]}
    """
    values: dict[str, Any] = {
        "width": shown.width,
        "height": shown.height,
        "players": list(shown.players),
        "drawings": shown.drawings,
        "men": {square: [_man(shown, man) for man in men] for square, men in shown.men.items()},
        "grid": [list(line) for line in shown.grid],
        "links": [_link(shown, a, b, strength) for a, b, strength in shown.links],
        "groups": [list(group) for group in shown.groups],
        "registers": [*(shown.registers or range(len(shown.groups)))],
        "marked": list(shown.marked),
        "arrows": [{"start": arrow.start, "end": arrow.end, "kind": arrow.kind} for arrow in shown.arrows],
        "notes": list(shown.notes),
    }
    return values


def _man(shown: View, man: Man) -> dict[str, Any]:
    values: dict[str, Any] = {"symbol": man.symbol, "player": shown.side(man), "probability": man.probability}
    if man.phase is not None:
        values["phase"] = round(man.phase, DIGITS)
    if man.mark is not None:
        values["mark"] = {"colour": man.mark.colour, "degrees": man.mark.degrees}
    return values


def _link(shown: View, a: str, b: str, strength: float) -> list[Any]:
    """Return a link: two squares, its strength, and its sign if known."""
    sign = shown.signs.get((a, b))
    return [a, b, round(strength, DIGITS), *([] if sign is None else [TOGETHER if sign > 0 else APART])]


def move(text: str, sketch: Sketch, measures: bool | None = None) -> dict[str, Any]:
    """Return a move as JSON values; `measures` says whether it asks a question, if known.

    >>> move('b1^a3c3', Sketch(('b1',), ('a3', 'c3'), 'split'))
    {'text': 'b1^a3c3', 'from': ['b1'], 'to': ['a3', 'c3'], 'kind': 'split', 'measures': None}
    """
    return {
        "text": text,
        "from": list(sketch.sources),
        "to": list(sketch.targets),
        "kind": sketch.kind,
        "measures": measures,
    }


def drawings(name: str) -> dict[str, Any]:
    """Return the drawings of a kind of pieces, as path data in a box of 100.

    By letter: the outline without its plinth, the lines over it, where the head begins, and the ends of the plinth if
    it has one (`svgpieces` says how it is let in). The letter of a piece without a drawing stands on the disc `other`.

    >>> sorted(drawings('draughts')['men']), drawings('chess')['men']['P']['lines']
    (['K', 'M'], 'M41.5 53.8H58.5')
    """
    men = {symbol: _drawing(shape) for symbol, shape in DRAWINGS[name].items()}
    return {"box": HUNDRED, "men": men, "other": _drawing(DISC)}


def _drawing(shape: Shape) -> dict[str, Any]:
    values: dict[str, Any] = {"body": shape.body, "lines": shape.lines, "top": shape.top}
    return values | ({"plinth": list(shape.plinth)} if shape.plinth else {})


def moves(texts: Iterable[tuple[str, Sketch]]) -> list[dict[str, Any]]:
    """Return a list of moves as JSON values, without unknown fields."""
    return [move(text, sketch) for text, sketch in texts]


__all__ = ["APART", "DIGITS", "DRAWINGS", "TOGETHER", "drawings", "move", "moves", "view"]

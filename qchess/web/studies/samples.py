"""What the first page shows of each game: a line, a small picture of a real position, and a board to try.

>>> shown = sample("quantum-checkers")
>>> shown["width"], shown["height"], sorted(shown["men"])
(4, 2, ['a1', 'b2', 'c1', 'd2'])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from qchess import backends, games
from qchess.lessons.lesson import courses
from qchess.playing.game import Game
from qchess.showing import viewjson
from qchess.web.studies import telling

DIGITS = 9
#: the board to try: White alone moves, as what was played comes before the first move, where it uses no turn
TRIED = {"fen": "1pkp1/5/5/P1N1P w - - 0 1", "sandbox": True, "setup": ["c1^b3d3"]}


class Sample(NamedTuple):
    """A line about a game, and the moves to a position of which a part is shown, from a corner on."""

    line: str
    moves: Sequence[str] = ()
    corner: str = "a1"
    width: int = 4
    height: int = 2


SAMPLES = {
    "quantum-chess": Sample(
        "Pieces split, slip past each other and merge.", ("g1^f3h3", "a7-a6", "f2-f4"), corner="e3"
    ),
    "piece-qubit-chess": Sample("Every piece is two kinds at once.", ("a2-a3",)),
    "quantum-checkers": Sample("Men split, jump and merge.", ("c3^b4d4", "d6^c5e5"), corner="b4"),
    "niels-chess": Sample("Pairs of pieces, for a real board and dice.", ("b1^a3c3",), corner="a2"),
    "niels-xiangqi": Sample("The same pairs on a Xiangqi board.", ("h3^e3h7", "b8^b5b4"), corner="a4"),
    "quantum-tic-tac-toe": Sample("One mark in two boxes.", ("a2c1", "c2a1"), width=3),
}


def lobby() -> dict[str, Any]:
    """Return what the first page shows before a game is chosen."""
    return {"games": [_game(row) for row in games.rows()], "try": tried()}


def _game(row: games.Row) -> dict[str, Any]:
    made, course, known = row.rules(), courses().get(row.name), SAMPLES.get(row.name)
    lessons = course.lessons if course else ()
    return {
        "name": row.name,
        "title": made.title,
        "line": known.line if known else row.summary,
        "players": list(made.players),
        "lessons": len(lessons),
        "lesson": lessons[0].name if lessons else "",
        "sample": sample(row.name) if known else None,
    }


def sample(name: str) -> dict[str, Any]:
    """Return a part of a real position of a game for showing; its squares are named from a1 on."""
    chosen = SAMPLES[name]
    game = Game(games.rules(name), backends.get("sparse"))
    for move in chosen.moves:
        game.play(move)
    return part(viewjson.view(game.view()), chosen.corner, chosen.width, chosen.height)


def part(view: Mapping[str, Any], corner: str, width: int, height: int) -> dict[str, Any]:
    """Return a part of a board, without what a small picture does not show.

    >>> men = {"b2": [{"symbol": "n", "probability": 0.4999999999999999, "phase": 0.25}], "a1": []}
    >>> whole = {"men": men, "groups": [["b2"]], "registers": [3], "grid": [["a1", "b1"]]}
    >>> part(whole | {"drawings": "letters"}, "b2", 2, 1)["men"]
    {'a1': [{'symbol': 'n', 'probability': 0.5}]}
    """
    squares = {
        f"{chr(ord(corner[0]) + x)}{int(corner[1:]) + y}": f"{chr(ord('a') + x)}{y + 1}"
        for y in range(height)
        for x in range(width)
    }
    groups = [[squares[square] for square in group if square in squares] for group in view["groups"]]
    kept = [(group, number) for group, number in zip(groups, view["registers"], strict=True) if group]
    return {
        "width": width,
        "height": height,
        "drawings": view["drawings"],
        "men": {squares[square]: [*map(_man, men)] for square, men in view["men"].items() if square in squares},
        "groups": [group for group, _ in kept],
        "registers": [number for _, number in kept],
        "grid": [ends for line in view["grid"] if (ends := _inside(line, corner, width, height))],
    }


def _man(man: Mapping[str, Any]) -> dict[str, Any]:
    """Return a man without his phase, and with no more digits than a plate can need."""
    kept = {name: value for name, value in man.items() if name != "phase"}
    return kept | {"probability": round(man["probability"], DIGITS)}


def _inside(line: Sequence[str], corner: str, width: int, height: int) -> list[str] | None:
    """Return the ends of a line in this part, or a square beyond where it goes on; None where it is not in this part.

    >>> _inside(("a1", "i1"), "a1", 2, 1)
    ['a1', 'c1']
    """
    ends = [(ord(name[0]) - ord(corner[0]), int(name[1:]) - int(corner[1:])) for name in line]
    near = [(min(max(x, -1), width), min(max(y, -1), height)) for x, y in ends]
    (left, right), (low, high) = (sorted(values) for values in zip(*near, strict=True))
    if (left < right and low < high and near != ends) or right < 0 or left >= width or high < 0 or low >= height:
        return None  # a diagonal is whole or not at all
    return [f"{chr(ord('a') + x)}{y + 1}" for x, y in near]


def tried() -> dict[str, Any]:
    """Return the board to try: the options of its game, what it shows and its moves."""
    told = telling.state(Game(games.rules("quantum-chess", **TRIED), backends.get("sparse")))
    moves = [{name: value for name, value in move.items() if value is not None} for move in told["moves"]]
    return {"options": TRIED, "view": told["view"], "moves": moves}

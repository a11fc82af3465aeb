"""A game for the browser's viewer without a server's table: its state, its past, its answers.

>>> import qchess
>>> game = qchess.new('quantum-chess', seed=1)
>>> told = state(game)
>>> told['player'], len(told['moves']) > 20, told['history']
('white', True, [])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.playing.game import Game
from qchess.showing import viewjson
from qchess.web import words, work
from qchess.web.studies.circuits import circuit, ply_of
from qchess.web.studies.registers import register

AnyGame = Game[Any, Any]
#: the longest move, square, and level or form
LONGEST = 200


def state(game: AnyGame, you: str | None = "all") -> dict[str, Any]:
    """Return everything: the board now, its moves, and what was played. `you` is a player, ``all``, or nobody."""
    last = game.history[-1].move if game.history else None
    return {
        "kind": "state",
        "title": game.rules.title,
        "rules": {"name": game.rules.name, "options": game.rules.options()},
        "backend": game.backend.name,
        "players": list(game.rules.players),
        "you": you,
        "ply": len(game.history),
        "player": game.player,
        "view": work.view(game, last),
        "moves": work.moves(game),
        "history": history(game),
        "result": work.result_values(game.result),
        "offers": {},
    }


def history(game: AnyGame) -> list[dict[str, Any]]:
    """Return what was played, each move in a sentence with its answers."""
    return [entry(game, ply) for ply in range(1, len(game.history) + 1)]


def entry(game: AnyGame, ply: int) -> dict[str, Any]:
    """Return one move as in the history."""
    return {"ply": ply, **words.entry(game, ply - 1)}


def position(game: AnyGame, ply: int | None = None) -> dict[str, Any]:
    """Return a position of the game as it was shown then."""
    at = ply_of(game, ply)
    return {"ply": at, "view": viewjson.view(game.view(at))}


def answer(game: AnyGame, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a question about a game: ``odds``, ``preview``, ``look``, ``circuit`` or ``register``."""
    kind = reading.one_of(message.get("kind"), "the kind of a question", tuple(ANSWERS))
    return {"kind": "position" if kind == "look" else kind, **ANSWERS[kind](game, message)}


def _odds(game: AnyGame, message: Mapping[str, Any]) -> dict[str, Any]:
    square = reading.text(message.get("square"), "'square'", LONGEST)
    return {"ply": _now(game, message), "square": square, "moves": work.odds(game, square)}


def _preview(game: AnyGame, message: Mapping[str, Any]) -> dict[str, Any]:
    text = reading.text(message.get("text"), "'text'", LONGEST)
    return {"ply": _now(game, message), "player": game.player, **work.preview(game, text), "text": text}


def _now(game: AnyGame, message: Mapping[str, Any]) -> int:
    """Return the present ply; raises if the question is about another one."""
    ply = ply_of(game, message.get("ply"))
    if ply != len(game.history):
        raise InvalidMoveError(f"expected the present position, after {len(game.history)} turns, got {ply}")
    return ply


def _look(game: AnyGame, message: Mapping[str, Any]) -> dict[str, Any]:
    return position(game, message.get("ply"))


def _circuit(game: AnyGame, message: Mapping[str, Any]) -> dict[str, Any]:
    fields = ("ply", "square", "text", "level", "form")
    given = {name: message[name] for name in fields if message.get(name) is not None}
    return circuit(game, message.get("of", "move"), **given)


def _register(game: AnyGame, message: Mapping[str, Any]) -> dict[str, Any]:
    return register(game, reading.text(message.get("square"), "'square'", LONGEST), message.get("ply"))


#: the questions about a game, by kind
ANSWERS: dict[str, Callable[[AnyGame, Mapping[str, Any]], dict[str, Any]]] = {
    "odds": _odds, "preview": _preview, "look": _look, "circuit": _circuit, "register": _register,
}  # fmt: skip

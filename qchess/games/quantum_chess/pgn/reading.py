"""Reads quantum PGN by replaying it: what comes out is a record, or an error that says which move."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from qchess.circuits.engine import Answer
from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess import QuantumChess
from qchess.games.quantum_chess.pgn.tags import PLAYERS, ROSTER, RULES, read_result
from qchess.games.quantum_chess.pgn.tokens import Ply, Told, games
from qchess.playing.game import Game
from qchess.playing.record import Entry, Record
from qchess.playing.retelling import retell
from qchess.rules import Result

#: the source of an answer of which nothing more is told
SOURCE = "pgn"
_NAMED = re.compile(r"\s*(?P<name>\w+)=(?P<value>.*?)\s*", re.DOTALL)


def loads(text: str) -> list[Record]:
    """Every game of the text as a record. Probabilities are computed, not believed."""
    return [_record(number, told) for number, told in enumerate(games(text), 1)]


def _record(number: int, told: Told) -> Record:
    game = _replayed(number, told)
    details = _json(told.tags.get("AnswerDetails", "{}"), "AnswerDetails")
    entries = tuple(_entry(game, turn, ply, details.get(str(turn), {})) for turn, ply in enumerate(told.plies))
    names = {pgn: name for name, pgn in PLAYERS.items()}
    tags = {
        names.get(name, name): value
        for name, value in told.tags.items()
        if name not in (*RULES, "Result") and ROSTER.get(name) != value
    }
    backend = told.tags.get("Backend", "sparse")
    result = _result(number, told, game)
    return Record(game.rules.name, game.rules.options(), entries, result, backend, tags, game.seed)


def _rules(tags: Mapping[str, str]) -> QuantumChess:
    options = _json(tags.get("RuleOptions", "{}"), "RuleOptions")
    options |= {"fen": tags["FEN"]} if "FEN" in tags else {}
    options |= {"setup": tags["SetupMoves"]} if "SetupMoves" in tags else {}
    return QuantumChess(tags.get("Rules", "standard"), **options)


def _seed(tags: Mapping[str, str]) -> int | str | None:
    """The seed, a whole number or a text in quotes."""
    text = tags.get("Seed", "null")
    if re.fullmatch(r"-?\d{1,40}", text):
        return int(text)
    return None if text == "null" else text


def _json(text: str, tag: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidMoveError(f"the tag {tag} is no JSON: {text!r}") from error
    if not isinstance(found, dict):
        raise InvalidMoveError(f"expected a JSON object in the tag {tag}, got {text!r}")
    return found


# -- moves ------------------------------------------------------------------------------------------------


def _replayed(number: int, told: Told) -> Game[Any, Any]:
    """The game, move by move; an error names the game, the move's number and its text."""
    where = f"game {number}"
    try:
        rules = _rules(told.tags)
        game = Game(rules, seed=_seed(told.tags))
        for k, ply in enumerate(told.plies, rules.fen.ply):
            where = f"game {number}, move {k // 2 + 1}{'...' if k & 1 else '.'} {ply.text!r}"
            retell(game, [(ply.text, _spelled_out(ply))])
    except ValueError as error:
        raise InvalidMoveError(f"{where}: {error}") from error
    return game


def _spelled_out(ply: Ply) -> dict[str, int] | None:
    """The answers to the last question, which stand in comments since the move's text does not hold them."""
    if ply.text != "kings":
        return None
    found = {name: int(value) for name, value in _named(ply) if value in ("0", "1")}
    return {name: found[name] for name in ("white", "black") if name in found} or None


def _named(ply: Ply) -> Iterator[tuple[str, str]]:
    for comment in ply.comments:
        if found := _NAMED.fullmatch(comment):
            yield found["name"], found["value"]


def _entry(game: Game[Any, Any], turn: int, ply: Ply, details: Mapping[str, Any]) -> Entry:
    """The turn as it was replayed, with the sources that the text names."""
    played = game.history[turn]
    sources = iter([unquote(value) for name, value in _named(ply) if name == "source"])
    answers = tuple(
        replace(answer, source=_source(answer, sources), details=details.get(answer.name, {}))
        for answer in played.answers
    )
    return Entry(played.player, played.text, answers)


def _source(answer: Answer, sources: Iterator[str]) -> str:
    only = 1 - answer.probability < 1e-12
    return next(sources, "certain" if only else SOURCE)


def _result(number: int, told: Told, game: Game[Any, Any]) -> Result | None:
    """The result of the replayed game; if it has none, the one that is told."""
    text = told.result or told.tags.get("Result", "*")
    if text not in ("1-0", "0-1", "1/2-1/2", "*"):
        raise InvalidMoveError(f"game {number}: expected the result 1-0, 0-1, 1/2-1/2 or *, got {text!r}")
    claimed = read_result(text, told.tags.get("Termination", "unknown"))
    if game.result and claimed and claimed.winner != game.result.winner:
        raise InvalidMoveError(f"game {number}: the moves end with '{game.result}', the text says {text}")
    return game.result or claimed

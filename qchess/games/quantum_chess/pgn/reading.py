"""Read quantum PGN by replaying it: returns a record, or an error that names the move."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from qchess import reading
from qchess.circuits.engine import Answer
from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess import QuantumChess
from qchess.games.quantum_chess.pgn.tags import PLAYERS, ROSTER, RULES, read_result
from qchess.games.quantum_chess.pgn.tokens import Ply, Told, told_games
from qchess.playing.game import Game
from qchess.playing.record import Entry, Record
from qchess.playing.replaying import replay_moves
from qchess.rules import Result

#: the source of an answer without further information
SOURCE = "pgn"


def loads(text: str) -> list[Record]:
    """Return every game of the text as a record. Probabilities in the text are ignored and computed anew."""
    told = told_games(reading.text(text, "the PGN", reading.LONGEST))
    return [_record(number, game) for number, game in enumerate(told, 1)]


def _record(number: int, told: Told) -> Record:
    game = _replayed(number, told)
    details = _json(told.tags, "AnswerDetails")
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
    options = _json(tags, "RuleOptions")
    options |= {"profile": tags["Rules"]} if "Rules" in tags else {}
    options |= {"fen": tags["FEN"]} if "FEN" in tags else {}
    options |= {"setup": tags["SetupMoves"]} if "SetupMoves" in tags else {}
    return QuantumChess(**options)


def _seed(tags: Mapping[str, str]) -> int | str | None:
    """Return the seed, an integer or a text in quotes."""
    text = tags.get("Seed", "null")
    if re.fullmatch(r"-?[0-9]{1,40}", text):
        return int(text)
    return None if text == "null" else text


def _json(tags: Mapping[str, str], name: str) -> dict[str, Any]:
    return reading.json_object(tags.get(name, "{}"), f"the tag {name}")


# -- moves ------------------------------------------------------------------------------------------------


def _replayed(number: int, told: Told) -> Game[Any, Any]:
    """Replay the game, move by move; an error names the game, the move's number and its text."""
    where = f"game {number}"
    try:
        rules = _rules(told.tags)
        game = Game(rules, seed=_seed(told.tags))
        for k, ply in enumerate(told.plies, rules.fen.ply):
            where = f"game {number}, move {k // 2 + 1}{'...' if k & 1 else '.'} {ply.text!r}"
            replay_moves(game, [(ply.text, _spelled_out(ply))])
    except ValueError as error:
        raise InvalidMoveError(f"{where}: {error}") from error
    return game


def _spelled_out(ply: Ply) -> dict[str, int] | None:
    """Return the answers to the last question, which are in comments since the move's text has none."""
    if ply.text != "kings":
        return None
    found = {name: int(value) for name, value in _named(ply) if value in ("0", "1")}
    return {name: found[name] for name in ("white", "black") if name in found} or None


def _named(ply: Ply) -> Iterator[tuple[str, str]]:
    for comment in ply.comments:
        name, sign, value = comment.strip().partition("=")
        if sign and name.replace("_", "").isalnum():
            yield name, value


def _entry(game: Game[Any, Any], turn: int, ply: Ply, details: Any) -> Entry:
    """Return the turn as replayed, with the sources named in the text."""
    played = game.history[turn]
    details = reading.mapping(details, f"the details of turn {turn}")
    sources = iter([unquote(value) for name, value in _named(ply) if name == "source"])
    answers = tuple(
        replace(answer, source=_source(answer, sources), details=_details(details, answer)) for answer in played.answers
    )
    return Entry(played.player, played.text, answers)


def _details(details: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    return reading.mapping(details.get(answer.name, {}), f"the details of {answer.name}")


def _source(answer: Answer, sources: Iterator[str]) -> str:
    only = 1 - answer.probability < 1e-12
    return next(sources, "certain" if only else SOURCE)


def _result(number: int, told: Told, game: Game[Any, Any]) -> Result | None:
    """Return the result of the replayed game, else the one in the text."""
    text = told.result or told.tags.get("Result", "*")
    claimed = read_result(text, told.tags.get("Termination", "unknown"))
    if game.result and claimed and claimed.winner != game.result.winner:
        raise InvalidMoveError(f"game {number}: the moves end with '{game.result}', the text says {text}")
    return game.result or claimed

"""Write records as quantum PGN: tags, then moves with their outcomes, wrapped at 80 columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from qchess.circuits.engine import Answer
from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess import START, QuantumChess
from qchess.games.quantum_chess.patterns import HIT
from qchess.games.quantum_chess.pgn.tags import PLAYERS, ROSTER, RULES, quoted, written_result
from qchess.playing.game import Game
from qchess.playing.record import Entry, Record
from qchess.wording import filled

#: characters allowed in a comment; others in a source's name are percent-encoded
PLAIN = " :/+,#()@=[]"


def dumps(game: Game[Any, Any] | Record, *, odds: bool = True, **tags: str) -> str:
    """Return the game as quantum PGN, with more tags if given; `odds` adds odds and sources as comments."""
    record = game.record() if isinstance(game, Game) else game
    if record.game != QuantumChess.name:
        raise InvalidMoveError(f"PGN is for {QuantumChess.name!r}; keep a game of {record.game!r} as JSON")
    ply = QuantumChess(**record.options).fen.ply
    words = [*_movetext(record.entries, ply, odds), written_result(record.result)]
    return "\n".join([*_tags(record, tags), "", *filled(words)]) + "\n"


def _tags(record: Record, more: Mapping[str, str]) -> Iterator[str]:
    """Yield every tag as a line, in the usual order."""
    others = {PLAYERS.get(name, name): value for name, value in {**record.tags, **more}.items()}
    if misplaced := [name for name in (*RULES, "Result") if name in others]:
        raise InvalidMoveError(f"the tags {', '.join(misplaced)} follow from the game and cannot be given")
    roster = {name: others.pop(name, unknown) for name, unknown in ROSTER.items()}
    for name, value in {**roster, "Result": written_result(record.result), **_rules(record), **others}.items():
        yield quoted(name, value)


def _rules(record: Record) -> dict[str, str]:
    """Return what a reader needs to replay the game."""
    options = dict(record.options)
    fen, profile, setup = (options.pop(name, "") for name in ("fen", "profile", "setup"))
    found = {"SetUp": "1", "FEN": fen} if fen not in ("", START) else {}
    found |= {"Variant": "Quantum", "Rules": profile or "standard"}
    found |= {"RuleOptions": json.dumps(options)} if options else {}
    found |= {"SetupMoves": setup if isinstance(setup, str) else " ".join(setup)} if setup else {}
    found |= {"Termination": record.result.reason} if record.result else {}
    found |= {"Backend": record.backend} if record.backend != "sparse" else {}
    found |= {"Seed": str(record.seed)} if record.seed is not None else {}
    details = _details(record.entries)
    return found | ({"AnswerDetails": json.dumps(details)} if details else {})


def _details(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """Return the details of sources, by turn and by answer."""
    return {
        str(turn): {answer.name: dict(answer.details) for answer in entry.answers}
        for turn, entry in enumerate(entries)
        if any(answer.details for answer in entry.answers)
    }


def _movetext(entries: tuple[Entry, ...], ply: int, odds: bool) -> Iterator[str]:
    for k, entry in enumerate(entries, ply):
        if not k & 1:
            yield f"{k // 2 + 1}."
        elif k == ply:
            yield f"{k // 2 + 1}..."
        yield entry.move
        yield from _comments(entry, odds)


def _comments(entry: Entry, odds: bool) -> Iterator[str]:
    """Yield ``{blocked}`` after a failure, answers that are not in the move's text, odds and sources."""
    for answer in entry.answers:
        if answer.name == HIT and answer.value == 0:
            yield "{blocked}"
        if answer.name != HIT:
            yield f"{{{answer.name}={answer.value}}}"
        if odds and answer.source != "certain":
            yield f"{{p={_pass_probability(answer):.12g}}}"
            yield f"{{source={quote(answer.source, safe=PLAIN)}}}"


def _pass_probability(answer: Answer) -> float:
    return answer.probability if answer.value else 1 - answer.probability

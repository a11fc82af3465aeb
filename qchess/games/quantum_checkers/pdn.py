"""Games in a notation like PDN, that of draughts: tags, then numbered moves with what they measured.

    [Event "?"]
    ...
    [GameType "quantum-checkers"]
    [Options "level=3 size=5 rows=1 profile=default"]

    1. c1^b2d2 c5-d4 2. d2-e3 {p=0.5} *

A turn of several jumps is several moves without a number between them. The tag GameType tells draughts programs that
these are not their moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from qchess.errors import InvalidMoveError
from qchess.games.quantum_checkers.book import WHITE
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.rules import QuantumCheckers
from qchess.playing.game import Game
from qchess.playing.record import Entry, Record
from qchess.playing.replaying import replayed
from qchess.rules import Result
from qchess.wording import filled

TYPE = "quantum-checkers"
#: the first tags, with their defaults
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
WRITTEN = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
_OWN = ("GameType", "Options", "FEN", "Result", "Termination")
_TAG = re.compile(r'\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_TOKEN = re.compile(r"\s*(?:(?P<comment>\{[^}]*\})|(?P<number>\d+\.(?:\.\.)?)|(?P<word>[^\s{}]+))")


def dumps(game: Game[Any, Any] | Record, *, odds: bool = True, **tags: str) -> str:
    """Return the game as text, with more tags if given; `odds` adds the probability of each answer in comments."""
    record = game.record() if isinstance(game, Game) else game
    if record.game != QuantumCheckers.name:
        raise InvalidMoveError(f"this notation is for {QuantumCheckers.name!r}; keep {record.game!r} as JSON")
    if own := sorted({*record.tags, *tags} & {*_OWN}):
        raise InvalidMoveError(f"the tags {', '.join(own)} follow from the game and cannot be given")
    given = {**ROSTER, **record.tags, **tags, **_rules(record)}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in given.items()]
    words = [*_movetext(record.entries, odds), _result(record.result)]
    return "\n".join([*lines, "", *filled(words)]) + "\n"


def _quoted(value: str) -> str:
    return str(value).replace("\\", r"\\").replace('"', r"\"")


def _rules(record: Record) -> dict[str, str]:
    """Return what a reader needs to replay the game."""
    options = dict(record.options)
    position = options.pop("position", None)
    found = {"GameType": TYPE, "Options": " ".join(f"{name}={value}" for name, value in options.items())}
    found |= {} if position is None else {"FEN": position}
    found |= {"Termination": record.result.reason} if record.result else {}
    return found | {"Result": _result(record.result)}


def _result(result: Result | None) -> str:
    return WRITTEN[result.winner] if result else "*"


def _movetext(entries: tuple[Entry, ...], odds: bool) -> Iterator[str]:
    """Yield the moves; a number is before White's turns, and before the first move."""
    number, last = 0, ""
    for entry in entries:
        if entry.player != last and (entry.player == WHITE or not number):
            number += 1
            yield f"{number}." if entry.player == WHITE else f"{number}..."
        last = entry.player
        yield entry.move
        for answer in entry.answers:
            if odds and answer.source != "certain":
                yield f"{{p={answer.probability:.12g}}}"


# -- reading ---------------------------------------------------------------------------------------------


def loads(text: str) -> Game[Position, Move]:
    """Replay the game of a text; nothing is drawn, and odds in comments are ignored."""
    tags, rest = _tags(text)
    if tags.get("GameType", TYPE) != TYPE:
        raise InvalidMoveError(f"expected the tag GameType to say {TYPE!r}, got {tags['GameType']!r}")
    rules = QuantumCheckers(**_options(tags.get("Options", "")), position=tags.get("FEN"))
    moves, result = _moves(rest)
    game = replayed(rules, moves)
    told = _result(game.result)
    if result != "*" and game.result and result != told:
        raise InvalidMoveError(f"the text says {result!r}, but its moves end with {told!r}")
    return game


def _tags(text: str) -> tuple[dict[str, str], str]:
    """Return the tags, and the text after them."""
    tags: dict[str, str] = {}
    while found := _TAG.match(text):
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        text = text[found.end() :]
    return tags, text


def _options(text: str) -> dict[str, Any]:
    """Parse options such as ``level=3 size=5``."""
    found: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in ("level", "size", "rows", "profile"):
            raise InvalidMoveError(f"expected options such as 'level=3 size=5', got {word!r} in {text!r}")
        found[name] = int(value) if value.isdecimal() and name != "profile" else value
    return found


def _moves(text: str) -> tuple[list[str], str]:
    """Return the moves and the result."""
    moves: list[str] = []
    for found in _tokens(text):
        word = found["word"]
        if word in (*WRITTEN.values(), "*"):
            return moves, word
        if word:
            moves.append(word)
    return moves, "*"


def _tokens(text: str) -> Iterator[re.Match[str]]:
    text, at = text.rstrip(), 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise InvalidMoveError(f"expected moves, numbers and comments in braces, got {text[at : at + 20]!r}")
        yield found
        at = found.end()

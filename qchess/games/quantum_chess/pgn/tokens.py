"""Split PGN text into games: tags, moves with their comments, and a result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess.pgn.tags import unquoted

_END = r"(?=[\s{}()\[\];]|\Z)"
_TOKEN = re.compile(
    rf"""(?P<space>\s+)
    | (?P<escape>(?m:^)%[^\n]*)
    | \[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\\n]|\\[^\n])*)"\s*\]
    | \{{(?P<comment>[^}}]*)\}}
    | (?P<rest>;[^\n]*)
    | (?P<nag>\$\d+){_END}
    | (?P<open>\()
    | (?P<close>\))
    | (?P<result>1-0|0-1|1/2-1/2|\*){_END}
    | (?P<number>\d+(?:\.+|{_END}))
    | (?P<word>[^\s{{}}()\[\];]+)""",
    re.VERBOSE,
)
_SKIPPED = ("space", "escape", "rest", "nag", "number")


@dataclass
class Ply:
    """One move of the text, with the comments after it."""

    text: str
    comments: list[str] = field(default_factory=list)


@dataclass
class Told:
    """One game of the text."""

    tags: dict[str, str] = field(default_factory=dict)
    plies: list[Ply] = field(default_factory=list)
    result: str = ""


def told_games(text: str) -> Iterator[Told]:
    """Yield every game of the text. A game ends with its result, with the next tags, or with the text."""
    told, depth = Told(), 0
    for kind, word, line in _tokens(text):
        if kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
            if depth < 0:
                raise InvalidMoveError(f"line {line}: got ')' without '('")
        elif depth:
            continue  # variations are skipped, comments in them too
        elif kind == "result":
            told.result = word
            yield told
            told = Told()
        elif kind == "tag":
            if told.plies:
                yield told
                told = Told()
            name, _, value = word.partition(" ")
            told.tags[name] = unquoted(value)
        elif kind == "word":
            told.plies.append(Ply(word))
        elif told.plies:
            told.plies[-1].comments.append(word)
    if depth:
        raise InvalidMoveError("the text ends inside a variation; ')' is missing")
    if told.plies or told.tags:
        yield told


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield each relevant token: its kind, its text, and its line."""
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise InvalidMoveError(f"line {line}: expected a tag, a move or a comment, got {text[at : at + 40]!r}")
        kind = "tag" if found["tag"] else str(found.lastgroup)
        if kind == "tag":
            yield kind, f"{found['tag']} {found['value']}", line
        elif kind not in _SKIPPED:
            yield kind, found[kind], line
        line += found[0].count("\n")
        at = found.end()

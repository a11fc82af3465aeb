"""The tags of quantum PGN with a meaning here, and how tags are quoted."""

from __future__ import annotations

import re

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.rules import Result

#: the usual seven, with their defaults
ROSTER = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*",
}  # fmt: skip
#: tags that say how to replay the game; they come from the record, never from a caller
RULES = ("SetUp", "FEN", "Variant", "Rules", "RuleOptions", "SetupMoves", "Termination", "Backend", "Seed",
         "AnswerDetails")  # fmt: skip
#: the names of players in records
PLAYERS = {"white": "White", "black": "Black"}
NAME = re.compile(r"[A-Za-z0-9_]+")


def quoted(name: str, value: str) -> str:
    """Return one tag as a line."""
    if not NAME.fullmatch(name):
        raise InvalidMoveError(f"expected a tag named with letters, digits and _, got {name!r}")
    if not value.isprintable():
        raise InvalidMoveError(f"expected the tag {name} on one line of printable text, got {value!r}")
    escaped = value.replace("\\", r"\\").replace('"', r"\"")
    return f'[{name} "{escaped}"]'


def unquoted(value: str) -> str:
    """Return the value between the quotes of a tag."""
    return re.sub(r"\\(.)", r"\1", value)


def written_result(result: Result | None) -> str:
    """Return how a game ended, as in PGN."""
    if result is None:
        return "*"
    return {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[result.winner]


def read_result(text: str, reason: str) -> Result | None:
    """Return the result in a PGN, with its reason."""
    winner = {"1-0": "white", "0-1": "black", "1/2-1/2": None, "*": None}
    reading.one_of(text, "the result", tuple(winner))
    return None if text == "*" else Result(winner[text], reason)

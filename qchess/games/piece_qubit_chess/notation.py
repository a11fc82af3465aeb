"""Moves as text: ``b8-c6``, and after play with the measured types, ``c4-e6.mc4B,e6N``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from qchess.circuits import Qubit
from qchess.errors import InvalidMoveError
from qchess.foreign import understands
from qchess.games.piece_qubit_chess.position import Position

_MOVE = re.compile(r"([PNBRQK]?)([a-h][1-8])[-x]?([a-h][1-8])(?:\.m(.*))?", re.DOTALL)
_FOUND = re.compile(r"[a-h][1-8][PNBRQK]")


@understands("Move")
class Move(NamedTuple):
    """A piece goes from one square to another; everything else follows from that."""

    start: str
    end: str

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


class Written(NamedTuple):
    """A parsed move, perhaps with the piece's letter and the measured types."""

    move: Move
    letter: str
    found: dict[str, str] | None


def parse(text: str) -> Written:
    """Parse a move: ``b8-c6``, ``b8c6``, ``Nb8-c6`` or ``c4xe6``, perhaps with its ``.m`` suffix."""
    match = _strictly(text)
    if not match:
        raise InvalidMoveError(f"expected a move such as 'b8-c6', got {text!r}")
    letter, start, end, suffix = match.groups()
    return Written(Move(start, end), letter, None if suffix is None else _parse_found(suffix, text))


def is_strict(text: str) -> bool:
    """Tell whether the text has the form of a move, so that nothing must be guessed."""
    return _strictly(text) is not None


def _strictly(text: str) -> re.Match[str] | None:
    if not isinstance(text, str):
        raise InvalidMoveError(f"expected a move as text such as 'b8-c6', got {text!r}")
    return _MOVE.fullmatch(text.strip())


def _parse_found(suffix: str, text: str) -> dict[str, str]:
    """Parse the measured type on each square."""
    found: dict[str, str] = {}
    for part in suffix.split(","):
        if not _FOUND.fullmatch(part):
            raise InvalidMoveError(f"after .m expected squares with types such as 'c4B,e6N', got {part!r} in {text!r}")
        if part[:2] in found:
            raise InvalidMoveError(f"after .m expected each square once, got {part[:2]!r} again in {text!r}")
        found[part[:2]] = part[2]
    return found


def write_found(position: Position, measured: Sequence[Qubit], answer: int) -> str:
    """Return the suffix of a move that measured: each piece's square before the move and its type."""
    squares = position.squares
    parts = []
    for k, piece in enumerate(measured):
        square = squares[piece]
        parts.append(square + position.board[square].types[answer >> k & 1])
    return ".m" + ",".join(parts)


def read_found(position: Position, measured: Sequence[Qubit], found: Mapping[str, str], text: str) -> int:
    """Return the answer of a suffix; it must name exactly the mixed pieces that the move measures."""
    squares = position.squares
    expected = [squares[piece] for piece in measured]
    if set(expected) != set(found):
        wanted = ", ".join(expected) or "nothing"
        raise InvalidMoveError(f"the move measures {wanted}, but {text!r} records {', '.join(found)}")
    answer = 0
    for k, square in enumerate(expected):
        types = position.board[square].types
        if found[square] not in types:
            either = " or ".join(types)
            raise InvalidMoveError(f"the piece on {square} is {either}, but {text!r} records {found[square]}")
        answer |= types.index(found[square]) << k
    return answer

"""FEN, for the start of a game, and position strings, for whole games.

A FEN cannot express a superposition: a position is a FEN, set-up moves, and moves with their outcomes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from qchess.boards import placement
from qchess.boards.geometry import Geometry
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_chess.move import RIGHTS, supported, write_rights
from qchess.games.quantum_chess.position import BLACK_SYMBOLS, EMPTY, WHITE_SYMBOLS, Position

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_DEFAULTS = ("w", "-", "-", "0", "1")
PIECES = WHITE_SYMBOLS + BLACK_SYMBOLS
_MAN = re.compile(f"[{PIECES}]")


@dataclass(frozen=True, slots=True)
class Fen:
    """The six fields of a FEN."""

    geometry: Geometry
    board: tuple[str, ...]
    ply: int
    rights: int
    en_passant: int | None
    clock: int

    def __str__(self) -> str:
        side = "wb"[self.ply & 1]
        square = "-" if self.en_passant is None else self.geometry.names[self.en_passant]
        men = {k: symbol for k, symbol in enumerate(self.board) if symbol != EMPTY}
        board = placement.write(self.geometry, men)
        return f"{board} {side} {write_rights(self.rights)} {square} {self.clock} {self.ply // 2 + 1}"


def parse(text: str, *, strict: bool = False) -> Fen:
    """Parse a FEN. Missing fields are ``w - - 0 1``; rights without king or rook at home are dropped.

    With `strict`, both are errors. Ranks may have any length, if all have the same.
    """
    if not isinstance(text, str):
        raise InvalidMoveError(f"expected a FEN as text, got {text!r}")
    fields = text.split()
    if not 1 <= len(fields) <= 6 or (strict and len(fields) != 6):
        raise InvalidMoveError(f"expected a FEN of {'six' if strict else 'one to six'} fields, got {text!r}")
    first, side, castling, square, clock, number = (*fields, *_DEFAULTS[len(fields) - 1 :])
    board, symbols = _board(first)
    if side not in ("w", "b"):
        raise InvalidMoveError(f"expected the side to move as w or b, got {side!r} in {text!r}")
    asked = _rights(castling, text)
    rights = supported(asked, symbols, board)
    if strict and rights != asked:
        raise InvalidMoveError(f"the rights {castling!r} need king and rook at home in {text!r}")
    ply = 2 * (max(1, _number(number, "move number", text)) - 1) + (side == "b")
    return Fen(board, symbols, ply, rights, _en_passant(square, side, board, text), _number(clock, "clock", text))


def write(position: Position, *, shadow: bool = False) -> str:
    """Return the FEN of a position. With `shadow`, uncertain pieces have a question mark, as ``N?``.

    Without it, a board with superposed squares is an error, which a FEN cannot express.
    """
    men = position.men
    if not shadow and (men.own | men.enemy) & ~men.full:
        raise IllegalMoveError(
            "a FEN holds no superposition; write the position as FEN and moves, or ask for its shadow: "
            + write(position, shadow=True)
        )
    board, counters = position.board, (position.ply, position.rights, position.en_passant, position.clock)
    if shadow:
        board = tuple(
            symbol if symbol == EMPTY or men.full >> k & 1 else f"{symbol}?" for k, symbol in enumerate(board)
        )
    return str(Fen(position.geometry, board, *counters))


# -- position strings -----------------------------------------------------------------------------------


def parse_position(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the FEN, the set-up moves and the moves of ``position fen F [setup ...] [moves ...]``."""
    words = text.split()
    if words[:1] == ["position"]:
        words = words[1:]
    kind, words = (words[0], words[1:]) if words else ("", words)
    if kind not in ("fen", "startpos"):
        raise InvalidMoveError(f"expected 'position fen ...' or 'position startpos ...', got {text!r}")
    words, moves = _cut(words, "moves")
    words, setup = _cut(words, "setup")
    if kind == "startpos" and words:
        raise InvalidMoveError(f"expected 'setup' or 'moves' after 'startpos', got {words[0]!r} in {text!r}")
    return START if kind == "startpos" else " ".join(words), setup, moves


def write_position(fen: str, setup: Sequence[str], moves: Sequence[str]) -> str:
    """Return the position string of a start, its set-up moves, and the moves with their outcomes."""
    parts = ["position fen", fen]
    parts += ["setup", *setup] if setup else []
    parts += ["moves", *moves] if moves else []
    return " ".join(parts)


def _cut(words: list[str], mark: str) -> tuple[list[str], tuple[str, ...]]:
    if mark not in words:
        return words, ()
    at = words.index(mark)
    return words[:at], tuple(words[at + 1 :])


# -- the fields -------------------------------------------------------------------------------------------


def _board(field: str) -> tuple[Geometry, tuple[str, ...]]:
    board, men = placement.read(field, _MAN, PIECES, wide=True)
    return board, tuple(men.get(square, EMPTY) for square in range(board.size))


def _rights(castling: str, text: str) -> int:
    if castling == "-":
        return 0
    if not set(castling) <= set(RIGHTS):
        raise InvalidMoveError(f"expected castling rights of KQkq or '-', got {castling!r} in {text!r}")
    return sum(RIGHTS[letter] for letter in set(castling))


def _en_passant(square: str, side: str, board: Geometry, text: str) -> int | None:
    if square == "-":
        return None
    number = board.numbers.get(square)
    rank = board.height - 3 if side == "w" else 2
    if number is None or board.rank(number) != rank or board.height < 4:
        raise InvalidMoveError(f"expected an en passant square on rank {rank + 1} or '-', got {square!r} in {text!r}")
    return number


def _number(field: str, what: str, text: str) -> int:
    if not (field.isdecimal() and field.isascii() and len(field) <= 9):
        raise InvalidMoveError(f"expected the {what} as a number, got {field!r} in {text!r}")
    return int(field)

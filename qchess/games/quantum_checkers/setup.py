"""Set-ups: the usual start, and positions without superposition as text.

The text is that of draughts, with named squares: the player to move, each side's men and kings, and perhaps the plies
since the last capture. ``B:Wa1,Kd4:Bf6,g7:H12`` has Black to move, a white man, a white king, two black men.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from qchess.circuits import Engine, Registers
from qchess.errors import InvalidMoveError
from qchess.games.quantum_checkers.book import BLACK, WHITE, Board
from qchess.games.quantum_checkers.position import Piece, Position

LETTERS = {"W": WHITE, "B": BLACK}
_SIDE = re.compile(r"([WB])(?:(K?[a-z]\d+)(?:,(K?[a-z]\d+))*)?")
_QUIET = re.compile(r"H(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Setup:
    """The certain pieces and their squares."""

    #: square -> colour
    men: Mapping[int, str]
    kings: frozenset[int] = frozenset()
    player: str = WHITE
    quiet: int = 0

    def position(self, board: Board, engine: Engine) -> Position:
        """Return the position on an engine; pieces are numbered from a1 on."""
        squares = sorted(self.men)
        pieces = {number: Piece(self.men[square], (square,)) for number, square in enumerate(squares)}
        registers = Registers(engine, full=[board.names[square] for square in squares])
        owner = {square: number for number, square in enumerate(squares)}
        return Position(registers, board, pieces, owner, self.kings, self.player, quiet=self.quiet)


def usual(board: Board, rows: int) -> Setup:
    """Return men on the first `rows` rows of each side."""
    most = (board.size - 1) // 2
    if type(rows) is not int or not 1 <= rows <= most:
        raise InvalidMoveError(f"on a board of {board.size} each side fills 1 to {most} rows, got {rows!r}")
    low, high = rows, board.size - rows
    men = {s: WHITE if board.rank(s) < low else BLACK for s in board.dark if not low <= board.rank(s) < high}
    return Setup(men)


def read(board: Board, text: str) -> Setup:
    """Parse a set-up."""
    parts = text.split(":") if isinstance(text, str) else []
    if len(parts) not in (3, 4) or parts[0] not in LETTERS:
        raise InvalidMoveError(f"expected a set-up such as 'W:Wa1,Kc3:Bf6', got {text!r}")
    quiet = _QUIET.fullmatch(parts[3]) if len(parts) == 4 else None
    if len(parts) == 4 and not quiet:
        raise InvalidMoveError(f"expected the plies since a capture as 'H12', got {parts[3]!r} in {text!r}")
    men: dict[int, str] = {}
    kings: set[int] = set()
    colours = [_side(board, part, text, men, kings) for part in parts[1:3]]
    if len(set(colours)) != 2:
        raise InvalidMoveError(f"expected each side once, got {text!r}")
    return Setup(men, frozenset(kings), LETTERS[parts[0]], int(quiet[1]) if quiet else 0)


def _side(board: Board, part: str, text: str, men: dict[int, str], kings: set[int]) -> str:
    """Add the men and kings of one side; returns its colour."""
    if not _SIDE.fullmatch(part):
        raise InvalidMoveError(f"expected a side such as 'Wa1,Kc3', got {part!r} in {text!r}")
    colour = LETTERS[part[0]]
    for written in filter(None, part[1:].split(",")):
        square = board.geometry.square(written.removeprefix("K"))
        if square not in board.dark or square in men:
            raise InvalidMoveError(f"expected dark squares, each once, got {written!r} in {text!r}")
        if not written.startswith("K") and board.crowns(colour, square):
            raise InvalidMoveError(f"a man on {written} would be a king, got {text!r}")
        men[square] = colour
        if written.startswith("K"):
            kings.add(square)
    return colour


def write(board: Board, setup: Setup) -> str:
    """Return the set-up as text."""
    sides = ":".join(letter + ",".join(_named(board, setup, colour)) for letter, colour in LETTERS.items())
    turn = "W" if setup.player == WHITE else "B"
    return f"{turn}:{sides}" + (f":H{setup.quiet}" if setup.quiet else "")


def _named(board: Board, setup: Setup, colour: str) -> Iterator[str]:
    for square in sorted(setup.men):
        if setup.men[square] == colour:
            yield ("K" if square in setup.kings else "") + board.names[square]


def snapshot(position: Position) -> Setup:
    """Return the set-up of a position; raises for one in superposition, whose text is the game so far."""
    if position.registers.registers or position.chain is not None:
        raise InvalidMoveError("a position in superposition or within a chain has no set-up; write the game instead")
    men = {square: position.pieces[number].colour for square, number in position.owner.items()}
    return Setup(men, position.kings, position.player, position.quiet)

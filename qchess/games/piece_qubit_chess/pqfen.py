"""PQ-FEN: a position as seven fields, ``board side unmoved lone systems ply profile``.

>>> setup, profile = read('4k3/8/8/8/8/8/4P3/4K3 w = e2:-X - 0 text')
>>> setup.states
((('wPe',), (0.7071067811865476, -0.7071067811865476)),)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qchess import reading
from qchess.boards import placement
from qchess.errors import InvalidMoveError
from qchess.games.piece_qubit_chess.generators import generators, state_of
from qchess.games.piece_qubit_chess.movement import BOARD, ORDER, SQUARES, Board
from qchess.games.piece_qubit_chess.pieces import BLACK, WHITE, Piece
from qchess.games.piece_qubit_chess.position import Position, System
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.piece_qubit_chess.setup import START_STATE, Setup, name, on_set_up_square, usual_second
from qchess.games.piece_qubit_chess.states import (
    LONE,
    Amplitudes,
    amplitudes_of,
    named,
    read_amplitudes,
    write_amplitudes,
)
from qchess.reading import shown

_MAN = re.compile(r"[PNBRQKpnbrqk](?:\([NBRQK]\))?")
#: more characters than any position needs, including the amplitudes of 64 pieces
LONGEST = 100_000
LAST_PLY = 1_000_000
_SIDES = {"w": WHITE, "b": BLACK}


# -- reading ----------------------------------------------------------------------------------------


def read(text: str) -> tuple[Setup, Profile]:
    """Parse a position and its profile."""
    fields = reading.text(text, "a position", LONGEST).split()
    if len(fields) != 7:
        wanted = "'board side unmoved lone systems ply profile'"
        raise InvalidMoveError(f"expected seven fields {wanted}, got {shown(text)}")
    board_text, side, unmoved, lone, systems, ply, profile_text = fields
    player = _SIDES[reading.one_of(side, "the side", tuple(_SIDES))]
    plies = reading.decimal(ply, "the plies", LAST_PLY)
    profile = Profile.parse(profile_text)
    board = _read_unmoved(_read_board(board_text, profile), unmoved, profile)
    states = (*_read_lone(board, lone), *_read_systems(board, systems))
    return Setup(board, player, plies, states), profile


def _read_board(text: str, profile: Profile) -> dict[str, Piece]:
    """Parse the pieces by square, all moved; a1 to h8."""
    drawn, men = placement.read(text, _MAN, "PNBRQK or pnbrqk, a Q-pawn with its second type: P(R)")
    placement.require(drawn, BOARD, text)
    board: dict[str, Piece] = {}
    for number, man in men.items():
        square, letter, second = SQUARES[number], man[0], man[2:3]
        colour, kind = (WHITE if letter.isupper() else BLACK), letter.upper()
        if second and kind != "P":
            raise InvalidMoveError(f"only a Q-pawn's second type is given, got {man} in {shown(text)}")
        second = second or usual_second(profile, colour, kind, square[0])
        taken = (piece.id for piece in board.values())
        board[square] = Piece(name(colour, kind, square[0], taken), colour, kind, second, True)
    return board


def _read_unmoved(board: Board, text: str, profile: Profile) -> Board:
    """Return the board with its unmoved pieces."""
    home = [square for square, piece in board.items() if on_set_up_square(profile, square, piece)]
    if text.startswith("="):
        exceptions = _squares(board, text[2:]) if text.startswith("=-") else [] if text == "=" else None
        if exceptions is None:
            raise InvalidMoveError(f"expected '=' or '=-a1,b1' for the unmoved pieces, got {shown(text)}")
        unmoved = [square for square in home if square not in exceptions]
    elif text.startswith("+"):
        unmoved = _squares(board, text[1:])
    elif text == "-":
        unmoved = []
    else:
        raise InvalidMoveError(f"expected '=', '=-a1', '-' or '+a1' for the unmoved pieces, got {shown(text)}")
    still = set(unmoved)
    return {square: piece._replace(moved=square not in still) for square, piece in board.items()}


def _squares(board: Board, text: str) -> list[str]:
    squares = text.split(",")
    for square in squares:
        if square not in board:
            raise InvalidMoveError(
                f"expected squares with a piece, separated by commas, got {shown(square)} in {shown(text)}"
            )
    return squares


def _read_lone(board: Board, text: str) -> list[tuple[System, Amplitudes]]:
    """Parse the states of lone pieces."""
    states: list[tuple[System, Amplitudes]] = []
    for part in _outside_parentheses(text) if text != "-" else ():
        square, _, state = part.partition(":")
        members = _squares(board, square)
        if len(members) != 1:
            raise InvalidMoveError(f"expected one square and its state, got {shown(part)}")
        amplitudes = LONE[state] if state in LONE else read_amplitudes(state, members)
        states.append(((board[square].id,), amplitudes))
    return states


def _outside_parentheses(text: str) -> Iterator[str]:
    """Yield the parts between commas outside parentheses, in one pass."""
    start, inside = 0, False
    for at, letter in enumerate(text):
        inside = letter == "(" or (inside and letter != ")")
        if letter == "," and not inside:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _read_systems(board: Board, text: str) -> list[tuple[System, Amplitudes]]:
    """Parse the states of systems of two or more."""
    states = []
    for part in text.split(";") if text != "-" else ():
        squares, _, state = part.partition(":")
        members = _squares(board, squares)
        if not 2 <= len(members) <= 7:
            raise InvalidMoveError(f"a system has 2 to 7 pieces, got {shown(squares)}")
        read_it = state.startswith("(")
        amplitudes = read_amplitudes(state, members) if read_it else state_of(state.split(","), len(members))
        states.append((tuple(board[square].id for square in members), amplitudes))
    return states


# -- writing ----------------------------------------------------------------------------------------


def write(position: Position, profile: Profile) -> str:
    """Return the position as PQ-FEN."""
    fields = (
        _write_board(position.board, profile),
        position.player[0],
        _write_unmoved(position.board, profile),
        ",".join(_write_lone(position)) or "-",
        ";".join(_write_system(position, system) for system in position.systems) or "-",
        str(position.ply),
        str(profile),
    )
    return " ".join(fields)


def _write_board(board: Board, profile: Profile) -> str:
    return placement.write(BOARD, {ORDER[square]: _write_man(square, man, profile) for square, man in board.items()})


def _write_man(square: str, piece: Piece, profile: Profile) -> str:
    """Return the letter of a piece, with its second type if that is not the usual one of its file."""
    usual = piece.second == usual_second(profile, piece.colour, piece.kind, square[0])
    return piece.letter if usual else f"{piece.letter}({piece.second})"


def _write_unmoved(board: Board, profile: Profile) -> str:
    home = {square for square, piece in board.items() if on_set_up_square(profile, square, piece)}
    unmoved = {square for square, piece in board.items() if not piece.moved}
    if unmoved == home:
        return "="
    if not unmoved:
        return "-"
    sign, listed = ("=-", home - unmoved) if unmoved < home else ("+", unmoved)
    return sign + ",".join(sorted(listed, key=ORDER.__getitem__))


def _write_lone(position: Position) -> Iterator[str]:
    """Yield the states of lone pieces that differ from the start."""
    for square in SQUARES:
        piece = position.board.get(square)
        if piece is None or piece.kind == "K" or len(position.system(piece)) > 1:
            continue
        amplitudes = amplitudes_of(position.registers, (piece.id,))
        state = named(amplitudes)
        if state != START_STATE[piece.kind]:
            yield f"{square}:{state or write_amplitudes(amplitudes)}"


def _write_system(position: Position, system: System) -> str:
    """Return a system by generators if it has them, else by amplitudes."""
    squares = position.squares
    amplitudes = amplitudes_of(position.registers, system)
    words = generators(amplitudes, len(system))
    return f"{','.join(squares[m] for m in system)}:{','.join(words) if words else write_amplitudes(amplitudes)}"

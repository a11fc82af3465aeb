"""How pieces move: chess moves by type, areas of influence, and attacks.

A type is a letter. All but the Pawn move along rays; a Knight's and a King's are one square long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from qchess.boards.geometry import Step, geometry
from qchess.boards.movers import FORWARD as RANKS
from qchess.boards.movers import LEAPERS, SLIDERS
from qchess.games.piece_qubit_chess.pieces import BLACK, WHITE, Piece

Board = Mapping[str, Piece]
Types = Callable[[Piece], str]

BOARD = geometry(8, 8)
#: a1, b1 ... h8
SQUARES = BOARD.names
ORDER = BOARD.numbers
#: the direction of each colour's pawns, in ranks
UP = dict(zip((WHITE, BLACK), RANKS, strict=True))
FAR_RANK = {WHITE: "8", BLACK: "1"}
#: type -> its steps, and how many of them it may make at once
_WALKS: dict[str, tuple[tuple[Step, ...], int]] = {
    **{type_: (steps, 7) for type_, steps in SLIDERS.items()},
    **{type_: (steps, 1) for type_, steps in LEAPERS.items()},
}


def _rays(square: str, steps: Iterable[Step], far: int) -> tuple[tuple[str, ...], ...]:
    """Return the squares from here in each direction, up to the edge."""
    reached = (BOARD.rays(step)[ORDER[square]][:far] for step in steps)
    return tuple(tuple(SQUARES[to] for to in ray) for ray in reached if ray)


#: type -> square -> its rays
RAYS = {type_: {square: _rays(square, *walk) for square in SQUARES} for type_, walk in _WALKS.items()}
#: colour -> square -> the one or two squares forward of it
FORWARD = {c: {s: sum(_rays(s, [(0, UP[c])], 2), ()) for s in SQUARES} for c in UP}
#: colour -> square -> the squares diagonally forward of it
DIAGONALS = {c: {s: sum(_rays(s, [(-1, UP[c]), (1, UP[c])], 1), ()) for s in SQUARES} for c in UP}
#: square -> the rays along which it is attacked, and by which types: on the first square, and farther away
_ATTACKS = {
    square: [
        (ray, frozenset(near), frozenset(far))
        for near, far in (("RQK", "RQ"), ("BQK", "BQ"), ("N", ""))
        for ray in RAYS[near[0]][square]
    ]
    for square in SQUARES
}
_PAWN = frozenset("P")


def targets(board: Board, square: str, piece: Piece, type_: str) -> list[str]:
    """Return the squares to which the piece may go as this type: own pieces block, enemies can be taken."""
    if type_ == "P":
        return _pawn_targets(board, square, piece)
    found = []
    for ray in RAYS[type_][square]:
        for to in ray:
            other = board.get(to)
            if other is None:
                found.append(to)
                continue
            if other.colour != piece.colour:
                found.append(to)
            break
    return found


def _pawn_targets(board: Board, square: str, piece: Piece) -> list[str]:
    """Return one step forward, two for an unmoved piece, and diagonally forward captures."""
    found = []
    for to in FORWARD[piece.colour][square][: 1 if piece.moved else 2]:
        if to in board:
            break
        found.append(to)
    for to in DIAGONALS[piece.colour][square]:
        other = board.get(to)
        if other is not None and other.colour != piece.colour:
            found.append(to)
    return found


def legal(board: Board, square: str, piece: Piece, types: str) -> list[str]:
    """Return the squares to which a piece may go: the union over its possible types."""
    first = targets(board, square, piece, types[0])
    if len(types) == 1:
        return first
    return first + [to for to in targets(board, square, piece, types[1]) if to not in first]


def movable(board: Board, player: str, types: Types) -> bool:
    """Tell whether a piece of the player has a square to go to."""
    return any(legal(board, square, piece, types(piece)) for square, piece in board.items() if piece.colour == player)


def area(board: Board, square: str, piece: Piece, types: str, pawn_area: str) -> list[str]:
    """Return the occupied squares that the piece reaches from this square, of any colour; a1 to h8."""
    met: set[str] = set()
    for type_ in types:
        if type_ != "P":
            met.update(_first_met(board, RAYS[type_][square]))
        elif pawn_area == "diagonals":
            met.update(to for to in DIAGONALS[piece.colour][square] if to in board)
        else:
            met.update(to for to in FORWARD[piece.colour][square][:1] if to in board)
    return sorted(met, key=ORDER.__getitem__)


def _first_met(board: Board, rays: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    for ray in rays:
        for to in ray:
            if to in board:
                yield to
                break


def attacked(board: Board, square: str, colour: str, types: Types) -> bool:
    """Tell whether an enemy of this colour could capture on the square, as any possible type."""
    return any(not letters.isdisjoint(types(enemy)) for enemy, letters in attackers(board, square, colour))


def attackers(board: Board, square: str, colour: str) -> list[tuple[Piece, frozenset[str]]]:
    """Return each enemy of this colour in reach of the square, with the types as which it could capture there."""
    found = []
    for ray, near, far in _ATTACKS[square]:
        for at in ray:
            if at in board:
                if (enemy := board[at]).colour != colour:
                    found.append((enemy, near if at is ray[0] else far))
                break
    for at in DIAGONALS[colour][square]:
        if at in board and board[at].colour != colour:
            found.append((board[at], _PAWN))
    return found

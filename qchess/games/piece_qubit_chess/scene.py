"""What players see: each piece's types with their odds, the systems, and what a move would do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from qchess.games.piece_qubit_chess.movement import SQUARES
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import NAMES, Piece, cased
from qchess.games.piece_qubit_chess.position import LIMIT, Position, System, merged
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.piece_qubit_chess.turn import Turn, influence
from qchess.showing.view import Arrow, Man, View, tidy
from qchess.wording import percent

#: more outcomes, or more measured pieces, than this are counted, not listed
LISTED, NAMED = 8, 3


def view(position: Position, last: Move | None = None) -> View:
    """The board: one man for each type that a piece may be, systems as groups of squares.

    A link is 1 where two members of a system are entangled, 0 where only the rules count them so.
    """
    return View(
        width=8,
        height=8,
        men={square: _men(position, position.board[square]) for square in SQUARES if square in position.board},
        links=tuple(link for system in position.systems for link in _links(position, system)),
        arrows=(Arrow(last.start, last.end),) if last else (),
        marked=tuple(last) if last else (),
        groups=groups(position),
        notes=tuple(_notes(position)),
    )


def groups(position: Position) -> tuple[tuple[str, ...], ...]:
    """The squares of each system."""
    squares = position.squares
    return tuple(tuple(squares[member] for member in system) for system in position.systems)


def _men(position: Position, piece: Piece) -> tuple[Man, ...]:
    return tuple(Man(cased(type_, piece.colour), tidy(p)) for type_, p in position.odds(piece).items())


def _links(position: Position, system: System) -> Iterator[tuple[str, str, float]]:
    """A chain through the members."""
    squares, registers = position.squares, position.registers
    for a, b in pairwise(system):
        yield squares[a], squares[b], 1.0 if b in registers.register_of(a) else 0.0


def _notes(position: Position) -> Iterator[str]:
    if position.ended:
        yield str(position.ended)
    else:
        yield f"{position.player} to move, ply {position.ply}"
    for colour in ("white", "black"):
        yield f"{colour} kings: {' '.join(sorted(position.kings(colour))) or 'none'}"
    squares = position.squares
    for system in position.systems:
        yield f"system of {len(system)}: {' '.join(squares[member] for member in system)}"


# -- before a move ----------------------------------------------------------------------------------


def describe(profile: Profile, position: Position, planned: Turn) -> str:
    """The area of influence of a move and what it would do, with odds."""
    move = planned.move
    parts = [
        _area(profile, position, move, planned),
        _found(position, planned) if planned.measured else _changes(position, move, planned),
        _size(position, move, planned),
    ]
    return "; ".join(part for part in parts if part) or "only the move"


def _acts(position: Position, move: Move, planned: Turn) -> bool:
    """Whether the move is one that opens an area."""
    mover = position.board[move.start]
    return position.is_mixed(mover) and move.end not in position.board and not planned.promotes


def _area(profile: Profile, position: Position, move: Move, planned: Turn) -> str:
    if not _acts(position, move, planned):
        return ""
    squares = position.squares
    met = [f"{squares[p.id]} {_odds(position.odds(p))}" for p in influence(profile, position, move)]
    return f"area: {', '.join(met) or 'empty'}"


def _odds(odds: dict[str, float]) -> str:
    if len(odds) == 1:
        return NAMES[next(iter(odds))]
    return "/".join(f"{NAMES[type_]} {percent(p, 1)}" for type_, p in odds.items())


def _found(position: Position, planned: Turn) -> str:
    """The outcomes of a measurement."""
    odds = position.registers.distribution(*planned.measured)
    if len(odds) > LISTED or len(planned.measured) > NAMED:
        return f"measures {len(planned.measured)} pieces, {len(odds)} outcomes"
    return "measures: " + ", ".join(
        f"{_types(position, planned, answer)} {percent(p, 1)}" for answer, p in odds.items()
    )


def _types(position: Position, planned: Turn, answer: int) -> str:
    """What the measured pieces are, each with its square before the move."""
    squares = [position.squares[piece] for piece in planned.measured]
    types = [position.board[square].types[answer >> k & 1] for k, square in enumerate(squares)]
    return " and ".join(f"{NAMES[type_]} on {square}" for type_, square in zip(types, squares, strict=True))


def _changes(position: Position, move: Move, planned: Turn) -> str:
    """The pieces whose odds would change."""
    after = Position(position.registers.run(planned.program).registers, position.board, position.player)
    changes = []
    for square in SQUARES:
        piece = position.board.get(square)
        if piece is None or square == move.end:
            continue
        becomes = piece.crowned() if planned.promotes and square == move.start else piece
        old, new = _odds(position.odds(piece)), _odds(after.odds(becomes))
        if old != new:
            changes.append(f"{move.end if square == move.start else square} {old} -> {new}")
    return ", ".join(changes)


def _size(position: Position, move: Move, planned: Turn) -> str:
    """The size of the system that the move makes, against the limit."""
    mover = position.board[move.start]
    if len(planned.system) > 1:
        return f"system of {len(planned.system)}, {LIMIT} collapse"
    if mover.kind == "R" or not planned.measured or not _acts(position, move, planned):
        return ""
    size = len(merged(position.systems, planned.measured))
    return f"a system of {size} would form and collapses"

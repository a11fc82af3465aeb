"""Turns: from a move to its program, and the bookkeeping for the pieces.

Each kind of turn is a small function here: a capture measures two systems; a quiet
promotion measures the pawn's partners; a determined piece acts on itself; a mixed rook measures; any other
mixed piece acts on its area, entangles, and collapses what would reach eight.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qchess import rules
from qchess.circuits import EMPTY, Operation, Program, Qubit, discard, h, read, swap, when
from qchess.circuits.precision import SAME
from qchess.games.piece_qubit_chess.movement import FAR_RANK, ORDER, area
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import ACTING, Piece, action, link
from qchess.games.piece_qubit_chess.position import LIMIT, Position, System, merged
from qchess.games.piece_qubit_chess.profile import Profile

#: the name of a turn's one read-out
MEASURED = "measured"
#: a type is determined from this probability on
DETERMINED = 1 - SAME


@dataclass(frozen=True, slots=True)
class Turn(rules.Turn[Move]):
    """The program of a move, with its bookkeeping."""

    program: Program = EMPTY
    #: the measured pieces, in the order of the answer's bits: the mover first, the others from a1 to h8
    measured: tuple[Qubit, ...] = ()
    #: the pieces that form one system afterwards
    system: System = ()
    #: the pieces that leave their systems, being acted on alone
    apart: frozenset[Qubit] = frozenset()
    #: True: a quiet move makes the pawn a new Q-queen
    promotes: bool = False


def turn(profile: Profile, position: Position, move: Move) -> Turn:
    """Return the turn of a legal move."""
    mover = position.board[move.start]
    target = position.board.get(move.end)
    types = position.types(mover)
    if target is not None:
        return _capture(position, mover, target, move)
    if promotes(mover, move) and "P" in types:
        return _promotion(position, mover, move)
    if mover.kind == "K":
        return Turn(move)
    if len(types) == 1:
        acts = profile.determined_self_action and mover.kind in ACTING
        return Turn(move, Program(action(mover.kind, mover.id))) if acts else Turn(move)
    met = influence(profile, position, move)
    return _rook(position, mover, met, move) if mover.kind == "R" else _act(profile, position, mover, met, move)


def promotes(mover: Piece, move: Move) -> bool:
    """Tell whether the move takes a Q-pawn to its far rank."""
    return mover.kind == "P" and move.end[1] == FAR_RANK[mover.colour]


def influence(profile: Profile, position: Position, move: Move) -> list[Piece]:
    """Return the pieces with a qubit in the area of influence of a move, from a1 to h8."""
    board = dict(position.board)
    mover = board[move.start] if profile.area_origin == "old_board" else board.pop(move.start)
    met = area(board, move.end, mover, position.types(mover), profile.pawn_area)
    own = mover.kind == "Q" and profile.queen_filter == "own_colour"
    pieces = (position.board[square] for square in met if square != move.start)
    return [p for p in pieces if p.kind != "K" and (not own or p.colour == mover.colour)]


# -- turns that measure -----------------------------------------------------------------------------


def measured(position: Position, mover: Piece, pieces: Iterable[Qubit], *, itself: bool = True) -> tuple[Qubit, ...]:
    """Return the mixed ones of the pieces, in the order of a read-out."""
    squares, known = position.squares, position.registers.known
    mixed = {piece for piece in pieces if piece != mover.id and piece in squares and known(piece) is None}
    first = (mover.id,) if itself and position.is_mixed(mover) else ()
    return first + tuple(sorted(mixed, key=lambda piece: ORDER[squares[piece]]))


def _capture(position: Position, mover: Piece, target: Piece, move: Move) -> Turn:
    """Measure both systems in one sample; a Q-pawn found as Pawn on its far rank becomes a Q-queen."""
    asked = measured(position, mover, merged(position.systems, (mover.id, target.id)))
    program = _read(asked)
    if target.kind != "K":
        program += discard(target.id)
    if promotes(mover, move):
        program += _crown_if_pawn(position, mover, asked)
    return Turn(move, program, asked)


def _crown_if_pawn(position: Position, mover: Piece, asked: tuple[Qubit, ...]) -> Program:
    """Return the new Q-queen's H if the capturer was found as Pawn: its qubit is 0, so it needs no reset."""
    crown = Program(h(mover.id))
    if not position.is_mixed(mover):
        return crown if position.types(mover) == "P" else Program()
    answers = position.registers.distribution(*asked)  # the mover's is bit 0
    return Program(when(MEASURED, {answer: crown for answer in answers if not answer & 1}))


def _promotion(position: Position, mover: Piece, move: Move) -> Turn:
    """Measure the partners; the pawn is not measured, its qubit is exchanged for a fresh one in +.

    The old qubit goes to the environment.
    """
    asked = measured(position, mover, position.system(mover), itself=False)
    if not position.is_mixed(mover):
        return Turn(move, _read(asked) + h(mover.id), asked, promotes=True)
    pawn = f"{mover.id}_pawn"
    reset = Program(h(pawn), swap(mover.id, pawn), discard(pawn))
    return Turn(move, _read(asked) + reset, asked, promotes=True)


def _rook(position: Position, mover: Piece, met: list[Piece], move: Move) -> Turn:
    """Let a mixed rook measure its own system and those of all pieces in its area."""
    asked = measured(position, mover, merged(position.systems, (mover.id, *(p.id for p in met))))
    return Turn(move, _read(asked), asked)


def _read(asked: tuple[Qubit, ...]) -> Program:
    return Program(read(MEASURED, *asked)) if asked else Program()


# -- turns that act ---------------------------------------------------------------------------------


def _act(profile: Profile, position: Position, mover: Piece, met: list[Piece], move: Move) -> Turn:
    """Apply U to the determined, CZ with the mixed, then U to the whole system; or collapse a system of eight."""
    own_system = position.system(mover)
    mixed = [p for p in met if position.is_mixed(p) and p.id not in own_system]
    apart = frozenset(p.id for p in mixed if _stays_apart(profile, position, mover.kind, p.id))
    linked = [p.id for p in mixed if p.id not in apart]
    system = merged(position.systems, (mover.id, *linked), apart)
    if len(system) >= LIMIT:
        return _collapse(profile, position, mover, met, system, move)
    alone = [p.id for p in met if p.id in apart or not position.is_mixed(p)]
    links = [link(mover.id, piece) for piece in linked] if profile.entangler == "cz" else []
    members = _acted_on(profile, position, mover, system)
    return Turn(move, Program(*_actions(mover, alone), *links, *_actions(mover, members)), (), system, apart)


def _collapse(profile: Profile, position: Position, mover: Piece, met: list[Piece], system: System, move: Move) -> Turn:
    """Measure a system that would reach eight; nothing else happens."""
    asked = measured(position, mover, system)
    first = [p.id for p in met if not position.is_mixed(p)] if profile.collapse_order == "after_determined" else []
    return Turn(move, Program(*_actions(mover, first), _read(asked)), asked)


def _actions(mover: Piece, pieces: Iterable[Qubit]) -> list[Operation]:
    return [action(mover.kind, piece) for piece in pieces]


def _acted_on(profile: Profile, position: Position, mover: Piece, system: System) -> list[Qubit]:
    """Return the members reached by the mover's action; a queen's are of her colour. The mover is first."""
    members = [mover.id, *(piece for piece in system if piece != mover.id)]
    if mover.kind != "Q" or profile.queen_filter == "none":
        return members
    own = {p.id for p in position.board.values() if p.colour == mover.colour}
    return [piece for piece in members if piece in own]


def _stays_apart(profile: Profile, position: Position, kind: str, piece: Qubit) -> bool:
    """Tell whether U would determine a mixed piece, by its reduced state, so that it is not entangled.

    Only a pure state can become certain, and a piece's reduced state is pure only in a register of its own. Z keeps the
    odds and X exchanges them, so neither determines anything.
    """
    if kind not in "BQ" or profile.avoid_determined == "link":
        return False
    register = position.registers.register(piece)
    if register is None or len(register.qubits) > 1:
        return False
    state = register.amplitudes((piece,))
    (a, b), (c, d) = action(kind, piece).gate.block().matrix
    first, second = state.get(0, 0j), state.get(1, 0j)
    return max(abs(a * first + b * second) ** 2, abs(c * first + d * second) ** 2) >= DETERMINED

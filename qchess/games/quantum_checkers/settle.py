"""Settles a turn: the next position, once the turn's program was run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from qchess.circuits import Registers
from qchess.circuits.registers import Run
from qchess.games.quantum_checkers.board import OTHER, Board
from qchess.games.quantum_checkers.law import Law
from qchess.games.quantum_checkers.legal import captures, captures_from
from qchess.games.quantum_checkers.options import ANY_CONTINUES, SAME_PIECE
from qchess.games.quantum_checkers.position import Piece, Position
from qchess.games.quantum_checkers.turn import Kind, Turn

Pieces = dict[int, Piece]


def settle(law: Law, before: Position, turn: Turn, run: Run) -> Position:
    """The position after a turn."""
    landed = has_landed(before, turn, run.registers)
    pieces = _moved(before, turn, landed)
    lost = _refresh(law, before, turn, run, pieces)
    owner = {square: number for number, piece in pieces.items() for square in piece.squares}
    kings, crowned = _kings(before, turn, landed)
    after = Position(
        run.registers,
        before.board,
        pieces,
        owner,
        frozenset(kings & owner.keys()),
        before.player,
        before.ply + 1,
        0 if lost else before.quiet + 1,
    )
    return _next(law, turn, after, landed, crowned)


def has_landed(before: Position, turn: Turn, registers: Registers) -> bool:
    """Whether the move reached its target, at least in part; a capture that failed did not."""
    return turn.kind is not Kind.MEASURE or registers.known(before.board.names[turn.move.targets[0]]) == 1


# -- pieces ------------------------------------------------------------------------------------------


def _moved(before: Position, turn: Turn, landed: bool) -> Pieces:
    """The pieces with the squares that the move gives and takes; what is empty after it is told later."""
    pieces = dict(before.pieces)
    if not landed:
        return pieces
    sources, targets = turn.move
    number = before.owner[sources[0]]
    mover = pieces[number]
    left = set(mover.squares) if turn.kind in (Kind.MERGE, Kind.ENTANGLE) else set(mover.squares) - {*sources}
    pieces[number] = mover._replace(squares=tuple(sorted({*left, *targets})))
    if turn.kind is Kind.SPLIT:
        pieces[number] = pieces[number]._replace(split=True)
    if turn.over is not None:
        _struck(before, turn, pieces, number)
    return pieces


def _struck(before: Position, turn: Turn, pieces: Pieces, taker: int) -> None:
    """Takes the part that was jumped over off the board; an entangling capture remembers how."""
    assert turn.over is not None, "only a jump strikes"
    number = before.owner[turn.over]
    victim = pieces[number]
    left = tuple(square for square in victim.squares if square != turn.over)
    if turn.kind is Kind.ENTANGLE:
        pieces[number] = victim._replace(squares=left, taken=(*victim.taken, turn.taken), partner=taker)
        pieces[taker] = pieces[taker]._replace(split=True, partner=number)
    else:
        pieces[number] = victim._replace(squares=left)


def _refresh(law: Law, before: Position, turn: Turn, run: Run, pieces: Pieces) -> bool:
    """Brings all touched pieces to what the registers hold of them; says whether one was captured.

    Where ghosts are kept only a measurement does that, and only to the pieces that it settles.
    """
    asked = {look.name: look for look in turn.looks}
    looked_at = {number for answer in run.answers for number in before.component(asked[answer.name].piece)}
    touched = {before.owner[square] for square in turn.move.sources} | looked_at
    if turn.over is not None:
        touched.add(before.owner[turn.over])
    if law.options.keep_ghosts:
        settled = {number for a in run.answers for number in (asked[a.name].piece, asked[a.name].partner)}
        return _refresh_flags(before.board, run.registers, pieces, touched, looked_at, settled - {None})
    return _refresh_all(before.board, run.registers, pieces, touched)


def _refresh_all(board: Board, registers: Registers, pieces: Pieces, touched: Iterable[int]) -> bool:
    """A part without probability is gone; a piece with one place left is certain; one with none was captured."""
    lost = False
    for number in touched:
        piece = _supported(board, registers, pieces[number])
        if piece.squares:
            pieces[number] = piece._replace(split=registers.known(board.names[piece.squares[0]]) is None)
        else:
            del pieces[number]
            lost = True
    for number in touched:
        if number in pieces and pieces[number].partner is not None and not _entangled(board, registers, pieces, number):
            pieces[number] = pieces[number]._replace(partner=None)
    return lost


def _refresh_flags(
    board: Board,
    registers: Registers,
    pieces: Pieces,
    touched: Iterable[int],
    looked_at: Iterable[int],
    settled: Iterable[int | None],
) -> bool:
    """Measured pieces are certain, those once entangled with them are so no more; the others keep their ghosts."""
    lost = False
    for number in looked_at:
        pieces[number] = pieces[number]._replace(partner=None)
    for number in settled:
        if number is not None:
            pieces[number] = _supported(board, registers, pieces[number])._replace(split=False)
    for number in touched:
        piece = pieces[number]
        shown = number in looked_at and not any(board.names[square] in registers.place for square in piece.squares)
        if shown or not (piece.squares or piece.taken):
            del pieces[number]
            lost = True
    return lost


def _supported(board: Board, registers: Registers, piece: Piece) -> Piece:
    """The piece without the places that have no probability left, or where it is no longer open."""
    squares = tuple(square for square in piece.squares if board.names[square] in registers.place)
    return piece._replace(squares=squares, taken=tuple(q for q in piece.taken if registers.known(q) is None))


def _entangled(board: Board, registers: Registers, pieces: Pieces, number: int) -> bool:
    """Whether a piece still shares a register with its partner."""
    partner = pieces.get(pieces[number].partner if pieces[number].partner is not None else -1)
    if partner is None or not partner.split or not pieces[number].split:
        return False
    register = registers.register_of(board.names[pieces[number].squares[0]])
    return board.names[partner.squares[0]] in register


# -- kings, and whose turn it is -----------------------------------------------------------------------


def _kings(before: Position, turn: Turn, landed: bool) -> tuple[set[int], bool]:
    """The squares whose part is a king if there is one, and whether this move crowned a man."""
    kings = set(before.kings)
    if not landed:
        return kings, False
    sources, targets = turn.move
    was_king = sources[0] in kings
    colour = before.pieces[before.owner[sources[0]]].colour
    if turn.over is not None:
        kings.discard(turn.over)
    if turn.kind not in (Kind.MERGE, Kind.ENTANGLE):
        kings.difference_update(sources)
    reached = {to for to in targets if was_king or before.board.crowns(colour, to)}
    return kings | reached, bool(reached) and not was_king


def _next(law: Law, turn: Turn, after: Position, landed: bool, crowned: bool) -> Position:
    """The position with its player: who jumped may have to go on (CQ-3, CQ-4, CQ-16, CQ-19, CQ-22)."""
    if turn.over is not None:
        end = turn.move.targets[0]
        who = law.options.continue_with
        if who == SAME_PIECE:
            if landed and not crowned and next(captures_from(after, end), None):
                return replace(after, chain=end)
        elif not (landed and after.board.crowns(after.player, end)):
            goes_on = captures(after) if who == ANY_CONTINUES else captures_from(after, end) if landed else iter(())
            if next(goes_on, None):
                return after
    return replace(after, player=OTHER[after.player])

"""Settle a turn: the next position, after the turn's program was run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from qchess.circuits import Qubit, Registers
from qchess.circuits.registers import Run
from qchess.games.quantum_checkers.book import ANY_CONTINUES, OTHER, SAME_PIECE, Board, Book
from qchess.games.quantum_checkers.legal import captures, captures_from
from qchess.games.quantum_checkers.position import Piece, Position
from qchess.games.quantum_checkers.turn import Kind, Turn

Pieces = dict[int, Piece]


def settle(book: Book, before: Position, turn: Turn, run: Run) -> Position:
    """Return the position after a turn."""
    landed = has_landed(before, turn, run.registers)
    pieces = _moved(before, turn, landed)
    _refresh(book, before, turn, run, pieces)
    owner = {square: number for number, piece in pieces.items() for square in piece.squares}
    kings, crowned = _kings(before, turn, landed)
    after = Position(
        run.registers,
        before.board,
        pieces,
        owner,
        frozenset(kings & owner.keys()),
        before.player if turn.over is not None else OTHER[before.player],
        before.ply + 1,
        0 if len(pieces) < len(before.pieces) else before.quiet + 1,
    )
    return after if turn.over is None else _after_jump(book, turn, after, landed, crowned)


def has_landed(before: Position, turn: Turn, registers: Registers) -> bool:
    """Tell whether the move reached its target, at least in part; a failed capture did not."""
    return turn.kind is not Kind.MEASURE or registers.known(before.board.names[turn.move.targets[0]]) == 1


# -- pieces ------------------------------------------------------------------------------------------


def _moved(before: Position, turn: Turn, landed: bool) -> Pieces:
    """Return the pieces with the squares that the move adds and removes; empty ones are found later."""
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
    """Remove what was jumped over: the piece, or in an entangling capture its part."""
    assert turn.over is not None, "only a jump strikes"
    number = before.owner[turn.over]
    if turn.kind is not Kind.ENTANGLE:
        del pieces[number]
        return
    victim = pieces[number]
    left = tuple(square for square in victim.squares if square != turn.over)
    pieces[number] = victim._replace(squares=left, taken=(*victim.taken, turn.taken), partner=taker)
    pieces[taker] = pieces[taker]._replace(split=True, partner=number)


def _refresh(book: Book, before: Position, turn: Turn, run: Run, pieces: Pieces) -> None:
    """Update all touched pieces from the registers; captured ones leave.

    If ghosts are kept, only a measurement does that, and only to the pieces that it settles.
    """
    asked = [look for look in turn.looks if any(answer.name == look.name for answer in run.answers)]
    looked_at = {number for look in asked for number in before.component(look.piece)} & pieces.keys()
    if book.options.keep_ghosts:
        settled = {number for look in asked for number in (look.piece, look.partner) if number is not None}
        _refresh_flags(before.board, run.registers, pieces, looked_at, settled)
        return
    squares = turn.move.sources if turn.over is None else (*turn.move.sources, turn.over)
    touched = {before.owner[square] for square in squares} & pieces.keys()
    _refresh_all(before.board, run.registers, pieces, touched | looked_at)


def _refresh_all(board: Board, registers: Registers, pieces: Pieces, touched: Iterable[int]) -> None:
    """Remove parts without probability; a piece with one place left is certain, one with none was captured.

    Two places left may be two captures: such a piece is off the board, and stays entangled with its taker.
    """
    for number in touched:
        piece = _supported(board, registers, pieces[number])
        if piece.squares or piece.taken:
            split = registers.known(_place(board, piece)) is None
            pieces[number] = piece if piece.split == split else piece._replace(split=split)
        else:
            del pieces[number]
    for number in touched:
        if number in pieces and pieces[number].partner is not None and not _entangled(board, registers, pieces, number):
            pieces[number] = pieces[number]._replace(partner=None)


def _refresh_flags(
    board: Board, registers: Registers, pieces: Pieces, looked_at: Iterable[int], settled: Iterable[int]
) -> None:
    """Mark measured pieces as certain and their partners as no longer entangled; the others keep their ghosts."""
    for number in looked_at:
        piece = pieces[number]._replace(partner=None)
        held = _supported(board, registers, piece)
        if not held.squares:
            del pieces[number]
        else:
            pieces[number] = held._replace(split=False) if number in settled else piece


def _supported(board: Board, registers: Registers, piece: Piece) -> Piece:
    """Return the piece without its places of probability 0."""
    squares = tuple([square for square in piece.squares if registers.known(board.names[square]) != 0])
    taken = tuple([q for q in piece.taken if registers.known(q) is None]) if piece.taken else ()
    if len(squares) == len(piece.squares) and len(taken) == len(piece.taken):
        return piece
    return piece._replace(squares=squares, taken=taken)


def _entangled(board: Board, registers: Registers, pieces: Pieces, number: int) -> bool:
    """Tell whether a piece still shares a register with its partner."""
    mate = pieces[number].partner
    partner = None if mate is None else pieces.get(mate)
    if partner is None or not partner.split or not pieces[number].split:
        return False
    return _place(board, partner) in registers.register_of(_place(board, pieces[number]))


def _place(board: Board, piece: Piece) -> Qubit:
    """Return a possible place of a piece."""
    return board.names[piece.squares[0]] if piece.squares else piece.taken[0]


# -- kings, and whose turn it is -----------------------------------------------------------------------


def _kings(before: Position, turn: Turn, landed: bool) -> tuple[set[int], bool]:
    """Return the squares whose part is a king if there is one, and whether this move made one."""
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


def _after_jump(book: Book, turn: Turn, after: Position, landed: bool, crowned: bool) -> Position:
    """Return the position with its player: a jumper may have to go on (CQ-3, CQ-4, CQ-16, CQ-19, CQ-22)."""
    end = turn.move.targets[0]
    who = book.options.continue_with
    if who == SAME_PIECE:
        if landed and not crowned and captures_from(after, end):
            return replace(after, chain=end)
    elif not (landed and after.board.crowns(after.player, end)) and (
        captures(after) if who == ANY_CONTINUES else landed and captures_from(after, end)
    ):
        return after
    return replace(after, player=OTHER[after.player])

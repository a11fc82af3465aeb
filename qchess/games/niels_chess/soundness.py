"""Sound positions: the invariants that hold after every move, checked for every given position."""

from __future__ import annotations

from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.units import State, Unit, king


def fault(book: Book, state: State) -> str:
    """Return what is wrong with a state, in words; empty for a sound one."""
    return (
        _kings(state)
        or next((found for unit in state.units if (found := _unit(book, unit))), "")
        or _groups(state)
        or _rights(book, state)
        or _check(book, state)
    )


def _kings(state: State) -> str:
    kings = [unit for unit in state.units if unit.kind == "K"]
    for colour in (0, 1):
        count = sum(unit.colour == colour for unit in kings)
        if count != 1:
            return f"each side has one king, {('the first player', 'the second player')[colour]} has {count}"
    return ""


def _unit(book: Book, unit: Unit) -> str:
    name = book.names[unit.at]
    if book.variant.simplified and unit.is_pair and unit.x:
        return f"in the Simplified Game the first mark faces the opponent, that on {name} does not"
    if book.variant.xiangqi:
        return _at_home(book, unit)
    if unit.kind != "P":
        return ""
    last = book.board.size - book.board.width
    if any(square < book.board.width or square >= last for square in unit.squares):
        return f"no pawn stands on the first or last rank, one does on {name}"
    if unit.is_pair and (
        (unit.at - unit.second) % book.board.width or unit.at != book.farther(unit, unit.at, unit.second)
    ):
        return f"a pawn's halves stand on one file, the farther one with the red mark; those of {name} do not"
    return ""


def _at_home(book: Book, unit: Unit) -> str:
    """Check that kings and advisers are in their Palace, elephants on their bank."""
    pieces, half = book.pieces, book.board.size // 2
    for square in unit.squares:
        own_bank = (square >= half) == bool(unit.colour)
        inside = own_bank and (unit.kind == "B" or square in pieces.palace)
        if unit.kind in "KAB" and not inside:
            return f"the {unit.kind} on {book.names[square]} is not where its kind may stand"
    return ""


def _groups(state: State) -> str:
    for diag in ("+", "-"):
        group = [pair for pair in state.pairs if pair.diag == diag]
        if len({pair.z for pair in group}) > 1:
            return f"all pairs on the diagonal {diag} are of one type"
        if group and len({pair.colour for pair in group}) < 2:
            return f"a group has pairs of both players, that on the diagonal {diag} has not"
    return ""


def _rights(book: Book, state: State) -> str:
    """Check that a right has its king on the home rank, two squares short of its rook, neither in superposition."""
    if book.variant.xiangqi and state.castling:
        return "Xiangqi has no castling"
    for letter in state.castling:
        if letter not in "KQkq" or state.castling.count(letter) > 1:
            return f"castling rights are some of KQkq, got {state.castling!r}"
        own = king(state.men, int(letter.islower()))
        rook = state.men[corner := book.corner(letter)]
        if own is None or own.is_pair or not 2 < (corner - own.at) * (1 if letter in "Kk" else -1) < book.board.width:
            return f"the right {letter} needs a king on its home rank, three squares or more from the corner"
        if rook is None or rook.is_pair or rook.kind != "R" or rook.colour != own.colour:
            return f"the right {letter} needs a rook in the corner"
    return ""


def _check(book: Book, state: State) -> str:
    """Check that the player who is not to move is not in check, unless a move is still in progress."""
    if state.pending >= 0 or state.offer is not None or state.declined:
        return ""
    return "the player who is not to move is in check" if book.in_check(state.men, 1 - state.turn) else ""

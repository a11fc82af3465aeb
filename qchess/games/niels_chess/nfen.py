"""Positions as text: the six fields of FEN, and a seventh for pairs and their marks.

    7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p

The letter of a pair stands on both its squares. ``d6oa3p``: first mark on d6 facing the opponent, second on a3
facing its player; ``@+`` or ``@-`` the diagonal of its group. A FEN of six fields has no pairs.
"""

from __future__ import annotations

import re

from qchess.boards import placement
from qchess.boards.geometry import geometry
from qchess.errors import InvalidMoveError
from qchess.games.niels_chess.book import Book, pieces_of
from qchess.games.niels_chess.move import HADAMARD, Move
from qchess.games.niels_chess.soundness import fault
from qchess.games.niels_chess.units import BLACK, WHITE, State, Unit, facing, place
from qchess.games.niels_chess.variant import BOARDS, XIANGQI_START, Variant
from qchess.games.niels_chess.xiangqi import HEIGHT, WIDTH

PAIR = re.compile(r"([a-z]\d\d?)([op])([a-z]\d\d?)([op])(?:@([+-]))?")
SLOW = re.compile(r"([a-z]\d\d?)!")
TURN = re.compile(r"([wbr])(?::([a-z]\d\d?)|\?H:([a-z]\d\d?)([a-z]\d\d?)|(!))?")
#: alternative letters of Xiangqi's pieces
ALIASES = {"H": "N", "E": "B"}
_MAN = re.compile("[KQRBNPkqrbnp]")


def start_text(variant: Variant) -> str:
    """Return the start of a variant, as given or by its board's name."""
    return XIANGQI_START if variant.xiangqi else BOARDS.get(variant.board, variant.board)


def book_of(variant: Variant, text: str | None = None) -> Book:
    """Return the rule book of a variant, for the board of its start or of another text."""
    if variant.xiangqi:
        board = geometry(WIDTH, HEIGHT)
    else:
        fields = (text or start_text(variant)).split()
        board, _ = placement.read(fields[0] if fields else "", _MAN, "KQRBNP or kqrbnp", wide=True)
    return Book(variant, board, pieces_of(variant, board))


# -- reading --------------------------------------------------------------------------------------------------


def read(book: Book, text: str, *, sound: bool = True) -> State:
    """Parse the state of a text; with `sound` it must be allowed by the rules."""
    fields = text.split()
    if len(fields) not in (4, 6, 7):
        raise InvalidMoveError(f"a position has the fields of FEN, and perhaps the pairs; got {text!r}")
    board, turn, castling, ep = fields[:4]
    clock, number = fields[4:6] or ("0", "1")
    men = _placed(book, board)
    _pairs(book, men, fields[6] if len(fields) == 7 else "-")
    state = State(
        tuple(men),
        castling="" if castling == "-" else castling,
        clock=_count(clock, 0),
        number=_count(number, 1),
    )
    state = _turn(book, state, turn)
    state = state._replace(ep=_passed(book, state, ep))
    if sound and (wrong := fault(book, state)):
        raise InvalidMoveError(f"{wrong}, in {text!r}")
    return state


def _placed(book: Book, field: str) -> list[Unit | None]:
    upper = _letters(book)
    letters = f"{upper} or {upper.lower()}"
    board, found = placement.read(field, re.compile(f"[{upper}{upper.lower()}]"), letters, wide=True)
    placement.require(board, book.board, field)
    men: list[Unit | None] = [None] * board.size
    for square, man in found.items():
        kind = ALIASES.get(man.upper(), man.upper()) if book.variant.xiangqi else man.upper()
        men[square] = Unit(WHITE if man.isupper() else BLACK, kind, square)
    return men


def _letters(book: Book) -> str:
    """Return the letters of the pieces, upper case, with Xiangqi's alternatives."""
    return book.pieces.letters + ("".join(ALIASES) if book.variant.xiangqi else "")


def _pairs(book: Book, men: list[Unit | None], field: str) -> None:
    taken: set[int] = set()
    for entry in () if field == "-" else field.split(","):
        if found := SLOW.fullmatch(entry):
            _slow(book, men, found[1])
            continue
        read_pair = PAIR.fullmatch(entry)
        if read_pair is None:
            raise InvalidMoveError(f"a pair is written like a4od1p@+, got {entry!r}")
        first, second = (book.board.square(read_pair[k]) for k in (1, 3))
        one, other = men[first], men[second]
        if first == second or taken & {first, second} or one is None or other is None:
            raise InvalidMoveError(f"a pair needs two separate squares with a piece on each, got {entry!r}")
        if (one.colour, one.kind) != (other.colour, other.kind):
            raise InvalidMoveError(f"both halves of a pair have the same letter, got {entry!r}")
        taken |= {first, second}
        x, z = facing(read_pair[2] + read_pair[4])
        place(men, Unit(one.colour, one.kind, first, second, x, z, read_pair[5] or ""))


def _slow(book: Book, men: list[Unit | None], name: str) -> None:
    square = book.board.square(name)
    pawn = men[square]
    if pawn is None or pawn.kind != "P" or book.variant.double_step != "never_after_split":
        raise InvalidMoveError(f"{name!r} is not a split pawn, or the game has no such note")
    men[square] = pawn._replace(slow=True)


def _count(text: str, least: int) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < least:
        raise InvalidMoveError(f"a counter is a whole number from {least}, got {text!r}")
    return int(text)


def _turn(book: Book, state: State, field: str) -> State:
    found = TURN.fullmatch(field)
    if found is None:
        raise InvalidMoveError(f"the turn is w or b, got {field!r}")
    state = state._replace(turn=BLACK if found[1] == "b" else WHITE, declined=bool(found[5]))
    if found[2]:
        state = state._replace(pending=book.board.square(found[2]))
    if found[3]:
        state = state._replace(offer=Move(HADAMARD, (found[3], found[4])))
    return state


def _passed(book: Book, state: State, field: str) -> tuple[int, int] | None:
    """Return the square passed over, and the square where the pawn went."""
    if field == "-":
        return None
    passed = book.board.square(field)
    mover = state.turn if state.offer is None else 1 - state.turn  # who is asked to agree does not move
    on = passed + (book.board.width if mover == BLACK else -book.board.width)
    pawn = state.men[on] if 0 <= on < book.board.size else None
    if book.variant.xiangqi or pawn is None or pawn.kind != "P" or pawn.colour == mover:
        raise InvalidMoveError(f"no opposing pawn has just passed over {field}")
    return passed, on


# -- writing --------------------------------------------------------------------------------------------------


def write(book: Book, state: State) -> str:
    """Return the state as text: pairs by their first marks' squares, the first group on the diagonal ``+``."""
    names = book.names
    turn = "wb"[state.turn] + (f":{names[state.pending]}" if state.pending >= 0 else "")
    if state.offer is not None:
        turn += f"?{state.offer}"
    turn += "!" if state.declined else ""
    ep = names[state.ep[0]] if state.ep else "-"
    counters = f"{state.clock} {state.number}"
    men = {square: symbol(unit) for square, unit in enumerate(state.men) if unit is not None}
    board = placement.write(book.board, men)
    return f"{board} {turn} {state.castling or '-'} {ep} {counters} {pairs_field(book, state)}"


def symbol(unit: Unit) -> str:
    """Return the letter of a unit, upper case for the first player."""
    return unit.kind if unit.colour == WHITE else unit.kind.lower()


def pairs_field(book: Book, state: State) -> str:
    """Return the seventh field: every pair with its marks, and pawns that were split."""

    def order(unit: Unit) -> tuple[int, int]:
        return book.board.file(unit.at), book.board.rank(unit.at)

    pairs = sorted(state.pairs, key=order)
    first = next((pair.diag for pair in pairs if pair.diag), "+")
    names = book.names
    entries = [
        f"{names[pair.at]}{pair.facing[0]}{names[pair.second]}{pair.facing[1]}"
        + (f"@{'+' if pair.diag == first else '-'}" if pair.diag else "")
        for pair in pairs
    ]
    entries += [f"{names[unit.at]}!" for unit in sorted(state.units, key=order) if unit.slow]
    return ",".join(entries) or "-"


def unit_text(book: Book, unit: Unit) -> str:
    """Return one unit in its long form: ``wKe1``, ``wR(r:a4o,b:d1p)@+``."""
    colour = ("rb" if book.variant.xiangqi else "wb")[unit.colour]
    names = book.names
    if not unit.is_pair:
        return f"{colour}{unit.kind}{names[unit.at]}"
    marks = (
        f"{book.first_mark}:{names[unit.at]}{unit.facing[0]},{book.second_mark}:{names[unit.second]}{unit.facing[1]}"
    )
    return f"{colour}{unit.kind}({marks})" + (f"@{unit.diag}" if unit.diag else "")

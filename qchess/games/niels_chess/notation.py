"""Moves as players write them, and as records keep them.

Short forms are read too: ``b1^a3c3`` (both marks face the opponent), ``e2^e2e4`` (the
farther half of a pawn gets the red mark), any square of the pair that is joined, ``O-O``. Results of rolls follow
the move: ``.m10`` as bits, ``.d23`` as faces of dice, in rolling order.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from qchess.errors import InvalidMoveError
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.move import (
    AGREE,
    DECLINE,
    HADAMARD,
    JOIN,
    KINDS,
    LETTERS,
    MOVE,
    REMOTE,
    SPLIT,
    TUNNEL,
    Move,
    Z,
)
from qchess.games.niels_chess.rolls import ROLLS
from qchess.games.niels_chess.units import State, Unit, king

SQUARE = r"([a-z]\d\d?)"
RESULTS = re.compile(r"\.(?:d(?P<faces>[1-6]+)|m(?P<bits>[01]+))$")
PLAIN = re.compile(rf"{SQUARE}-?{SQUARE}(?:=?([QRBNqrbn]))?(\.ep|\.t)?")
SUPERPOSED = re.compile(rf"{SQUARE}\^{SQUARE}([op]?){SQUARE}([op]?)(?:&{SQUARE}(?:@([+-]))?)?(?:=?([QRBNqrbn]))?")
MARKS = re.compile(rf"([XZHM]:){SQUARE}{SQUARE}(?:\.([rbg]))?")
CASTLING = {"O-O": 2, "0-0": 2, "O-O-O": -2, "0-0-0": -2}
FORMS = "b1c3, b1^a3oc3p, f4^f4oh6p&e5, X:a1a5, Z:b2b6, H:b2b6, M:b1b4 or d1d5.t"


class Written(NamedTuple):
    """A parsed text: the move, and its recorded results, as bits or as faces of dice."""

    move: Move
    bits: tuple[int, ...] | None = None
    faces: tuple[int, ...] | None = None


def read(book: Book, state: State, text: str) -> Written:
    """Parse the move of a text, legal or not, and its recorded results."""
    body, results = parted(text)
    bits = faces = None
    if found := RESULTS.fullmatch(results):
        bits = tuple(map(int, found["bits"])) if found["bits"] else None
        faces = tuple(map(int, found["faces"])) if found["faces"] else None
    return Written(_move(book, state, body, text), bits, faces)


def parted(text: str) -> tuple[str, str]:
    """Return a text as its move and its results of rolls, perhaps empty."""
    if not isinstance(text, str):
        raise InvalidMoveError(f"a move is written like {FORMS}; got {text!r}")
    body = text.strip()
    found = RESULTS.search(body)
    return (body[: found.start()], found[0]) if found else (body, "")


def is_strict(body: str) -> bool:
    """Tell whether a text without results has the form of a move, so that nothing must be guessed."""
    forms = (PLAIN, SUPERPOSED, MARKS)
    return body in (AGREE, DECLINE) or body in CASTLING or any(form.fullmatch(body) for form in forms)


def _move(book: Book, state: State, body: str, text: str) -> Move:
    if body in (AGREE, DECLINE):
        return Move(body, ())
    if body in CASTLING:
        return _castling(book, state, CASTLING[body], text)
    if found := PLAIN.fullmatch(body):
        start, end, promotion, mark = found.groups()
        if mark == ".t":
            return Move(TUNNEL, (start, end), "", (promotion or "").upper())
        return Move(MOVE, (start, end), "", (promotion or "").upper(), "ep" if mark else "")
    if found := SUPERPOSED.fullmatch(body):
        return _superposed(book, state, found, text)
    if found := MARKS.fullmatch(body):
        return _marks(book, state, found, text)
    raise InvalidMoveError(f"a move is written like {FORMS}; got {text!r}")


def _castling(book: Book, state: State, step: int, text: str) -> Move:
    own = king(state.men, state.turn)
    if own is None or own.is_pair or not 0 <= own.at + step < book.board.size:
        raise InvalidMoveError(f"only a conventional king castles, got {text!r}")
    return Move(MOVE, (book.names[own.at], book.names[own.at + step]))


def _superposed(book: Book, state: State, found: re.Match[str], text: str) -> Move:
    start, first, f1, second, f2, joined, diag, promotion = found.groups()
    if bool(f1) != bool(f2):
        raise InvalidMoveError(f"both marks have a facing, or none; got {text!r}")
    unit = _at(book, state, start)
    pair = _at(book, state, joined) if joined else None
    if not f1 and unit is not None and book.marks_fixed(unit):
        first, second = _farther_first(book, unit, first, second)
    marks = f1 + f2 or ("op" if pair is not None and pair.z else "oo")
    promotion = (promotion or "").upper()
    if not joined:
        return Move(SPLIT, (start, first, second), marks, promotion)
    name = book.names[pair.at] if pair is not None and pair.is_pair else joined
    return Move(JOIN, (start, first, second, name), marks, promotion, _chosen(book, state, pair, diag or ""))


def _farther_first(book: Book, unit: Unit, first: str, second: str) -> tuple[str, str]:
    a, b = (book.numbers.get(name) for name in (first, second))
    if a is None or b is None or book.farther(unit, a, b) == a:
        return first, second
    return second, first


def _chosen(book: Book, state: State, pair: Unit | None, diag: str) -> str:
    """Return a chosen diagonal, if it differs from the default."""
    if pair is None or diag == book.diagonal(state.men, pair):
        return ""
    return diag


def _marks(book: Book, state: State, found: re.Match[str], text: str) -> Move:
    """Parse a move of marks; the two squares may be in either order, the mark may be named or not."""
    letter, one, other, mark = found.groups()
    kind = KINDS[letter]
    if mark and (kind not in (Z, HADAMARD) or mark not in (book.first_mark, book.second_mark)):
        raise InvalidMoveError(f"no {mark!r} mark can be named in {text!r}")
    pair = _at(book, state, one)
    if pair is not None and pair.is_pair and pair.second == book.numbers.get(one) and book.names[pair.at] == other:
        one, other = other, one
    return Move(kind, (one, other), "", "", mark if kind == Z and mark == book.first_mark else "")


def _at(book: Book, state: State, name: str) -> Unit | None:
    number = book.numbers.get(name)
    return None if number is None else state.men[number]


def stages(text: str) -> list[str]:
    """Return the turns that a text names: two for a remote collapse with the move of its piece, else one."""
    return text.split(",") if text.startswith(LETTERS[REMOTE]) else [text]


def told_bits(known: Container[tuple[int, ...]], bits: tuple[int, ...], text: str) -> dict[str, int]:
    """Return the results in a text, by the names of the rolls; refused if no roll of the move gives them."""
    if bits not in known:
        raise InvalidMoveError(f"the move does not end with the results {''.join(map(str, bits))}, in {text!r}")
    return dict(zip(ROLLS, bits, strict=False))

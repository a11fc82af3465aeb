"""Read moves that are not written in full: ``e4``, ``Nf3``, ``0-0``, ``E2 E4``, ``b1->a3c3``.

The strict grammar of `notation` is tried first, then again with capitals, dashes, spaces and quotes normalised. Other
texts are compared with the legal moves: a single fit is taken, several are an error that names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from qchess.boards.spelling import LONGEST, Wish, castling, dashed, fulfilled, the_one, wishes
from qchess.errors import IllegalMoveError
from qchess.games.niels_chess import notation
from qchess.games.niels_chess.book import PROMOTIONS, Book
from qchess.games.niels_chess.move import MOVE, Move
from qchess.games.niels_chess.notation import Written
from qchess.games.niels_chess.units import State, Unit

_BETWEEN = re.compile(r"[\s,]+|-+(?=\^)|(?<=\^)-+")
_MARKS = re.compile(r"[xzhm]:")
_SQUARES = re.compile(r"[a-z]\d+")
#: tells whether a move is legal here
Fits = Callable[[Move], bool]


def read(book: Book, state: State, text: str, fits: Fits) -> Written:
    """Return the move that a text means, and the results that it records."""
    body, results = notation.parted(text)
    if notation.is_strict(body) or len(text) > LONGEST:
        return notation.read(book, state, text)
    plain = castling(body) or _put_right(body)
    if notation.is_strict(plain) and book.numbers.keys() >= set(_SQUARES.findall(plain)):
        return notation.read(book, state, plain + results)
    wished = _wishes(book, body)
    if not wished:
        return notation.read(book, state, text)  # which says how moves are written
    return notation.read(book, state, _meant(book, state, body, wished, fits) + results)


def _wishes(book: Book, body: str) -> list[Wish]:
    """Return possible meanings of a text without results; entanglements and other results must be written in full."""
    if "&" in body:
        return []
    letters = book.pieces.letters + "".join(book.pieces.shown.values())
    return [wish for wish in wishes(body, letters) if len(wish.sources) == 1 and wish.outcome is None]


def _put_right(body: str) -> str:
    """Return the text with small letters, plain dashes and no spaces, for the strict grammar."""
    plain = _BETWEEN.sub("", dashed(body)).lower()
    return plain[0].upper() + plain[1:] if _MARKS.match(plain) else plain


def _meant(book: Book, state: State, text: str, wished: list[Wish], fits: Fits) -> str:
    """Return the one legal move that fulfils a wish, in full."""
    found = fulfilled(wished, lambda wish: filter(fits, _candidates(book, state, wish)))
    if (move := the_one(text, found, str)) is not None:
        return str(move)
    for wish in wished:
        if wish.is_whole and not wish.piece:  # written in full: the rules say why it is not legal
            return next(_between(book, state, wish, wish.sources[0]), "")
    raise IllegalMoveError(f"{text!r} is not legal: {_none_does(book, state, wished[0])}")


def _none_does(book: Book, state: State, wish: Wish) -> str:
    piece = book.pieces.names[_kind(book, wish) or "P"]
    player = (("white", "black"), ("red", "blue"))[book.variant.xiangqi][state.turn]
    return f"no {piece} of {player} {'takes on' if wish.captures else 'goes to'} {' and '.join(wish.targets)}"


def _candidates(book: Book, state: State, wish: Wish) -> Iterator[Move]:
    """Yield possible moves of the text, legal or not, for each unit that it may name."""
    for square, unit in enumerate(state.men):
        if unit is not None and unit.colour == state.turn and _speaks_of(book, wish, unit, book.names[square]):
            for text in _between(book, state, wish, book.names[square]):
                yield notation.read(book, state, text).move


def _kind(book: Book, wish: Wish) -> str:
    """Return the written letter as the rules know it: a horse of Xiangqi is N."""
    rules = {seen: kind for kind, seen in book.pieces.shown.items()}
    return rules.get(wish.piece, wish.piece)


def _speaks_of(book: Book, wish: Wish, unit: Unit, name: str) -> bool:
    plain_pawn = not wish.piece and not wish.is_whole
    if plain_pawn and wish.sources[0][:1] == wish.targets[0][:1]:
        return False  # a pawn's file is written where it captures: e4 goes ahead, not ee4
    return wish.allows((name,), wish.targets) and unit.kind in (_kind(book, wish) or ("P" if plain_pawn else unit.kind))


def _between(book: Book, state: State, wish: Wish, start: str) -> Iterator[str]:
    """Yield the full moves from a square to those of a wish, with each promotion that it leaves open."""
    chosen = [wish.promotion.upper()] if wish.promotion else ["", *PROMOTIONS]
    for letter in chosen:
        promotion = f"={letter}" if letter else ""
        if len(wish.targets) == 2:
            yield f"{start}^{''.join(wish.targets)}{promotion}"
            continue
        for option in ("", "ep"):
            if not wish.captures or option or _stands(book, state, wish.targets[0]):
                yield str(Move(MOVE, (start, wish.targets[0]), "", letter, option))


def _stands(book: Book, state: State, name: str) -> bool:
    """Tell whether something can be captured on a square, including en passant."""
    square = book.numbers.get(name)
    return square is not None and (state.men[square] is not None or (state.ep is not None and state.ep[0] == square))

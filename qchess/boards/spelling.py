"""Moves as people type them: possible meanings of a text, whatever its capitals, dashes, spaces and quotes.

A game reads its own strict grammar first. Other texts become wishes here, and the game finds the legal moves that
fulfil one.

>>> [str(wish) for wish in wishes("E2 – E4")]
['e2-e4']
>>> [str(wish) for wish in wishes("bxc3")]  # a pawn of the b-file, or a bishop
['bxc3', 'Bxc3']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from qchess.errors import AmbiguousMoveError

M = TypeVar("M")

PIECES = "PNBRQK"
#: how many moves are named if several fit
NAMED = 6
#: longer texts are not moves
LONGEST = 60
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−→⇒➔~_", "-"))
_QUOTES = "\"'`´‘’“”«»‹›„()[]{}<>"
_ARROW = re.compile(r"\s*(?:[-=]+>)\s*")
_TO, _AND = re.compile(r"\s+to\s+"), re.compile(r"\s+and\s+")
_BETWEEN = re.compile(r"[\s,;+/&|]+")
_SIGNS = re.compile(r"(?:[+#!?.]|(?<=[1-9])e\.?p\.?)+$")
_OUTCOME = re.compile(r"(.*?)\.m([^.]*)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"\d+\s*\.+\s*(?=\S)")
_CASTLE = re.compile(r"[0oO](?:-?[0oO]){1,2}")
_FIGURES = str.maketrans({"♔": "K", "♕": "Q", "♖": "R", "♗": "B", "♘": "N", "♙": "P",
                          "♚": "K", "♛": "Q", "♜": "R", "♝": "B", "♞": "N", "♟": "P"})  # fmt: skip
_SQUARE = r"[a-z][1-9][0-9]?"
_FROM = r"[a-wyz]?(?:[1-9][0-9]?)?"  # an x captures
_STANDARD = re.compile(rf"(?P<a>{_FROM})(?P<joint>-*x?-*)(?P<t>{_SQUARE})(?:[=(]?(?P<promotion>[qrbn])\)?)?")
_SPLIT = re.compile(rf"(?P<a>{_FROM})(?:-+|\^|-*\^-*)(?P<t>{_SQUARE})(?P<u>{_SQUARE})")
_MERGE = re.compile(rf"(?P<a>{_SQUARE})(?P<b>{_SQUARE})(?:-+|\^|-*\^-*)(?P<t>{_SQUARE})")
_THREE = re.compile(rf"(?P<a>{_SQUARE})(?P<b>{_SQUARE})(?P<t>{_SQUARE})")


@dataclass(frozen=True, slots=True)
class Wish:
    """A move as far as its text specifies it."""

    #: whole squares, or a file, a rank or nothing for "the only one possible"
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    #: the piece's letter in upper case; "" if none is written
    piece: str = ""
    captures: bool = False
    promotion: str = ""
    #: the text after ``.m``
    outcome: str | None = None

    @property
    def is_whole(self) -> bool:
        """Tell whether every square is named in full."""
        return all(re.fullmatch(_SQUARE, source) for source in self.sources)

    def allows(self, sources: tuple[str, ...], targets: tuple[str, ...]) -> bool:
        """Tell whether a move between these squares fulfils the wish, in any order of pairs."""
        if len(sources) != len(self.sources) or set(targets) != set(self.targets):
            return False
        if self.is_whole:
            return set(sources) == set(self.sources)
        return _fits(sources[0], self.sources[0])

    def __str__(self) -> str:
        joint = "^" if len(self.sources) + len(self.targets) > 2 else "x" if self.captures else ""
        start = self.piece + "".join(self.sources)
        if not joint and not self.piece and self.is_whole:
            joint = "-"
        return start + joint + "".join(self.targets) + self.promotion.upper()


def _fits(square: str, part: str) -> bool:
    file, rank = part[:1] if part[:1].isalpha() else "", part.lstrip("abcdefghijklmnopqrstuvwxyz")
    return square.startswith(file) and (not rank or square[1:] == rank)


def dashed(text: str) -> str:
    """Return the text without quotes and move number, with plain dashes and arrows."""
    text = _NUMBER.sub("", text.strip(), count=1) if re.match(_NUMBER, text.strip()) else text.strip()
    text = text.translate(_FIGURES).translate(_DASHES).strip(_QUOTES + " \t")
    return _AND.sub("", _TO.sub("-", _ARROW.sub("-", text)))


def tidy(text: str) -> str:
    """Return the text without quotes, spaces, move numbers and annotation marks, with plain dashes and arrows."""
    return _SIGNS.sub("", _BETWEEN.sub("", dashed(text)))


def castling(text: str) -> str | None:
    """Return ``O-O`` or ``O-O-O`` if the text is a castling in any spelling, with its outcome if it has one."""
    found = _OUTCOME.fullmatch(text.strip())
    plain, outcome = (tidy(found[1]), f".m{found[2]}") if found else (tidy(text), "")
    if not _CASTLE.fullmatch(plain):
        return None
    return ("O-O" if len(plain.replace("-", "")) == 2 else "O-O-O") + outcome


def wishes(text: str, pieces: str = PIECES) -> list[Wish]:
    """Return all possible meanings of the text on any board; empty if it is not a move.

    `pieces` are the possible first letters.
    """
    if len(text) > LONGEST:
        return []
    outcome = None
    if found := _OUTCOME.fullmatch(text.strip()):
        text, outcome = found.groups()
    plain = tidy(text)
    found_wishes = dict.fromkeys(wish for piece, rest in _readings(plain, pieces) for wish in _of(piece, rest, outcome))
    return list(found_wishes)


def _readings(plain: str, pieces: str) -> Iterator[tuple[str, str]]:
    """Yield the text with and without a piece's letter at its beginning.

    A capital among small letters is a piece: Bxc3 is never a pawn's move.
    """
    head, rest = plain[:1], plain[1:]
    is_piece = head.upper() in pieces and bool(head)
    shouted = plain == plain.upper()
    if not (is_piece and head.isupper() and not shouted and any(letter.islower() for letter in rest)):
        yield "", plain.lower()
    if is_piece:
        yield head.upper(), rest.lower()


def _of(piece: str, text: str, outcome: str | None) -> Iterator[Wish]:
    if found := _STANDARD.fullmatch(text):
        captures = "x" in found["joint"]
        yield Wish((found["a"],), (found["t"],), piece, captures, found["promotion"] or "", outcome)
    if (found := _SPLIT.fullmatch(text)) and (found["a"] or piece):
        yield Wish((found["a"],), (found["t"], found["u"]), piece, outcome=outcome)
    if found := _MERGE.fullmatch(text):
        yield Wish((found["a"], found["b"]), (found["t"],), piece, outcome=outcome)
    if found := _THREE.fullmatch(text):
        yield Wish((found["a"],), (found["b"], found["t"]), piece, outcome=outcome)
        yield Wish((found["a"], found["b"]), (found["t"],), piece, outcome=outcome)


# -- the move that is meant ------------------------------------------------------------------------------------


def fulfilled(wished: Iterable[Wish], fitting: Callable[[Wish], Iterable[M]]) -> dict[M, Wish]:
    """Return each move that fulfils a wish, with the first wish that it fulfils."""
    found: dict[M, Wish] = {}
    for wish in wished:
        for move in fitting(wish):
            found.setdefault(move, wish)
    return found


def the_one(text: str, fitting: Iterable[M], name: Callable[[M], str]) -> M | None:
    """Return the one move that a text fits, or None; if it fits several, the error names them."""
    moves = list(dict.fromkeys(fitting))
    if len(moves) > 1:
        said = text.strip()
        raise AmbiguousMoveError(f"{said!r} fits several moves: {named(moves, name)}; write the one you mean in full")
    return moves[0] if moves else None


def named(moves: Sequence[M], name: Callable[[M], str]) -> str:
    """Return some moves by their names, and how many more there are."""
    return ", ".join(map(name, moves[:NAMED])) + (f" and {len(moves) - NAMED} more" if len(moves) > NAMED else "")

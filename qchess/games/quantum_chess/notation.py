"""Moves as text, in several dialects, read by one grammar.

    standard   e2-e4  e2e4  Nb1-c3  c3xd5.m1  e5-d6ep  e7-e8Q  O-O
    split      b1^a3c3      merge  a3c3^b5

The claims of a text (a piece letter, ``x`` for a capture, ``w`` for an excluded move, ``ep``, a type) must
agree with the board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeVar

from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess.move import (
    CAPTURE,
    EXCLUDED,
    KING_HOME,
    KINGS,
    Move,
    MoveType,
    MoveVariant,
    is_en_passant,
    kind,
)
from qchess.games.quantum_chess.objections import PIECES
from qchess.games.quantum_chess.position import PAWNS, Position

_SQUARE = r"[a-z][1-9][0-9]?"
_PIECE = rf"(?:(?P<piece>[PNBRQKpnbrqk])(?={_SQUARE}))?"
_OUTCOME = r"(?:\.m(?P<outcome>[01]))?"
_STANDARD = re.compile(
    rf"{_PIECE}(?P<s1>{_SQUARE})-?(?P<claim>[xw])?(?P<t1>{_SQUARE})(?P<ep>ep)?(?P<promotion>[qrbnQRBN])?{_OUTCOME}"
)
_SPLIT = re.compile(rf"{_PIECE}(?P<s1>{_SQUARE})\^(?P<claim>[xw])?(?P<t1>{_SQUARE})(?P<t2>{_SQUARE}){_OUTCOME}")
_MERGE = re.compile(rf"{_PIECE}(?P<s1>{_SQUARE})(?P<s2>{_SQUARE})\^(?P<claim>[xw])?(?P<t1>{_SQUARE}){_OUTCOME}")
_CASTLE = re.compile(rf"(?P<castle>O-O(?:-O)?){_OUTCOME}")
_LONG = re.compile(rf"(?P<squares>(?:{_SQUARE}|\^)+[qrbnQRBN]?){_OUTCOME}:(?P<type>[A-Z_]+):(?P<variant>[A-Z]+)")
_HALF_SPLIT = re.compile(rf"[PNBRQKpnbrqk]?{_SQUARE}\^{_SQUARE}")
_LATER = re.compile(r".*\.[psa]\d+.*")
_KINGS = "kings"

T = TypeVar("T", MoveType, MoveVariant)


@dataclass(frozen=True, slots=True)
class Written:
    """A parsed move: its squares, its outcome, and its claims."""

    move: Move
    outcome: int | None = None
    piece: str = ""
    variant: MoveVariant = MoveVariant.UNSPECIFIED
    type: MoveType = MoveType.UNSPECIFIED_STANDARD

    def false_claim(self, position: Position) -> str | None:
        """Return the claim that the board contradicts, in words, if there is one."""
        symbol = position.board[self.move.sources[0]]
        if self.piece and self.piece.upper() != symbol.upper():
            written, stands = (PIECES[letter.upper()] for letter in (self.piece, symbol))
            return f"it names a {written}, and on {position.geometry.names[self.move.sources[0]]} stands a {stands}"
        if self.variant is MoveVariant.UNSPECIFIED and self.type is MoveType.UNSPECIFIED_STANDARD:
            return None
        true = kind(position, self.move)
        if self.variant not in (MoveVariant.UNSPECIFIED, true.variant):
            return f"it is written as {_VARIANTS[self.variant]} and is {_VARIANTS[true.variant]}"
        if self.type not in (MoveType.UNSPECIFIED_STANDARD, true.type, _PLAIN.get(true.type)):
            return f"it is written as {self.type.name} and is {true.type.name}"
        return None


#: how a pawn's steps are written by programs without types for them
_PLAIN = {MoveType.PAWN_STEP: MoveType.JUMP, MoveType.PAWN_TWO_STEP: MoveType.SLIDE}
_VARIANTS = {
    MoveVariant.BASIC: "one that asks nothing",
    EXCLUDED: "one that asks whether its target is empty",
    CAPTURE: "a capture",
}
_CLAIMS = {"x": CAPTURE, "w": EXCLUDED, None: MoveVariant.UNSPECIFIED}


def parse(position: Position, text: str) -> Written:
    """Parse a move; only castling needs the position, to see who castles."""
    text = _stripped(text)
    if ":" in text:
        return _parse_long(position, text)
    if text == _KINGS:
        return Written(KINGS)
    found = _strictly(text)
    if not found:
        raise InvalidMoveError(_complaint(text))
    parts = found.groupdict()
    outcome = None if parts["outcome"] is None else int(parts["outcome"])
    if "castle" in parts:
        return Written(_castle(position, parts["castle"]), outcome, piece="K")
    numbers = {key: position.geometry.square(parts[key]) for key in ("s1", "s2", "t1", "t2") if parts.get(key)}
    sources = tuple(numbers[key] for key in ("s1", "s2") if key in numbers)
    targets = tuple(numbers[key] for key in ("t1", "t2") if key in numbers)
    move = Move(sources, targets, (parts.get("promotion") or "").lower())
    claimed_type = MoveType.PAWN_EP if parts.get("ep") else MoveType.UNSPECIFIED_STANDARD
    return Written(move, outcome, parts["piece"] or "", _CLAIMS[parts["claim"]], claimed_type)


def is_strict(text: str) -> bool:
    """Tell whether the text has the form of a move in one of the dialects, so that nothing must be guessed."""
    text = _stripped(text)
    return ":" in text or text == _KINGS or _strictly(text) is not None


def _strictly(text: str) -> re.Match[str] | None:
    return _STANDARD.fullmatch(text) or _SPLIT.fullmatch(text) or _MERGE.fullmatch(text) or _CASTLE.fullmatch(text)


def _stripped(text: str) -> str:
    if not isinstance(text, str):
        raise InvalidMoveError(f"expected a move as text such as 'b1^a3c3', got {text!r}")
    return text.strip()


def write(position: Position, move: Move, outcome: int | None = None, promoted: str = "") -> str:
    """Return the canonical text of a legal move: a dash, no piece letter, and the outcome if there is one.

    `promoted` is the symbol of what a pawn becomes.
    """
    names, (sources, targets, _) = position.geometry.names, move
    if len(targets) == 2:
        text = f"{names[sources[0]]}^{names[targets[0]]}{names[targets[1]]}"
    elif len(sources) == 2:
        text = f"{names[sources[0]]}{names[sources[1]]}^{names[targets[0]]}"
    elif not sources:
        return _KINGS
    else:
        (s,), (t,) = sources, targets
        passing = position.board[s] in PAWNS and is_en_passant(position, s, t)
        text = f"{names[s]}-{names[t]}{'ep' if passing else ''}{promoted}"
    return text if outcome is None else f"{text}.m{outcome}"


# -- the long form, in which a merge names its sources the other way round -----------------------------


def write_long(position: Position, move: Move, outcome: int | None = None) -> str:
    """Return the long form ``SQUARES[.mN]:TYPE:VARIANT``; a merge's sources are exchanged."""
    names = position.geometry.names
    sources, targets = ("".join(names[k] for k in squares) for squares in (move.sources[::-1], move.targets))
    joint = "^" if len(move.squares) == 3 else ""
    ending = "" if outcome is None else f".m{outcome}"
    is_what = kind(position, move)
    return f"{sources}{joint}{targets}{move.promotion}{ending}:{is_what.type.name}:{is_what.variant.name}"


def _parse_long(position: Position, text: str) -> Written:
    found = _LONG.fullmatch(text)
    if not found:
        raise InvalidMoveError(f"expected SQUARES[.mN]:TYPE:VARIANT such as 'a1b1:JUMP:BASIC', got {text!r}")
    move_type = _member(MoveType, found["type"], text)
    variant = _member(MoveVariant, found["variant"], text)
    if move_type is MoveType.NULL_TYPE:
        raise InvalidMoveError(f"a move of type NULL_TYPE is no move: {text!r}")
    plain = parse(position, found["squares"])
    move = Move(plain.move.sources[::-1], plain.move.targets, plain.move.promotion)
    outcome = None if found["outcome"] is None else int(found["outcome"])
    return Written(move, outcome, variant=variant, type=move_type)


def _member(of: type[T], name: str, text: str) -> T:
    if name not in of.__members__:
        raise InvalidMoveError(f"expected one of {', '.join(of.__members__)}, got {name!r} in {text!r}")
    return of[name]


def _castle(position: Position, text: str) -> Move:
    home = KING_HOME["K" if position.white_to_move else "k"]
    if position.geometry.size != 64:
        raise InvalidMoveError(f"only the board of 8 by 8 has castling, got {text!r}")
    return Move((home,), (home + 2 if text == "O-O" else home - 2,))


def _complaint(text: str) -> str:
    if _LATER.fullmatch(text):
        return f"phases and shares (.p, .s, .a) are not part of these rules, got {text!r}"
    if _HALF_SPLIT.fullmatch(text):
        return f"a split names two squares to go to, as in 'b1^a3c3', and a merge two to come from; got {text!r}"
    return f"expected a move such as 'e2-e4', 'b1^a3c3', 'a3c3^b5' or 'e7-e8Q', got {text!r}"

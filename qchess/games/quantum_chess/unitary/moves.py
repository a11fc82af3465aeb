"""Moves with their type and variant, and the long form in which they are written.

    SQUARES[.mN]:TYPE:VARIANT        a1b1:JUMP:BASIC    b1^a3c3:SPLIT_JUMP:BASIC    a1a5.m1:SLIDE:CAPTURE

The order of two sources is Unitary's here: ``s1s2^t`` is ``s2s1^t`` in this project's own notation.
The exchange happens where programs are made (`qchess.games.quantum_chess.unitary.programs`), never in a text.
Types and variants are compared by value, so the enums of another module work too.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, fields
from enum import Enum
from typing import Any, TypeVar

from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess.move import MoveType, MoveVariant
from qchess.games.quantum_chess.unitary.pieces import PIECES, REV_PIECES

E = TypeVar("E", bound=Enum)
_SQUARE = "[a-h][1-8]"
_SQUARES = re.compile(
    rf"(?P<source>{_SQUARE})(?:(?P<source2>{_SQUARE})\^|\^?)(?P<target>{_SQUARE})(?P<target2>(?<=\^..){_SQUARE})?"
    r"(?P<promotion>[nbrqNBRQ])?(?:\.m(?P<measurement>[01]))?"
)


class ErrorMitigation(Enum):
    """How a board should handle device errors; exact states have none."""

    Nothing = 0
    Error = 1
    Correct = 2


@dataclass
class Move:
    """A move as its caller describes it; the type and variant decide what it does.

    >>> Move.from_string('b1^a3c3:SPLIT_JUMP:BASIC').target2
    'c3'
    >>> str(Move('a1', 'b4', measurement=1))
    'a1b4.m1'
    """

    source: str
    target: str
    _: KW_ONLY
    source2: str | None = None
    target2: str | None = None
    move_type: MoveType | None = None
    move_variant: MoveVariant | None = None
    #: a number of `qchess.games.quantum_chess.unitary.pieces`
    promotion_piece: int | None = None
    #: the outcome to force: 1 passed, 0 failed
    measurement: int | None = None

    def __post_init__(self) -> None:
        self.move_type = member(MoveType, self.move_type)
        self.move_variant = member(MoveVariant, self.move_variant)

    @classmethod
    def of(cls, m: Any) -> Move:
        """Return the move described by an object of any class, without changing it."""
        try:
            return cls(**{name: getattr(m, name) for name in FIELDS})
        except AttributeError as error:
            raise InvalidMoveError(f"expected a move with the fields {', '.join(FIELDS)}, got {m!r}") from error

    @classmethod
    def from_string(cls, str_to_parse: str) -> Move:
        """Parse the long form; all three fields are required."""
        parts = str_to_parse.split(":")
        if len(parts) != 3:
            raise InvalidMoveError(f"expected SQUARES[.mN]:TYPE:VARIANT, got {str_to_parse!r}")
        found = _SQUARES.fullmatch(parts[0])
        if found is None or (found["promotion"] and "^" in parts[0]) or (found["source2"] and found["target2"]):
            raise InvalidMoveError(f"expected squares like a1b1, b1^a3c3, a3c3^b1 or e7e8q.m1, got {str_to_parse!r}")
        promotion, measurement = found["promotion"], found["measurement"]
        return cls(
            found["source"],
            found["target"],
            source2=found["source2"],
            target2=found["target2"],
            move_type=_named(MoveType, parts[1], str_to_parse),
            move_variant=_named(MoveVariant, parts[2], str_to_parse),
            promotion_piece=REV_PIECES[promotion] if promotion else None,
            measurement=int(measurement) if measurement else None,
        )

    def to_string(self, include_type: bool = False) -> str:
        """Return the move's squares, promotion and outcome; with `include_type` the long form."""
        joint = "^" if self.is_split_move() or self.is_merge_move() else ""
        text = f"{self.source}{self.source2 or ''}{joint}{self.target}{self.target2 or ''}"
        if self.promotion_piece is not None:
            text += PIECES[self.promotion_piece]
        if self.has_measurement():
            text += f".m{self.measurement}"
        named = (self.move_type, self.move_variant) if include_type else ()
        return ":".join([text, *(member.name for member in named if member is not None)])

    def is_split_move(self) -> bool:
        """Tell whether the move has two targets."""
        return self.target2 is not None

    def is_merge_move(self) -> bool:
        """Tell whether the move has two sources."""
        return self.source2 is not None

    def has_measurement(self) -> bool:
        """Tell whether the move forces its outcome."""
        return self.measurement is not None

    def __str__(self) -> str:
        return self.to_string()


#: the fields of a move of any class
FIELDS = tuple(field.name for field in fields(Move))


def member(members: type[E], value: Any) -> E | None:
    """Return the member of equal value, perhaps from another module's enum; None for None."""
    if value is None:
        return None
    number = value.value if isinstance(value, Enum) else value
    if type(number) is not int or number not in {known.value for known in members}:
        raise InvalidMoveError(f"expected a {members.__name__} of {', '.join(members.__members__)}, got {value!r}")
    return members(number)


def _named(members: type[E], name: str, text: str) -> E:
    if name not in members.__members__:
        raise InvalidMoveError(f"expected one of {', '.join(members.__members__)}, got {name!r} in {text!r}")
    return members[name]

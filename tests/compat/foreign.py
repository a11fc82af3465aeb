"""Enums, moves and cache keys of a module that knows nothing of this project, in the manner of Unitary's."""

import enum
from dataclasses import dataclass


class MoveType(enum.Enum):
    NULL_TYPE = 0
    UNSPECIFIED_STANDARD = 1
    JUMP = 2
    SLIDE = 3
    SPLIT_JUMP = 4
    SPLIT_SLIDE = 5
    MERGE_JUMP = 6
    MERGE_SLIDE = 7
    PAWN_STEP = 8
    PAWN_TWO_STEP = 9
    PAWN_CAPTURE = 10
    PAWN_EP = 11
    KS_CASTLE = 12
    QS_CASTLE = 13


class MoveVariant(enum.Enum):
    UNSPECIFIED = 0
    BASIC = 1
    EXCLUDED = 2
    CAPTURE = 3
    #: no board knows this one
    TELEPORT = 4


class ErrorMitigation(enum.Enum):
    Nothing = 0
    Error = 1
    Correct = 2


class Move:
    """A plain class: no dataclass, no equality with anything else."""

    def __init__(
        self, source, target, *, source2=None, target2=None, move_type=None, move_variant=None, promotion_piece=None,
        measurement=None,
    ):  # fmt: skip
        self.source, self.target = source, target
        self.source2, self.target2 = source2, target2
        self.move_type, self.move_variant = move_type, move_variant
        self.promotion_piece, self.measurement = promotion_piece, measurement


@dataclass(frozen=True)
class CacheKey:
    move_type: MoveType
    repetitions: int

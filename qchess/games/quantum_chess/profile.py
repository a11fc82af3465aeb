"""The book of a game: a profile of rule readings, and the players' choices."""

from __future__ import annotations

from dataclasses import dataclass

from qchess import reading
from qchess.errors import InvalidMoveError


@dataclass(frozen=True, slots=True)
class Profile:
    """The readings in which implementations differ; everything else is common to all."""

    name: str
    #: are the path conditions of split and merge slides remembered in the environment?
    path_record: bool = False
    #: what a pawn on the last rank becomes without a choice; "" leaves it a pawn
    promotion_omitted: str = "q"
    #: may a king be split or merged onto the squares to which it could castle?
    castle_square_splits: bool = False
    #: is the en passant square set by every two-step, and valid without a pawn behind it?
    en_passant_always: bool = False


STANDARD = Profile("standard")
SDK = Profile("sdk-0.2.2", path_record=True, promotion_omitted="", castle_square_splits=True, en_passant_always=True)
#: the largest count in these rules
MOST = 2**40
PROFILES = {profile.name: profile for profile in (STANDARD, SDK)}


@dataclass(frozen=True, slots=True)
class Book:
    """A profile, the switches that players may turn off, and how the game ends."""

    profile: Profile = STANDARD
    quantum: bool = True
    castling: bool = True
    en_passant: bool = True
    promotion: bool = True
    #: what resets the half-move clock: ``mass`` or ``fide``
    halfmove_clock: str = "mass"
    #: what happens at 100 half-moves: ``draw`` or ``measure``
    fifty_end: str = "draw"
    #: how often a position may occur before the game is a draw; 0 for no limit
    repetition: int = 0
    max_ply: int = 500
    #: the most branches of a register after a move
    max_branches: int | None = None
    #: play on without kings, and without results
    sandbox: bool = False

    def __post_init__(self) -> None:
        for switch in ("quantum", "castling", "en_passant", "promotion", "sandbox"):
            reading.flag(getattr(self, switch), switch)
        reading.one_of(self.halfmove_clock, "halfmove_clock", ("mass", "fide"))
        reading.one_of(self.fifty_end, "fifty_end", ("draw", "measure"))
        reading.integer(self.max_ply, "max_ply", 0, MOST)
        if self.max_branches is not None:
            reading.integer(self.max_branches, "max_branches", 1, MOST)
        if reading.integer(self.repetition, "repetition", 0, MOST) == 1:
            raise InvalidMoveError(f"expected repetition=0 (off) or at least 2, got {self.repetition!r}")


def profile(name: str) -> Profile:
    """Return the profile of this name."""
    return PROFILES[reading.one_of(name, "profile", tuple(PROFILES))]

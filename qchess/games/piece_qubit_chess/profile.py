"""Profiles: the decisions that the rules leave open, each a separate switch.

`text` follows the rules text; `code` follows the intention of the published programs where they differ.

>>> Profile.parse('text+entangler=none').entangler
'none'
>>> str(Profile.parse('code+max_plies=400'))
'code+max_plies=400'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from qchess.games.switches import Switches


@dataclass(frozen=True, slots=True)
class Profile(Switches):
    """The switches. Each field's comment gives its values and the decision."""

    #: standard, or king_d8: Black's king on d8 and queen on e8 (A1)
    setup: str = "standard"
    #: True: a determined mover acts on itself (A5)
    determined_self_action: bool = True
    #: new_square: the start square is empty; old_board: the mover is still there and blocks (A6)
    area_origin: str = "new_square"
    #: a Pawn type looks along its diagonals, or at the one square forward of it (A8)
    pawn_area: str = "diagonals"
    #: cz, or none: systems are counted, but no gate makes them (A10)
    entangler: str = "cz"
    #: act_unlinked: a piece that the action would determine is acted on but not entangled; or link (A11)
    avoid_determined: str = "act_unlinked"
    #: a queen acts on own_colour only, or none: on both colours (A13)
    queen_filter: str = "own_colour"
    #: a system of eight collapses before_gates, or after_determined pieces were acted on (A18)
    collapse_order: str = "before_gates"
    #: a draw after so many plies, or never (A3)
    max_plies: int | None = None

    VALUES: ClassVar[dict[str, tuple[Any, ...]]] = {
        "setup": ("standard", "king_d8"),
        "determined_self_action": (True, False),
        "area_origin": ("new_square", "old_board"),
        "pawn_area": ("diagonals", "forward"),
        "entangler": ("cz", "none"),
        "avoid_determined": ("act_unlinked", "link"),
        "queen_filter": ("own_colour", "none"),
        "collapse_order": ("before_gates", "after_determined"),
    }
    BESIDE = ("profile", "position")


TEXT = Profile()
CODE = Profile(
    setup="king_d8",
    determined_self_action=False,
    area_origin="old_board",
    pawn_area="forward",
    entangler="none",
    avoid_determined="link",
    queen_filter="none",
    collapse_order="after_determined",
)
Profile.PROFILES = PROFILES = {"text": TEXT, "code": CODE}

"""Options: the decisions with more than one answer, and the profiles that name a set of them.

`default` follows the rule book; the two others are the rules of a program with published figures, as of March and
August 2025.

>>> Options.parse('cheqqers_2025_08+draw_plies=None').continue_with
'any_piece_offered'
>>> str(Options(draw_plies=60))
'default+draw_plies=60'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from qchess.games.switches import Switches

SAME_PIECE, ANY_OFFERED, ANY_CONTINUES = "same_piece", "any_piece_offered", "any_piece_continues"


@dataclass(frozen=True, slots=True)
class Options(Switches):
    """The switches of the rules."""

    #: who may continue after a jump (CQ-3): same_piece, any_piece_offered or any_piece_continues
    continue_with: str = SAME_PIECE
    #: a draw after this many plies without a capture; None: never (CQ-5)
    draw_plies: int | None = 40
    #: True: measuring one piece of an entangled pair settles both (CQ-20)
    joint_collapse: bool = False
    #: True: squares of probability 0 stay on the board, and "split" is a flag (CQ-25)
    keep_ghosts: bool = False
    #: True: the draw is tested before "no legal move" (CQ-5)
    draw_first: bool = False

    VALUES: ClassVar[dict[str, tuple[Any, ...]]] = {
        "continue_with": (SAME_PIECE, ANY_OFFERED, ANY_CONTINUES),
        "joint_collapse": (False, True),
        "keep_ghosts": (False, True),
        "draw_first": (False, True),
    }
    BESIDE = ("level", "size", "rows", "profile", "position")


DEFAULT = Options()
MARCH_2025 = Options(ANY_CONTINUES, joint_collapse=True, keep_ghosts=True, draw_first=True)
AUGUST_2025 = Options(ANY_OFFERED, joint_collapse=True, keep_ghosts=True, draw_first=True)
Options.PROFILES = PROFILES = {"default": DEFAULT, "cheqqers_2025_03": MARCH_2025, "cheqqers_2025_08": AUGUST_2025}

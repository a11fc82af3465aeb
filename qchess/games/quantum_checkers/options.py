"""Options: the decisions with more than one answer, and the profiles that name a set of them.

`default` follows the rule book; the two others are the rules of a program with published figures, as of March and
August 2025.

>>> Options.parse('cheqqers_2025_08+draw_plies=None').continue_with
'any_piece_offered'
>>> str(Options(draw_plies=60))
'default+draw_plies=60'
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from qchess.errors import InvalidMoveError

SAME_PIECE, ANY_OFFERED, ANY_CONTINUES = "same_piece", "any_piece_offered", "any_piece_continues"


@dataclass(frozen=True, slots=True)
class Options:
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

    def __post_init__(self) -> None:
        for switch, value in self.switches().items():
            if switch == "draw_plies":
                fits = value is None or (type(value) is int and value > 0)
            else:
                fits = any(type(value) is type(known) and value == known for known in VALUES[switch])
            if not fits:
                expected = VALUES.get(switch, "a positive number or None")
                raise InvalidMoveError(f"the option {switch} takes {expected}, got {value!r}")

    def switches(self) -> dict[str, Any]:
        """Return the switches by their names."""
        return {name: getattr(self, name) for name in self.__slots__}

    def changed(self, **switches: Any) -> Options:
        """Return the options with some switches set."""
        if not switches:
            return self
        if unknown := sorted(set(switches) - set(self.__slots__)):
            known = ", ".join(("level", "size", "rows", "profile", "position", *self.__slots__))
            raise InvalidMoveError(f"no option is called {unknown[0]!r}; known are {known}")
        return replace(self, **switches)

    @classmethod
    def parse(cls, text: str) -> Options:
        """Parse a profile's name, perhaps with changes: ``default+draw_plies=60``."""
        name, *changes = str(text).split("+")
        if name not in PROFILES:
            raise InvalidMoveError(
                f"a profile is one of {', '.join(PROFILES)}, perhaps with +option=value, got {name!r}"
            )
        pairs = [change.partition("=") for change in changes]
        return PROFILES[name].changed(**{switch: _value(value) for switch, _, value in pairs})

    def __str__(self) -> str:
        return min((_difference(self, name) for name in PROFILES), key=len)


VALUES: dict[str, tuple[Any, ...]] = {
    "continue_with": (SAME_PIECE, ANY_OFFERED, ANY_CONTINUES),
    "joint_collapse": (False, True),
    "keep_ghosts": (False, True),
    "draw_first": (False, True),
}
DEFAULT = Options()
MARCH_2025 = Options(ANY_CONTINUES, joint_collapse=True, keep_ghosts=True, draw_first=True)
AUGUST_2025 = Options(ANY_OFFERED, joint_collapse=True, keep_ghosts=True, draw_first=True)
PROFILES = {"default": DEFAULT, "cheqqers_2025_03": MARCH_2025, "cheqqers_2025_08": AUGUST_2025}
_WORDS: dict[str, Any] = {"True": True, "False": False, "None": None}


def _value(text: str) -> Any:
    return _WORDS[text] if text in _WORDS else int(text) if text.isdecimal() else text


def _difference(options: Options, name: str) -> str:
    """Return the options as changes to the named profile."""
    base = PROFILES[name].switches()
    return "+".join([name, *(f"{switch}={v}" for switch, v in options.switches().items() if v != base[switch])])

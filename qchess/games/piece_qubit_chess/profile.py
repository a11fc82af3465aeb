"""Profiles: the decisions that the rules leave open, each a separate switch.

`text` follows the rules text; `code` follows the intention of the published programs where they differ.

>>> Profile.parse('text+entangler=none').entangler
'none'
>>> str(Profile.parse('code+max_plies=400'))
'code+max_plies=400'
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError


@dataclass(frozen=True, slots=True)
class Profile:
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

    def __post_init__(self) -> None:
        for switch, value in asdict(self).items():
            if switch == "max_plies":
                fits = value is None or (type(value) is int and value > 0)
            else:
                fits = any(type(value) is type(known) and value == known for known in VALUES[switch])
            if not fits:
                expected = VALUES.get(switch, "a positive number or None")
                raise InvalidMoveError(f"the switch {switch} takes {expected}, got {value!r}")

    def changed(self, /, **switches: Any) -> Profile:
        """Return the profile with some switches set."""
        if unknown := sorted(set(switches) - set(asdict(self))):
            known = ", ".join(("profile", "position", *asdict(self)))
            raise InvalidMoveError(f"no switch is called {unknown[0]!r}; known are {known}")
        return replace(self, **switches)

    @classmethod
    def parse(cls, text: str) -> Profile:
        """Parse `text`, `code`, or one of them with changes: ``text+entangler=none+pawn_area=forward``."""
        name, *changes = reading.text(text, "a profile", LONGEST).split("+")
        if name not in PROFILES:
            known = ", ".join(PROFILES)
            raise InvalidMoveError(f"a profile is one of {known}, perhaps with +switch=value, got {text!r}")
        pairs = [change.partition("=") for change in changes]
        return PROFILES[name].changed(**{switch: _value(value) for switch, _, value in pairs})

    def __str__(self) -> str:
        return min((_difference(self, name) for name in PROFILES), key=len)


VALUES: dict[str, tuple[Any, ...]] = {
    "setup": ("standard", "king_d8"),
    "determined_self_action": (True, False),
    "area_origin": ("new_square", "old_board"),
    "pawn_area": ("diagonals", "forward"),
    "entangler": ("cz", "none"),
    "avoid_determined": ("act_unlinked", "link"),
    "queen_filter": ("own_colour", "none"),
    "collapse_order": ("before_gates", "after_determined"),
}
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
PROFILES = {"text": TEXT, "code": CODE}
#: longer than any profile
LONGEST = 1000
_WORDS: dict[str, Any] = {"True": True, "False": False, "None": None}


def _value(text: str) -> Any:
    return _WORDS[text] if text in _WORDS else int(text) if text.isdecimal() and len(text) <= 9 else text


def _difference(profile: Profile, name: str) -> str:
    """Return the profile as changes to the named one."""
    base = asdict(PROFILES[name])
    return "+".join([name, *(f"{switch}={v}" for switch, v in asdict(profile).items() if v != base[switch])])

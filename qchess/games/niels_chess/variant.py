"""Variants: the switches of the rule book; impossible combinations are refused.

>>> Variant(tunnelling=True, no_box=True).told()
{'tunnelling': True, 'no_box': True}
>>> Variant(deterministic=True, no_box=True)
Traceback (most recent call last):
    ...
qchess.errors.InvalidMoveError: 'deterministic' has no chance in it, so it excludes 'no_box'
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from qchess.errors import InvalidMoveError

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
XIANGQI_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
#: the named boards; all set-ups but the first are ours, not the paper's
BOARDS = {
    "8x8": START,
    "4x4": "rqkr/pppp/PPPP/RQKR w - - 0 1",
    "4x5": "rqkr/pppp/4/PPPP/RQKR w - - 0 1",
    "4x5-micro": "knbr/p3/4/3P/RBNK w Qk - 0 1",
    "4x6": "rqkr/pppp/4/4/PPPP/RQKR w - - 0 1",
    "5x6": "qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1",
    "5x6-attack": "rnbqk/ppppp/5/5/PPPPP/RNBQK w Qq - 0 1",
}
#: named boards on which pawns never advance two squares
NO_DOUBLE_STEP = ("5x6",)

#: the values of a switch that is not on or off
CHOICES: dict[str, tuple[str, ...]] = {
    "double_step": ("home", "never_after_split", "off"),
    "promo_on_attempt": ("after_roll", "at_step_1"),
    "ep_split34": ("rewind", "none"),
    "tunnel_barrier": ("opponent", "any"),
    "auto_dead": ("kvk", "off"),
    "repetition": ("off", "threefold", "perpetual_check"),
    "cannon_no_pair_mount": ("off", "block", "transparent"),
}
CHESS_ONLY = ("board", "double_step", "promo_on_attempt", "ep_split34", "fifty_move")
XIANGQI_ONLY = ("drop_river", "cannon_no_pair_mount", "suicide_loses")
#: switches that involve chance
RANDOM = ("tunnelling", "no_box", "remote_collapse", "qrng")


@dataclass(frozen=True, slots=True)
class Variant:
    """The switches of section 8 of the rule book and of its readings."""

    simplified: bool = False
    hadamard: bool = False
    hadamard_plus: bool = False
    deterministic: bool = False
    tunnelling: bool = False
    no_box: bool = False
    slow: bool = False
    remote_collapse: bool = False
    qrng: bool = False
    board: str = "8x8"
    double_step: str = ""
    promo_on_attempt: str = "after_roll"
    ep_split34: str = "rewind"
    hplus_consent: bool = False
    tunnel_barrier: str = "opponent"
    auto_dead: str = "kvk"
    repetition: str = "off"
    fifty_move: bool = False
    xiangqi: bool = False
    drop_river: bool = False
    cannon_no_pair_mount: str | bool = "off"
    suicide_loses: bool = False

    def __post_init__(self) -> None:
        if not self.double_step:
            object.__setattr__(self, "double_step", "off" if self.board in NO_DOUBLE_STEP else "home")
        if isinstance(self.cannon_no_pair_mount, bool):  # on or off in the paper
            object.__setattr__(self, "cannon_no_pair_mount", "block" if self.cannon_no_pair_mount else "off")
        if self.deterministic:
            object.__setattr__(self, "hadamard_plus", True)
        if self.hadamard_plus:
            object.__setattr__(self, "hadamard", True)
        self._check_values()
        self._check_game()
        self._check_together()

    def _check_values(self) -> None:
        for name, default in DEFAULTS.items():
            value = getattr(self, name)
            if name in CHOICES and value not in CHOICES[name]:
                raise InvalidMoveError(f"the switch {name!r} is one of {', '.join(CHOICES[name])}, got {value!r}")
            if name not in CHOICES and type(value) is not type(default):
                raise InvalidMoveError(f"the switch {name!r} is like {default!r}, got {value!r}")

    def _check_game(self) -> None:
        foreign = CHESS_ONLY if self.xiangqi else XIANGQI_ONLY
        given = [name for name in foreign if getattr(self, name) != DEFAULTS[name]]
        given = [name for name in given if not (name == "double_step" and self.double_step == "home")]
        if given:
            game, other = ("Xiangqi", "chess") if self.xiangqi else ("chess", "Xiangqi")
            raise InvalidMoveError(f"the switch {given[0]!r} belongs to {other} only, this is {game}")
        if self.repetition != "off" and (self.repetition == "perpetual_check") != self.xiangqi:
            raise InvalidMoveError("repetition is 'threefold' in chess and 'perpetual_check' in Xiangqi")

    def _check_together(self) -> None:
        if self.deterministic and (excluded := [name for name in RANDOM if getattr(self, name)]):
            raise InvalidMoveError(f"'deterministic' has no chance in it, so it excludes {excluded[0]!r}")
        if self.hplus_consent and not self.hadamard_plus:
            raise InvalidMoveError("'hplus_consent' asks before a group's Hadamard move, so it needs 'hadamard_plus'")
        if self.tunnel_barrier != "opponent" and not self.tunnelling:
            raise InvalidMoveError("'tunnel_barrier' names what a piece tunnels through, so it needs 'tunnelling'")

    def told(self) -> dict[str, Any]:
        """Return the switches that differ from the base game, as JSON values."""
        found = {name: getattr(self, name) for name, default in DEFAULTS.items() if getattr(self, name) != default}
        if found.get("double_step") == ("off" if self.board in NO_DOUBLE_STEP else "home"):
            del found["double_step"]
        return found


#: the default of each switch
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Variant)}

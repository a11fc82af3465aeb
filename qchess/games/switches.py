"""Switches of a game's rules: each decision with more than one answer, and the profiles that name a set of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

from qchess import reading
from qchess.backends import options
from qchess.errors import InvalidMoveError

#: longer than any profile
LONGEST = 1000


class Switches:
    """A value with a field for each switch. A game's own are a frozen dataclass with slots."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    #: the values of each switch; one that is not here takes a positive number or None
    VALUES: ClassVar[Mapping[str, tuple[Any, ...]]]
    #: the sets that have a name
    PROFILES: ClassVar[Mapping[str, Any]]
    #: the other options of the rules
    BESIDE: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        for switch, given in self.switches().items():
            values = self.VALUES.get(switch, ())
            fits = any(type(given) is type(known) and given == known for known in values)
            if not (fits if values else given is None or (type(given) is int and given > 0)):
                expected = values or "a positive number or None"
                raise InvalidMoveError(f"the switch {switch} takes {expected}, got {given!r}")

    def switches(self) -> dict[str, Any]:
        """Return the switches by their names."""
        return {name: getattr(self, name) for name in type(self).__slots__}

    def changed(self, /, **switches: Any) -> Self:
        """Return the same with some switches set."""
        if not switches:
            return self
        if unknown := sorted(switches.keys() - self.switches().keys()):
            known = ", ".join((*self.BESIDE, *self.switches()))
            raise InvalidMoveError(f"no switch is called {unknown[0]!r}; known are {known}")
        return replace(self, **switches)  # type: ignore[type-var]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a profile's name, perhaps with changes: ``default+draw_plies=60``."""
        name, *changes = reading.text(text, "a profile", LONGEST).split("+")
        if name not in cls.PROFILES:
            known = ", ".join(cls.PROFILES)
            raise InvalidMoveError(f"a profile is one of {known}, perhaps with +switch=value, got {text!r}")
        profile: Self = cls.PROFILES[name]
        pairs = [change.partition("=") for change in changes]
        return profile.changed(**{switch: options.value(given) for switch, _, given in pairs})

    def __str__(self) -> str:
        return min(map(self._from, self.PROFILES), key=len)

    def _from(self, name: str) -> str:
        """Return these switches as changes to the named profile."""
        named = self.PROFILES[name].switches()
        return "+".join([name, *(f"{one}={given}" for one, given in self.switches().items() if given != named[one])])

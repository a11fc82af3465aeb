"""An order for a new table: game, options, players, clocks; read from JSON and checked against limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qchess import backends, reading
from qchess.errors import InvalidMoveError
from qchess.games import names, presets
from qchess.games import rules as rules_of
from qchess.playing import agents
from qchess.rules import Rules
from qchess.servers.wire import only
from qchess.web.clocks import Control
from qchess.web.seats import HUMAN, clean_name
from qchess.web.settings import Settings

FIELDS = ("game", "preset", "options", "backend", "seats", "clock", "public", "takebacks", "name")
LONGEST, MOST_SEATS = 200, 16
#: the longest text among the options, such as a FEN
LONGEST_OPTION, MOST_OPTIONS = 2000, 30


@dataclass(frozen=True, slots=True)
class Order:
    """An order for a table."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    backend: str = "sparse"
    seats: Mapping[str, str] = field(default_factory=dict)
    clock: Control = field(default_factory=Control)
    public: bool = False
    takebacks: bool = True
    name: str = ""

    def rules(self) -> Rules[Any, Any]:
        """Return the rules ordered."""
        return rules_of(self.game, **self.options)

    @classmethod
    def of(cls, data: Mapping[str, Any], settings: Settings) -> Order:
        """Read an order, and refuse what this server does not offer."""
        given = only(data, FIELDS, "the settings of a table")
        game = reading.one_of(given.get("game"), "'game'", names())
        return cls(
            game,
            _options(game, given),
            _offered("backend", given.get("backend", "sparse"), settings.backends, backends.names()),
            _seats(given.get("seats", {}), settings),
            Control.of(given.get("clock")),
            reading.flag(given.get("public", False), "'public'"),
            reading.flag(given.get("takebacks", True), "'takebacks'"),
            clean_name(given.get("name", "")),
        )


def _options(game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the preset, overridden by the given ones."""
    preset = given.get("preset")
    usual = presets.options(game, reading.text(preset, "'preset'", LONGEST)) if preset is not None else {}
    options = reading.mapping(given.get("options", {}), "'options'")
    if len(options) > MOST_OPTIONS:
        raise InvalidMoveError(f"expected at most {MOST_OPTIONS} options, got {len(options)}")
    for key, value in options.items():
        if not key.isidentifier():
            raise InvalidMoveError(f"expected the name of an option, got {reading.shown(key)}")
        if isinstance(value, str):
            reading.text(value, f"the option {key!r}", LONGEST_OPTION)
    return {**usual, **options}


def _seats(values: Any, settings: Settings) -> dict[str, str]:
    seats = reading.mapping(values, "'seats'")
    if len(seats) > MOST_SEATS:
        raise InvalidMoveError(f"expected at most {MOST_SEATS} seats, got {len(seats)}")
    return {player: _who(who, settings) for player, who in seats.items()}


def _who(value: Any, settings: Settings) -> str:
    who = reading.text(value, "who sits at a seat", LONGEST)
    if who == HUMAN:
        return who
    agents.get(_offered("computer player", who, settings.agents, agents.names()))  # what cannot be made is refused now
    return who


def _offered(what: str, value: Any, offered: tuple[str, ...], known: tuple[str, ...]) -> str:
    """Return a name that this server offers; without a list of its own, any in the catalogue."""
    name = reading.text(value, f"a {what}", LONGEST)
    if offered and name not in offered:
        raise InvalidMoveError(f"this server offers no {what} {reading.shown(name)}; it has {', '.join(offered)}")
    if not offered and name.split("@")[0].split(",")[0].split(":")[0] not in {k.split(":")[0] for k in known}:
        raise InvalidMoveError(f"there is no {what} {reading.shown(name)}; there are {', '.join(known)}")
    return name

"""A request for a new table: game, options, players, clocks; read from JSON and checked against limits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
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
from qchess.web.settings import LEVELS, Settings

FIELDS = ("game", "preset", "options", "backend", "seats", "clock", "public", "takebacks", "name")
LONGEST, MOST_SEATS = 200, 16
#: the longest text among the options, such as a FEN
LONGEST_OPTION, MOST_OPTIONS = 2000, 30
#: what is said of a computer player that is none of the levels
SOME = "one of this server's computer players"
#: who answers questions, in plain words, and the known names of a family of devices
WORDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "sparse": ("This computer, exactly", ()),
    "cirq": ("This computer, with Cirq", ()),
    "aer": ("This computer, with Qiskit Aer", ()),
    "aer:mps": ("This computer, with Qiskit Aer, for many pieces with few links", ()),
    "sparse-shots": ("This computer, by counting shots", ()),
    "aer-shots": ("A perfect quantum computer, simulated here", ()),
    "aer-noisy": ("A noisy quantum computer, simulated here", ()),
    "queued:<device>": ("A simulated device with a queue …", ("sparse-shots", "aer-noisy", "30:aer-noisy")),
    "ibm-fake:<name>": ("A copy of an IBM quantum computer, simulated here …",
                        ("brisbane", "fez", "lagos", "marrakesh", "nairobi", "sherbrooke", "torino")),
    "ibm:<processor>": ("A real quantum computer (IBM) …", ("least-busy",)),
    "google-qvm:<processor>": ("A copy of a Google quantum computer, simulated here …",
                               ("rainbow", "weber", "willow_pink")),
    "google:<processor>": ("A real quantum computer (Google) …", ()),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What a new table shall be."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    backend: str = "sparse"
    seats: Mapping[str, str] = field(default_factory=dict)
    clock: Control = field(default_factory=Control)
    public: bool = False
    takebacks: bool = True
    name: str = ""

    def rules(self) -> Rules[Any, Any]:
        """Return the rules of the game."""
        return rules_of(self.game, **self.options)

    @classmethod
    def of(cls, data: Mapping[str, Any], settings: Settings) -> TableRequest:
        """Read a request, and refuse what this server does not offer."""
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


def levels(settings: Settings) -> list[dict[str, str]]:
    """Return the levels whose agents tables may name, or else a few such agents: name, agent, and what it does."""
    rows = [{"name": name, "agent": agent, "does": does} for name, agent, does in LEVELS]
    known = [row for row in rows if not settings.agents or row["agent"] in settings.agents]
    return known or [{"name": name, "agent": name, "does": SOME} for name in settings.agents[: len(LEVELS)]]


def answering(settings: Settings) -> list[dict[str, Any]]:
    """Return who can answer questions here: the name for a request, plain words, and known devices of a family.

    A name in angle brackets stands for a device that is typed. What needs a package or an account that is not here is
    left out.
    """
    rows = backends.rows()
    named = settings.backends or tuple(row.name for row in rows)
    held = ((name, next((row for row in rows if row.holds(name.partition(",")[0])), None)) for name in named)
    return [_answering(name, row.name, row.summary) for name, row in held if row and row.installed and _is_open(name)]


def _answering(name: str, row: str, summary: str) -> dict[str, Any]:
    words, devices = WORDS.get(row, (f"{name}: {summary}", ()))
    if name != row:
        return {"name": name, "title": f"{words.removesuffix(' …')}: {name.partition(':')[2]}", "devices": []}
    return {"name": name, "title": words, "devices": list(devices)}


def _is_open(name: str) -> bool:
    """Tell whether an account for a vendor's processors is set up on this machine, if one is needed."""
    if name.startswith("ibm:"):
        return bool(os.environ.get("QISKIT_IBM_TOKEN")) or (Path.home() / ".qiskit" / "qiskit-ibm.json").is_file()
    return not name.startswith("google:") or bool(os.environ.get("GOOGLE_CLOUD_PROJECT"))


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

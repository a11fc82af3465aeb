"""A tournament as a value: everything that its games depend on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

from qchess import games, reading
from qchess.arena.schedule import Fixture, fixtures
from qchess.errors import InvalidMoveError
from qchess.rules import Rules

FORMAT = "qchess-arena-1"


@dataclass(frozen=True, slots=True)
class Plan:
    """The players, the number of rounds, the openings and the seed.

    An opening is a list of moves with their answers; the two games of a pairing share one. `random_plies` makes
    openings of that many random moves. A game of more than `plies` turns is a draw.
    """

    game: str
    players: tuple[str, ...]
    rounds: int = 1
    system: str = "round-robin"
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    plies: int = 400
    openings: tuple[tuple[str, ...], ...] = ()
    random_plies: int = 0

    def __post_init__(self) -> None:
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise InvalidMoveError(f"expected two or more different players; got {list(self.players)}")
        if self.plies < 1 or self.random_plies < 0 or (self.openings and self.random_plies):
            raise InvalidMoveError(
                f"expected plies >= 1, and either openings or random_plies >= 0; got plies={self.plies!r}, "
                f"random_plies={self.random_plies!r} and {len(self.openings)} openings"
            )

    def rules(self) -> Rules[Any, Any]:
        """Return the rules of the game; your own game may be named ``module:Class``."""
        module, sign, name = self.game.partition(":")
        rules = getattr(import_module(module), name)(**self.options) if sign else games.rules(self.game, **self.options)
        if len(rules.players) != 2:
            raise InvalidMoveError(f"the arena plays games of two; {rules.title} has {len(rules.players)} players")
        return rules

    def fixtures(self) -> Iterator[Fixture]:
        """Yield every game, in order."""
        return fixtures(self.system, self.players, self.rounds)

    def opening(self, fixture: Fixture) -> tuple[str, ...]:
        """Return the moves that a game begins with, if they are given."""
        return self.openings[fixture.opening % len(self.openings)] if self.openings else ()

    def to_json(self) -> str:
        """Return the plan as one line."""
        return json.dumps({"format": FORMAT, **asdict(self)}, sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Parse the result of `to_json`."""
        try:
            data = json.loads(text)
            told = data.pop("format", None)
            if told != FORMAT:
                raise InvalidMoveError(f"expected a tournament of format {FORMAT!r}, got {reading.shown(told)}")
            data |= {"players": tuple(data["players"]), "openings": tuple(map(tuple, data["openings"]))}
            return cls(**data)
        except (json.JSONDecodeError, AttributeError, KeyError, TypeError) as error:
            raise InvalidMoveError(f"expected the plan of a tournament; got {reading.shown(text)}") from error

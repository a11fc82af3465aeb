"""A tournament as a value: everything that its games depend on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib import import_module
from typing import Any

from qchess import games, reading
from qchess.arena.schedule import Fixture, fixtures
from qchess.errors import InvalidMoveError
from qchess.rules import Rules

FORMAT = "qchess-arena-1"
#: the limits of a tournament: players, games, plies of a game and of its opening, openings, letters of a move
MOST_PLAYERS, MOST_GAMES, MOST_PLIES, MOST_OPENINGS, LONGEST = 200, 1_000_000, 100_000, 100_000, 10_000
LARGEST_SEED = 10**60


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
    #: whether code of one's own may be imported for the game; it may not on the word of a file
    trusted: bool = field(default=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        reading.text(self.game, "'game'", LONGEST)
        reading.texts(self.players, "'players'", MOST_PLAYERS, LONGEST)
        reading.mapping(self.options, "'options'")
        reading.integer(self.seed, "'seed'", -LARGEST_SEED, LARGEST_SEED)
        reading.integer(self.plies, "'plies'", 1, MOST_PLIES)
        reading.integer(self.random_plies, "'random_plies'", 0, MOST_PLIES)
        for moves in reading.items(self.openings, "'openings'", MOST_OPENINGS):
            reading.texts(moves, "an opening", MOST_PLIES, LONGEST)
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise InvalidMoveError(f"expected two or more different players; got {list(self.players)}")
        if self.openings and self.random_plies:
            raise InvalidMoveError(
                f"expected either openings or random_plies; got random_plies={self.random_plies} and "
                f"{len(self.openings)} openings"
            )
        reading.integer(self.rounds, "'rounds'", 1, MOST_GAMES // self._in_a_round())

    def _in_a_round(self) -> int:
        return sum(1 for _ in fixtures(self.system, self.players, 1))

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.rounds * self._in_a_round()

    def rules(self) -> Rules[Any, Any]:
        """Return the rules of the game; your own game may be named ``module:Class``."""
        module, sign, name = self.game.partition(":")
        if sign and not self.trusted:
            raise InvalidMoveError(
                f"the plan was read from a file and names code to run, {reading.shown(self.game)}; "
                f"allow it with Plan.from_json(text, trust=True)"
            )
        rules = _own(module, name, self.options) if sign else games.rules(self.game, **self.options)
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
        told = asdict(self)
        del told["trusted"]
        return json.dumps({"format": FORMAT, **told}, sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, *, trust: bool = False) -> Plan:
        """Parse the result of `to_json`; without `trust`, a game of one's own that it names is not imported."""
        data = reading.json_object(text, "the plan of a tournament")
        reading.one_of(data.pop("format", None), "the format of a tournament", (FORMAT,))
        reading.known(data, "the plan of a tournament", [each.name for each in fields(cls) if each.name != "trusted"])
        openings = reading.items(data.get("openings", []), "'openings'", MOST_OPENINGS)
        moves = tuple(tuple(reading.items(each, "an opening", MOST_PLIES)) for each in openings)
        players = tuple(reading.items(data.get("players"), "'players'", MOST_PLAYERS))
        return cls(**{"game": None, **data, "players": players, "openings": moves, "trusted": trust})


def _own(module: str, name: str, options: Mapping[str, Any]) -> Rules[Any, Any]:
    """Return the rules of a game that is not ours."""
    try:
        made: Rules[Any, Any] = getattr(import_module(module), name)(**options)
    except (ImportError, AttributeError, TypeError) as error:
        raise InvalidMoveError(f"expected a game, or your own as module:Class, got {module}:{name}: {error}") from error
    return made

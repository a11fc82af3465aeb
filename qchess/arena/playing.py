"""One game of a tournament, from the plan and the fixture alone: the same on every machine."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from qchess import reading
from qchess.arena.plan import LONGEST, MOST_GAMES, MOST_PLIES, Plan
from qchess.arena.schedule import Fixture
from qchess.errors import InvalidMoveError
from qchess.playing import agents
from qchess.playing.agents import Task
from qchess.playing.game import Game


@dataclass(frozen=True, slots=True)
class Line:
    """A finished game, as one line of the result file."""

    number: int
    white: str
    black: str
    #: the name of the winner; None for a draw
    winner: str | None
    reason: str
    plies: int
    moves: str

    def to_json(self) -> str:
        """Return the game as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Line:
        """Parse the result of `to_json`."""
        data = reading.known(
            reading.json_object(text, "a finished game"), "a finished game", [each.name for each in fields(cls)]
        )
        white, black = (reading.text(data.get(seat), f"{seat!r}", LONGEST) for seat in ("white", "black"))
        return cls(
            reading.integer(data.get("number"), "'number'", 0, MOST_GAMES - 1),
            white,
            black,
            reading.one_of(data.get("winner"), "'winner'", (white, black, None)),
            reading.text(data.get("reason"), "'reason'", LONGEST),
            reading.integer(data.get("plies"), "'plies'", 0, 2 * MOST_PLIES),
            reading.text(data.get("moves"), "'moves'", reading.LONGEST),
        )


def play(plan: Plan, fixture: Fixture) -> Line:
    """Play one game; dice, agents and opening have separate generators."""
    rules = _rules(plan.to_json(), plan.trusted)
    game = Game(rules, seed=f"{plan.seed} dice {fixture.number}")
    seated = {player: agents.get(name) for player, name in zip(rules.players, fixture.seats, strict=True)}
    rngs = {player: _rng(plan, player, fixture.number) for player in rules.players}
    for move in _opening(plan, fixture):
        game.play(move)
    while not game.result and len(game.history) < plan.plies:
        mover = game.player
        history = tuple(played.text for played in game.history)
        game.play(seated[mover].choose(Task(rules, game.position, rngs[mover], history=history)).move)
    return _line(fixture, game)


def _line(fixture: Fixture, game: Game[Any, Any]) -> Line:
    result = game.result
    winner = fixture.seats[game.rules.players.index(result.winner)] if result and result.winner else None
    reason = result.reason if result else f"stopped after {len(game.history)} plies"
    moves = " ".join(played.text for played in game.history)
    return Line(fixture.number, *fixture.seats, winner, reason, len(game.history), moves)


def _opening(plan: Plan, fixture: Fixture) -> Sequence[str]:
    """Return the opening of a game as text with answers: a return game begins with the same moves."""
    if not plan.random_plies:
        return plan.opening(fixture)
    rng = _rng(plan, "opening", fixture.opening)
    for _ in range(100):
        game = Game(_rules(plan.to_json(), plan.trusted), seed=f"{plan.seed} opening {rng.random()}")
        for _ in range(plan.random_plies):
            if game.result:
                break
            game.play(rng.choice(list(game.rules.moves(game.position))))
        if not game.result:
            return [played.text for played in game.history]
    raise InvalidMoveError(f"no opening of {plan.random_plies} random plies leaves a game to be played")


@lru_cache(maxsize=4)
def _rules(plan: str, trust: bool) -> Any:
    return Plan.from_json(plan, trust=trust).rules()


def _rng(plan: Plan, what: str, number: int) -> random.Random:
    return random.Random(f"{plan.seed} {what} {number}")

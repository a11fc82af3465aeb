"""Games played for the corpus.

    random      any legal move
    quiet       one without a question, if found
    splitting   one without a question that makes a superposition, if found
    greedy      the one with the best value, of some drawn at random
    recorded    as recorded

Only `random()` of a generator is used, and nearly equal values count as equal; so a seed gives the same game on every
machine.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from qchess import backends, games
from qchess.circuits.operations import Operation
from qchess.circuits.program import Program
from qchess.errors import QchessError
from qchess.playing.agents.greedy import value
from qchess.playing.game import Game

#: how many moves are searched for a quiet one, and how many the greedy player compares
TRIES, WEIGHED = 40, 12
#: values closer than this count as equal
EQUAL = 1e-6


@dataclass(frozen=True)
class Play:
    """A game to be played: its rules, style, seed and length."""

    game: str
    style: str
    seed: int
    plies: int = 60
    options: Mapping[str, Any] = field(default_factory=dict)
    #: for a recorded game: its moves with their answers
    moves: tuple[str, ...] = ()
    #: the name of the play, if not made from its game, style and seed
    title: str = ""

    @property
    def name(self) -> str:
        """Return the game's name in the corpus."""
        return self.title or f"{self.game}-{self.style}-{self.seed}"


class Moment(NamedTuple):
    """A turn of a game: the position before it, the turn, and the game after it."""

    ply: int
    before: Any
    move: Any
    text: str
    program: Program
    answers: Mapping[str, int]
    game: Game[Any, Any]


def moments(play: Play) -> Iterator[Moment]:
    """Yield the turns of a game."""
    rules = games.rules(play.game, **play.options)
    game = Game(rules, backends.get("sparse"), seed=play.seed)
    dice = random.Random(f"{play.game} {play.style} {play.seed}")
    for ply in range(1, (len(play.moves) or play.plies) + 1):
        if game.result is not None:
            return
        before = game.position
        if play.style == "recorded":
            turn = rules.read_turn(before, play.moves[ply - 1])
        else:
            turn = rules.turn(before, _chosen(game, play.style, dice))
        played = game.play(turn)
        answers = {answer.name: answer.value for answer in played.answers}
        yield Moment(ply, before, turn.move, played.text, turn.program, answers, game)


def _chosen(game: Game[Any, Any], style: str, dice: random.Random) -> Any:
    moves = game.rules.moves(game.position)
    if style == "greedy":
        return _best(game, drawn(dice, moves, WEIGHED), dice)
    for _ in range(TRIES):
        move = moves[int(dice.random() * len(moves))]
        if _fits(style, game.rules.compile(game.position, move)):
            break
    return move


def _fits(style: str, program: Program) -> bool:
    """Tell whether a move with this program fits the style."""
    if style == "random":
        return True
    mixes = any(isinstance(step, Operation) and step.gate.mixes for step in program)
    return not program.answers and (style == "quiet" or mixes)


def _best(game: Game[Any, Any], moves: Sequence[Any], dice: random.Random) -> Any:
    worth = [value(game.rules, game.position, move) for move in moves]
    equal = [move for move, w in zip(moves, worth, strict=True) if w >= max(worth) - EQUAL]
    return equal[int(dice.random() * len(equal))]


def drawn(dice: random.Random, things: Sequence[Any], count: int) -> list[Any]:
    """Return at most `count` different things, in the order drawn."""
    left = list(things)
    return [left.pop(int(dice.random() * len(left))) for _ in range(min(count, len(left)))]


@cache
def records() -> tuple[Play, ...]:
    """Return the recorded games, which are the project's golden playthroughs."""
    data = json.loads(files(__package__).joinpath("records.json").read_text(encoding="utf-8"))
    return tuple(
        Play(row["game"], "recorded", row["seed"], 0, row["options"], tuple(row["moves"]), name)
        for name, row in data.items()
    )


def record(name: str) -> Play:
    """Return the recorded game of that name."""
    for play in records():
        if play.title == name:
            return play
    raise QchessError(f"a recorded game is one of {', '.join(play.title for play in records())}, got {name!r}")

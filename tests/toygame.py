"""Hide and Seek, the smallest game: one room of rules, as an author would write it.

Three squares in a row and one man whom both players move. White and black in turn step, split, merge,
or ask whether the man is on a square; who asks and finds him wins. `qchess.testing.check_game` proves
it, and the terminal, the agents and the commands play it, with nothing but this file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

from qchess.circuits.engine import Engine
from qchess.circuits.patterns import jump, merge, split
from qchess.circuits.predicates import full
from qchess.circuits.program import Program, ask
from qchess.circuits.registers import Registers, Run
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.rules import Result, Rules, Turn
from qchess.showing.view import Arrow, Man, View

SQUARES = ("a1", "b1", "c1")
MOVE = re.compile(
    r"(?P<ask>\?)?(?P<sources>(?:[a-c]1){1,2})(?:(?P<sign>[-^])(?P<targets>(?:[a-c]1){1,2}))?(?:\.m(?P<answer>[01]))?"
)


@dataclass(frozen=True, slots=True)
class Move:
    """From one square or two, to one or two; a question has no target."""

    sources: tuple[str, ...]
    targets: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.targets:
            return f"?{self.sources[0]}"
        sign = "-" if len(self.sources) == len(self.targets) else "^"
        return "".join(self.sources) + sign + "".join(self.targets)


@dataclass(frozen=True, slots=True)
class Spot:
    """A position of the game."""

    registers: Registers
    ply: int = 0
    finder: str | None = None

    @property
    def player(self) -> str:
        return Toy.players[self.ply % 2]

    def key(self) -> tuple[Any, ...]:
        return (self.ply, self.finder)


class Toy(Rules[Spot, Move]):
    """Who finds the man wins; after `limit` turns it is a draw."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Hide and Seek"

    def __init__(self, limit: int = 12) -> None:
        if not isinstance(limit, int) or limit < 1:
            raise InvalidMoveError(f"limit is a whole number of turns, at least 1; got {limit!r}")
        self.limit = limit

    def options(self) -> dict[str, Any]:
        return {"limit": self.limit}

    def start(self, engine: Engine) -> Spot:
        return Spot(Registers(engine, full=["b1"]))

    def moves(self, position: Spot) -> list[Move]:
        at = position.registers
        here = [square for square in SQUARES if at.known(square) != 0]
        free = [square for square in SQUARES if square not in here]
        steps = [Move((s,), (t,)) for s in here for t in free]
        splits = [Move((s,), pair) for s in here for pair in combinations(free, 2)]
        merges = [Move(pair, (t,)) for pair in combinations(here, 2) for t in free]
        return steps + splits + merges + [Move((s,)) for s in here if at.known(s) is None]

    def check(self, position: Spot, move: Move) -> None:
        if move not in self.moves(position):
            raise IllegalMoveError(f"expected a legal move, such as {self.moves(position)[0]}; got {str(move)!r}")

    def read(self, position: Spot, text: str) -> tuple[Move, dict[str, int] | None]:
        found = MOVE.fullmatch(text)
        if not found or bool(found["ask"]) == bool(found["targets"]):
            raise InvalidMoveError(f"expected b1-a1, b1^a1c1, a1c1^b1 or ?a1; got {text!r}")
        move = Move(_squares(found["sources"]), _squares(found["targets"] or ""))
        self.check(position, move)
        if found["answer"] and move.targets:
            raise IllegalMoveError(f"{text!r} asks nothing, so it has no answer")
        return move, {"there": int(found["answer"])} if found["answer"] else None

    def write(self, position: Spot, move: Move) -> str:
        return str(move)

    def turn(self, position: Spot, move: Move) -> Turn[Move]:
        return Turn(move, self.program(move))

    def program(self, move: Move) -> Program:
        if not move.targets:
            return Program(ask("there", full(*move.sources)))
        squares = move.sources + move.targets
        if len(squares) == 2:
            return jump(*squares)
        return split(*squares) if len(move.targets) == 2 else merge(*squares)

    def settle(self, position: Spot, turn: Turn[Move], run: Run) -> Spot:
        found = any(answer.value for answer in run.answers)
        return replace(
            position, registers=run.registers, ply=position.ply + 1, finder=position.player if found else None
        )

    def result(self, position: Spot) -> Result | None:
        if position.finder:
            return Result(position.finder, "found")
        return Result(None, "hidden too long") if position.ply >= self.limit else None

    def evaluate(self, position: Spot) -> Mapping[str, float]:
        return {player: float(player == position.finder) for player in self.players}

    def view(self, position: Spot, last: Move | None = None) -> View:
        odds = {square: position.registers.probability(square) for square in SQUARES}
        targets = last.targets if last else ()
        return View(
            width=3,
            height=1,
            men={square: (Man("N", p),) for square, p in odds.items() if p},
            links=tuple((a, b, 1.0) for a, b in combinations(position.registers.uncertain, 2)),
            arrows=tuple(Arrow(s, t, _kind(last)) for s in (last.sources if last else ()) for t in targets),
            marked=last.sources + last.targets if last else (),
            notes=(f"{position.player} to move",),
        )


def _squares(text: str) -> tuple[str, ...]:
    return tuple(text[k : k + 2] for k in range(0, len(text), 2))


def _kind(move: Move | None) -> str:
    if move is None or len(move.sources) == len(move.targets):
        return "move"
    return "split" if len(move.targets) == 2 else "merge"

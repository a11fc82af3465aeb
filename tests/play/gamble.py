"""A game of one decision: measure now and win half of the time, or hand over and win six times in ten."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from qchess.circuits.engine import Engine
from qchess.circuits.patterns import partial_split
from qchess.circuits.predicates import full
from qchess.circuits.program import Program, ask
from qchess.circuits.registers import Registers, Run
from qchess.errors import IllegalMoveError
from qchess.rules import Result, Rules, Turn
from qchess.showing.view import View

GAMBLE, SAFE, REVEAL = "gamble", "safe", "reveal"


@dataclass(frozen=True, slots=True)
class Table:
    """Two coins that are in superposition, and what has happened."""

    registers: Registers
    ply: int = 0
    winner: str | None = None

    @property
    def player(self) -> str:
        return Gamble.players[self.ply % 2]

    def key(self) -> tuple[Any, ...]:
        return (self.ply, self.winner)


class Gamble(Rules[Table, str]):
    """White gambles on a coin of 1/2, or Black must reveal one of 0.6."""

    name: ClassVar[str] = "gamble"
    title: ClassVar[str] = "Gamble"

    def __init__(self, even: float = 0.5, safe: float = 0.6) -> None:
        self.even, self.safe = even, safe

    def options(self) -> dict[str, Any]:
        return {"even": self.even, "safe": self.safe}

    def start(self, engine: Engine) -> Table:
        coins = Registers(engine, full=["a1", "c1"])
        for square, other, chance in (("a1", "b1", self.even), ("c1", "d1", self.safe)):
            coins = coins.run(partial_split(square, f"{square}x", other, chance)).registers
        return Table(coins)

    def moves(self, position: Table) -> list[str]:
        if position.winner:
            return []
        return [REVEAL] if position.ply else [GAMBLE, SAFE]

    def check(self, position: Table, move: str) -> None:
        if move not in self.moves(position):
            raise IllegalMoveError(f"expected one of {self.moves(position)}; got {move!r}")

    def read(self, position: Table, text: str) -> tuple[str, dict[str, int] | None]:
        move, _, answer = text.partition(".m")
        self.check(position, move)
        return move, {"there": int(answer)} if answer else None

    def write(self, position: Table, move: str) -> str:
        return move

    def turn(self, position: Table, move: str) -> Turn[str]:
        if move == SAFE:
            return Turn(move, Program())
        return Turn(move, Program(ask("there", full("a1x" if move == GAMBLE else "c1x"))))

    def settle(self, position: Table, turn: Turn[str], run: Run) -> Table:
        winner = next((self.players[not answer.value] for answer in run.answers), None)
        return replace(position, registers=run.registers, ply=position.ply + 1, winner=winner)

    def result(self, position: Table) -> Result | None:
        return Result(position.winner, "revealed") if position.winner else None

    def view(self, position: Table, last: str | None = None) -> View:
        return View(width=1, height=1, men={}, notes=(f"{position.player} to move",))

"""Two squares and one man: spread him a little, or look at a square; who looks and finds him wins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qchess import IllegalMoveError, InvalidMoveError, Result, Rules, Turn
from qchess.circuits import Engine, Program, Registers, Run, ask, full, iswap
from qchess.showing.view import Man, View

SQUARES = ("a1", "b1")


@dataclass(frozen=True)
class Spot:
    """A position."""

    registers: Registers
    ply: int = 0
    finder: str | None = None

    @property
    def player(self) -> str:
        return ("white", "black")[self.ply % 2]

    def key(self) -> tuple[Any, ...]:
        return (self.ply, self.finder)


class HideAndSeek(Rules[Spot, str]):
    """The rules."""

    name, title = "hide-and-seek", "Hide and Seek"

    def options(self) -> dict[str, Any]:
        return {}

    def start(self, engine: Engine) -> Spot:
        return Spot(Registers(engine, full=["a1"]))

    def moves(self, position: Spot) -> list[str]:
        return ["spread", *(f"?{square}" for square in SQUARES if position.registers.known(square) is None)]

    def check(self, position: Spot, move: str) -> None:
        if move not in self.moves(position):
            raise IllegalMoveError(f"expected one of {self.moves(position)}, got {move!r}")

    def read(self, position: Spot, text: str) -> tuple[str, dict[str, int] | None]:
        move, _, answer = text.partition(".m")
        if move not in ("spread", "?a1", "?b1") or answer not in ("", "0", "1") or (answer and move == "spread"):
            raise InvalidMoveError(f"expected spread, ?a1 or ?b1, got {text!r}")
        self.check(position, move)
        return move, {"there": int(answer)} if answer else None

    def write(self, position: Spot, move: str) -> str:
        return move

    def turn(self, position: Spot, move: str) -> Turn[str]:
        return Turn(move, Program(iswap(*SQUARES, 1 / 3) if move == "spread" else ask("there", full(move[1:]))))

    def settle(self, position: Spot, turn: Turn[str], run: Run) -> Spot:
        found = any(answer.value for answer in run.answers)
        return Spot(run.registers, position.ply + 1, position.player if found else None)

    def result(self, position: Spot) -> Result | None:
        if position.finder:
            return Result(position.finder, "found")
        return Result(None, "hidden too long") if position.ply >= 8 else None

    def evaluate(self, position: Spot) -> Mapping[str, float]:
        return {player: float(player == position.finder) for player in self.players}

    def view(self, position: Spot, last: str | None = None) -> View:
        odds = {square: position.registers.probability(square) for square in SQUARES}
        return View(2, 1, {square: (Man("N", p),) for square, p in odds.items() if p})

"""The result file of a tournament: a journal of its plan and its finished games."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from qchess import reading
from qchess.arena.plan import Plan
from qchess.arena.playing import Line
from qchess.errors import InvalidMoveError
from qchess.playing import journal


class ResultFile(journal.Journal):
    """The finished games of one tournament, by number."""

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__(path, plan.to_json(), lambda head: _check_same(path, Plan.from_json(head), plan))
        try:
            self.head = plan.to_json()  # with more rounds, perhaps; it is written when they are played
            self.games = {line.number: line for line in _games(path, plan, self.lines)}
        except BaseException:
            self.file.close()
            raise

    def keep(self, line: Line) -> None:
        """Store a finished game; it is on the disk when this returns."""
        self.add(line.to_json())
        self.games[line.number] = line

    def close_with(self, count: int) -> list[Line]:
        """Keep only the first `count` games in the file, in order, and return them."""
        lines = [self.games[number] for number in range(count)]
        self.finish(line.to_json() for line in lines)
        return lines


def read(path: Path) -> tuple[Plan, list[Line]]:
    """Return the plan of a result file and its finished games, in order; changes nothing."""
    head, lines = journal.read(path)
    with reading.place(f"{path}, line 1"):
        plan = Plan.from_json(head)
    return plan, sorted(_games(path, plan, lines), key=lambda line: line.number)


def _games(path: Path, plan: Plan, lines: Iterable[str]) -> list[Line]:
    """Return the games on these lines, each a game of the plan, and each once."""
    found: set[int] = set()

    def game(text: str) -> Line:
        line = Line.from_json(text)
        reading.integer(line.number, "'number'", 0, plan.games - 1)
        for seat in (line.white, line.black):
            reading.one_of(seat, "a player", plan.players)
        if line.number in found:
            raise InvalidMoveError(f"expected each game once, got the number {line.number} again")
        found.add(line.number)
        return line

    return list(reading.each_line(path, lines, game))


def _check_same(path: Path, told: Plan, plan: Plan) -> None:
    """Refuse a plan that differs from the file's, except for more rounds: games depend on their numbers."""
    there, here = json.loads(told.to_json()), json.loads(plan.to_json())
    for name, value in here.items():
        if there[name] != value and (name != "rounds" or told.rounds > plan.rounds):
            raise InvalidMoveError(f"{path} holds another tournament: its {name} is {there[name]!r}, not {value!r}")

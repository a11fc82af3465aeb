"""The result file of a tournament: a journal of its plan and its finished games."""

from __future__ import annotations

import json
from pathlib import Path

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
            self.games = {line.number: line for line in map(Line.from_json, self.lines)}
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
    return Plan.from_json(head), sorted(map(Line.from_json, lines), key=lambda line: line.number)


def _check_same(path: Path, told: Plan, plan: Plan) -> None:
    """Refuse a plan that differs from the file's, except for more rounds: games depend on their numbers."""
    there, here = json.loads(told.to_json()), json.loads(plan.to_json())
    for name, value in here.items():
        if there[name] != value and (name != "rounds" or told.rounds > plan.rounds):
            raise InvalidMoveError(f"{path} holds another tournament: its {name} is {there[name]!r}, not {value!r}")

"""The result file of a tournament: a journal of its plan and its finished games."""

from __future__ import annotations

import json
from pathlib import Path

from qchess.arena import journal
from qchess.arena.plan import Plan
from qchess.arena.playing import Line
from qchess.errors import InvalidMoveError


class ResultFile(journal.Journal):
    """The finished games of one tournament, by number."""

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__(path, plan.to_json())
        try:
            if self.head != plan.to_json():
                raise InvalidMoveError(f"{path} holds another tournament: {_difference(self.head, plan)}")
            self.games = {line.number: line for line in map(Line.from_json, self.lines)}
        except BaseException:
            self.file.close()
            raise

    def keep(self, line: Line) -> None:
        """Keeps a finished game: it is on the disk when this returns."""
        self.add(line.to_json())
        self.games[line.number] = line

    def close_with(self, count: int) -> list[Line]:
        """Leaves the first `count` games in the file, in order, and gives them."""
        lines = [self.games[number] for number in range(count)]
        self.finish(line.to_json() for line in lines)
        return lines


def read(path: Path) -> tuple[Plan, list[Line]]:
    """The plan of a result file and its finished games, in order; nothing is changed."""
    head, lines = journal.read(path)
    return Plan.from_json(head), sorted(map(Line.from_json, lines), key=lambda line: line.number)


def _difference(told: str, plan: Plan) -> str:
    """The first thing in which the plan of a file and another plan differ."""
    there, here = json.loads(Plan.from_json(told).to_json()), json.loads(plan.to_json())
    for name, value in here.items():
        if there[name] != value:
            return f"its {name} is {there[name]!r}, not {value!r}"
    return "it was written in another form"

"""The result file of a tournament: its plan, then one line a finished game, each on the disk before the next begins.

A process that is killed loses no finished game: at worst its last line is half written, and is dropped when the file
is opened again. A tournament that has ended leaves its lines in order, so that the file is the same however it was
played.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType

from qchess.arena.plan import Plan
from qchess.arena.playing import Line
from qchess.errors import InvalidMoveError


class ResultFile:
    """The finished games of one tournament; held by one process at a time."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        self.file = path.open("a+b")
        try:
            _lock(self.file.fileno(), path)
            self.lines = self._read()
        except BaseException:
            self.file.close()
            raise

    def _read(self) -> dict[int, Line]:
        self.file.seek(0)
        whole = self.file.read()
        kept = whole[: whole.rfind(b"\n") + 1]
        if len(kept) < len(whole):  # the process before this one was killed while it wrote
            self.file.truncate(len(kept))
        if not kept:
            self._write(self.plan.to_json())
            return {}
        told, *lines = kept.decode("utf-8").splitlines()
        if told != self.plan.to_json():
            raise InvalidMoveError(f"{self.path} holds another tournament: {_difference(told, self.plan)}")
        return {line.number: line for line in map(Line.from_json, lines)}

    def add(self, line: Line) -> None:
        """Keeps a finished game: it is on the disk when this returns."""
        self._write(line.to_json())
        self.lines[line.number] = line

    def _write(self, text: str) -> None:
        self.file.write(text.encode("utf-8") + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def finish(self, count: int) -> None:
        """Leaves the first `count` games in order, in one step: the file is never without them."""
        lines = [self.plan.to_json(), *(self.lines[number].to_json() for number in range(count))]
        text = "".join(line + "\n" for line in lines).encode("utf-8")
        self.file.seek(0)
        if self.file.read() == text:
            return
        draft = self.path.with_name(f"{self.path.name}.part")
        with draft.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.file.close()


def read(path: Path) -> tuple[Plan, list[Line]]:
    """The plan of a result file and its finished games, in order; nothing is changed."""
    whole = path.read_text(encoding="utf-8")
    told, *lines = whole[: whole.rfind("\n") + 1].splitlines() or [""]
    return Plan.from_json(told), sorted(map(Line.from_json, lines), key=lambda line: line.number)


def _difference(told: str, plan: Plan) -> str:
    """The first thing in which the plan of a file and another plan differ."""
    there, here = json.loads(Plan.from_json(told).to_json()), json.loads(plan.to_json())
    for name, value in here.items():
        if there[name] != value:
            return f"its {name} is {there[name]!r}, not {value!r}"
    return "it was written in another form"


def _lock(handle: int, path: Path) -> None:
    """Holds the file until this process ends, however it ends; a second process is refused."""
    try:
        import fcntl
    except ImportError:  # a system without these locks
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InvalidMoveError(f"{path} is being written by another tournament") from error

"""Journals: what was written stays, a line half written is dropped, and a file of anything else is left as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qchess.arena import journal as by_its_former_name
from qchess.arena.plan import Plan
from qchess.arena.resultfile import ResultFile
from qchess.bench.running import results
from qchess.bench.running.measuring import Settings
from qchess.errors import InvalidMoveError
from qchess.games.quantum_checkers.experiments import complexity
from qchess.playing.journal import Journal


def test_a_line_half_written_is_dropped_and_all_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "work"
    for before, lines in ((b"", []), (b"hea", []), (b"head", []), (b"head\n", []), (b"head\none\ntw", ["one"])):
        file.write_bytes(before)
        with Journal(file, "head") as journal:
            assert (journal.head, journal.lines) == ("head", lines)
            journal.add("more")
        assert file.read_text().splitlines() == ["head", *lines, "more"]


#: what each kind of work makes of a file
OPENED: dict[str, Callable[[Path], Any]] = {
    "a journal": lambda path: Journal(path, "head"),
    "arena": lambda path: ResultFile(path, Plan("quantum-tic-tac-toe", ("random", "greedy"))),
    "bench": lambda path: results.ResultFile(path, results.Plan("c", ("s",), Settings(), {}, {}, "h")),
    "checkers": lambda path: complexity.run(complexity.Setting(games=2), path),
}


@pytest.mark.parametrize(
    "whole", [b"my notes\nthe last line", b"my notes", b"\xff\xfe\n\x00", b'{"a": 1}\n{"b"', b"\n{"]
)
@pytest.mark.parametrize("kind", OPENED)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(kind: str, whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "notes"
    file.write_bytes(whole)
    with pytest.raises(InvalidMoveError):
        OPENED[kind](file)
    assert file.read_bytes() == whole


def test_the_arena_keeps_its_name_for_it() -> None:
    assert by_its_former_name.Journal is Journal

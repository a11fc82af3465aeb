"""Journals: what was written stays, a line half written is dropped, and a file of anything else is left as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from qchess.arena import journal as by_its_former_name
from qchess.arena.plan import Plan
from qchess.arena.resultfile import ResultFile
from qchess.bench.running import results
from qchess.bench.running.measuring import Settings
from qchess.circuits.locks import taken
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


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes, as on a full disk."""
    resource = pytest.importorskip("resource", reason="needs limits for the size of files")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


FULL = r"work cannot be written \(.+\); what is finished is kept, and the same command goes on from there"


def write(file: Path, lines: Sequence[str], written: list[str]) -> None:
    with Journal(file, "head") as journal:
        for line in lines:
            journal.add(line)
            written.append(line)


@pytest.mark.parametrize("size", range(3, 16))
def test_on_a_full_disk_what_is_finished_stays_and_one_sentence_says_so(tmp_path: Path, size: int) -> None:
    """The disk is full in the middle of a line, at its end, or before anything is written."""
    file, written = tmp_path / "work", list[str]()
    with room_for(size), pytest.raises(InvalidMoveError, match=FULL):
        write(file, ["one", "two", "three"], written)
    with Journal(file, "head") as journal:
        assert journal.lines == written
        journal.finish(["zero", *written])
    assert [path.name for path in tmp_path.iterdir()] == ["work"]


def test_on_a_full_disk_a_file_that_is_put_in_order_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "work"
    file.write_text("head\ntwo\none\n")
    with Journal(file, "head") as journal, room_for(8), pytest.raises(InvalidMoveError, match=FULL):
        journal.finish(["one", "two", "three"])
    assert file.read_text() == "head\ntwo\none\n"
    assert [path.name for path in tmp_path.iterdir()] == ["work"]


def test_a_finished_file_is_still_held_and_takes_more(tmp_path: Path) -> None:
    file = tmp_path / "work"
    with Journal(file, "head") as journal:
        journal.add("two")
        journal.finish(["one", "two"])
        with pytest.raises(InvalidMoveError, match="another process"):
            Journal(file, "head")
        journal.add("three")
    assert file.read_text().splitlines() == ["head", "one", "two", "three"]
    assert [path.name for path in tmp_path.iterdir()] == ["work"]


def test_a_file_that_was_replaced_while_it_was_opened_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the opening and the lock the process before puts its ordered file in the place."""
    file = tmp_path / "work"

    def late(opened: Any) -> bool:
        (tmp_path / "new").write_text("head\none\n")
        (tmp_path / "new").replace(file)
        return taken(opened)

    monkeypatch.setattr("qchess.playing.journal.taken", late)
    with pytest.raises(InvalidMoveError, match="another process"):
        Journal(file, "head")
    assert file.read_text() == "head\none\n"


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

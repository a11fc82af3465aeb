"""Changed files of every format: what comes out is a value or an error of ours, after bounded work in bounded memory.

The default run changes each example 300 times; ``pytest -m slow`` does it as often as ``QCHESS_FILES`` says.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.arena.plan import Plan
from qchess.arena.tournament import run
from qchess.errors import QchessError
from qchess.formats import FORMATS, of
from tests.fuzz import mutating
from tests.house.test_rooms import MODULES

COUNTS = [300, pytest.param(int(os.environ.get("QCHESS_FILES", "2000")), marks=pytest.mark.slow)]
#: the most memory that a file may take to read, and the most steps: lines of Python
BYTES, STEPS = 64 * 1024 * 1024, 5_000_000
Change = Callable[[bytes, random.Random], bytes]


# -- an example of each format ------------------------------------------------------------------------------


def a_record(folder: Path) -> Path:
    game = qchess.new("quantum-chess", seed=4)
    for move in ("b1^a3c3", "d7-d5", "c3-d5"):
        game.play(move)
    game.save(folder / "game.json")
    return folder / "game.json"


def a_tournament(folder: Path) -> Path:
    plan = Plan("quantum-tic-tac-toe", ("random", "greedy"), rounds=3, seed=1, openings=((), ()))
    run(plan, folder / "arena.jsonl")
    return folder / "arena.jsonl"


EXAMPLES: dict[str, Callable[[Path], Path]] = {"record": a_record, "tournament": a_tournament}
#: formats whose reader opens the file only, and what reads all that is in it
ALL_OF: dict[str, Callable[[Any], object]] = {}
#: formats that are not text
CHANGES: dict[str, tuple[Change, ...]] = {}


# -- what is asked of them all ------------------------------------------------------------------------------


@contextmanager
def bounded() -> Iterator[dict[str, int]]:
    """Count steps and the peak of memory; too many steps end the reading."""
    counted = {"steps": 0, "bytes": 0}

    def step(*_: object) -> Any:
        counted["steps"] += 1
        if counted["steps"] > STEPS:
            raise AssertionError(f"reading takes more than {STEPS} steps")
        return step

    before, had = tracemalloc.get_traced_memory()[0], sys.gettrace()
    tracemalloc.reset_peak()
    sys.settrace(step)
    try:
        yield counted
    finally:
        sys.settrace(had)
        counted["bytes"] = tracemalloc.get_traced_memory()[1] - before


def whole(name: str, path: Path) -> None:
    """Read all that a file of this format holds."""
    found = of(name).read(path)
    if name in ALL_OF:
        ALL_OF[name](found)


@pytest.mark.filterwarnings("ignore::qchess.playing.retelling.BackendWarning")  # a record may name any backend
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", [each.name for each in FORMATS])
def test_a_changed_file_is_read_or_refused_in_our_words(name: str, count: int, tmp_path: Path) -> None:
    example = EXAMPLES[name](tmp_path)
    good, rng, path = (
        example.read_bytes(),
        random.Random(f"{name} {count}"),
        example.with_name(f"changed{example.suffix}"),
    )
    tracemalloc.start()
    path.write_bytes(good)
    whole(name, path)
    refused, foreign, most = 0, [], {"steps": 0, "bytes": 0}
    for _ in range(count):
        given = rng.choice(CHANGES.get(name, (mutating.data, mutating.lines)))(good, rng)
        path.write_bytes(given)
        with bounded() as counted:
            try:
                whole(name, path)
            except QchessError:
                refused += 1
            except Exception as error:  # noqa: BLE001 (all of them are listed below)
                foreign.append(f"{error!r} from {given[:600]!r}")
        most = {key: max(most[key], counted[key]) for key in most}
    tracemalloc.stop()
    sys.stderr.write(
        f"{name}: {count} changed files, {refused} refused, {len(foreign)} foreign errors, at most {most}\n"
    )
    assert not foreign, "\n".join([f"{len(foreign)} foreign errors", *foreign[:5]])
    assert 0 < refused < count or name in ALL_OF
    assert most["bytes"] < BYTES, most


def test_each_format_has_an_example() -> None:
    assert set(EXAMPLES) == {each.name for each in FORMATS}


def test_each_mark_of_a_file_in_the_packages_is_of_a_registered_format() -> None:
    marks = {mark for each in FORMATS for mark in each.marks}
    texts = (path.read_text(encoding="utf-8") for path in MODULES.values())
    found = {mark for text in texts for mark in re.findall(r'"(qchess[- ](?:\w+[- ])+\d+)"', text)}
    assert found == marks

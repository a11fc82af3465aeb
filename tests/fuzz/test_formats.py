"""Changed files of every format: what comes out is a value or an error of ours, after bounded work in bounded memory.

The default run changes each example 25 times; ``pytest -m long`` does it as often as ``QCHESS_FILES`` says.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qchess
from qchess import reading
from qchess.arena.plan import Plan
from qchess.arena.tournament import run
from qchess.backends.budget import Budget
from qchess.backends.qrng.harvest import Harvest
from qchess.backends.qrng.pool import Pool
from qchess.bench.corpus import folder as corpus_folder
from qchess.errors import InvalidMoveError, QchessError
from qchess.formats import FORMATS, of
from qchess.lessons.progress import finish
from qchess.playing.measuring import measure
from qchess.playing.record import Record
from qchess.web.store.protocol import Row
from qchess.web.store.sqlite import SqliteStore
from tests.bench.result_files import tiny
from tests.fuzz import mutating
from tests.house.test_rooms import MODULES, ROOT

COUNTS = [25, pytest.param(int(os.environ.get("QCHESS_FILES", "120")), marks=pytest.mark.long)]
#: the most memory that a file may take to read, and the most steps (lines of Python): so many, and so many a byte
BYTES, STEPS, STEPS_A_BYTE = 64 * 1024 * 1024, 200_000, 5


# -- an example of each format ------------------------------------------------------------------------------


def with_a_question() -> Record:
    game = qchess.new("quantum-chess", seed=7, fen="4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1")
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    return game.record()


MEASURED = with_a_question()


def a_record(folder: Path) -> Path:
    game = qchess.new("quantum-chess", seed=4)
    for move in ("b1^a3c3", "d7-d5", "c3-d5"):
        game.play(move)
    game.save(folder / "game.json")
    return folder / "game.json"


def measurements(folder: Path) -> Path:
    measure(MEASURED, ["sparse-shots"], folder / "measured.jsonl", seed=2)
    return folder / "measured.jsonl"


def a_tournament(folder: Path) -> Path:
    plan = Plan("quantum-tic-tac-toe", ("random", "greedy"), rounds=3, seed=1, openings=((), ()))
    run(plan, folder / "arena.jsonl")
    return folder / "arena.jsonl"


def a_case(folder: Path) -> Path:
    return next((a_corpus(folder).parent / "cases").iterdir())


def a_corpus(folder: Path) -> Path:
    assert list(corpus_folder.write(folder, tiny()[:2]))
    return folder / "index.json"


def a_study(folder: Path) -> Path:
    nodes = [
        {"comment": "so it begins", "arrows": [{"start": "b1", "end": "a3"}]},
        {"parent": 0, "text": "b1^a3c3", "by": "white", "likely": 0.5, "answers": {"hit": 1}},
    ]
    study = {"format": "qchess-study-1", "title": "One", "game": "quantum-chess", "options": {}, "nodes": nodes}
    (folder / "study.json").write_text(json.dumps(study), encoding="utf-8")
    return folder / "study.json"


def a_store(folder: Path) -> Path:
    with closing(SqliteStore(folder / "web.sqlite")) as store:
        for game in ("aaaa", "bbbb"):
            store.open(game, {"game": "quantum-chess", "options": {}, "seed": "1", "seats": {}})
            store.add(game, Row(1, "c", {"kind": "move", "move": "b1^a3c3"}))
    return folder / "web.sqlite"


def a_pool(folder: Path) -> Path:
    pool = Pool(folder / "bits.pool")
    for seed in (1, 2):
        bits = np.random.default_rng(seed).integers(0, 2, 300, dtype=np.uint8)
        pool.add(Harvest(bits, {"source": "tape", "quantum": False}))
    return pool.path


def a_budget(folder: Path) -> Path:
    budget = Budget("sparse-shots", 100, folder)
    budget.reserve("one", 30)
    budget.reserve("two", 20)
    return budget.path


def lessons(folder: Path) -> Path:
    finish("quantum-chess", "first", folder)
    finish("niels-chess", "first", folder)
    return folder / "lessons.json"


def results(folder: Path) -> Path:
    lines = (ROOT / "tests" / "bench" / "first_format.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    plan = json.loads(lines[0])
    plan["cases"] = dict(list(plan["cases"].items())[:3])
    kept = [line for line in lines[1:] if json.loads(line).get("case", "") in ("", *plan["cases"])][:6]
    (folder / "results.jsonl").write_text(json.dumps(plan) + "\n" + "".join(kept), encoding="utf-8")
    return folder / "results.jsonl"


def old(name: str) -> Callable[[Path], Path]:
    """Return an example that is kept among the old files."""
    return lambda folder: Path(shutil.copy(min((ROOT / "tests").glob(name)), folder))


EXAMPLES: dict[str, Callable[[Path], Path]] = {
    "record": a_record,
    "measurements": measurements,
    "tournament": a_tournament,
    "bench results": results,
    "bench submission": results,
    "bench case": a_case,
    "bench corpus": a_corpus,
    "study": a_study,
    "store of tables": a_store,
    "pool of bits": a_pool,
    "budget": a_budget,
    "order of a job": old("old/data/state/jobs/*/order.json"),
    "shots of a job": old("old/data/state/jobs/*/result.json"),
    "finished lessons": lessons,
}


def all_of_a_store(path: Path) -> None:
    with closing(of("store of tables").read(path)) as store:
        for game in store.games(100):
            store.read(game)
            store.latest(game)


def all_of_a_pool(path: Path) -> None:
    pool = of("pool of bits").read(path)
    pool.available()
    pool.take(400, partly=True)


#: how all is read that is in a file, where the path alone is not enough for its reader
READS: dict[str, Callable[[Path], object]] = {
    "bench corpus": lambda path: of("bench corpus").read(path.parent),
    "measurements": lambda path: of("measurements").read(MEASURED, (), path),
    "study": lambda path: of("study").read(reading.json_object(reading.file_text(path, "a study"), "a study")),
    "store of tables": all_of_a_store,
    "pool of bits": all_of_a_pool,
    "finished lessons": lambda path: of("finished lessons").read("quantum-chess", path.parent),
}
#: what gives faults, or nothing, instead of an error
LISTED = {"bench submission", "finished lessons"}


# -- changes ------------------------------------------------------------------------------------------------


def changed(good: bytes, rng: random.Random, draft: Path) -> bytes:
    """Return the content of a file with something changed in its bytes or its values."""
    if rng.random() < 0.5:
        return mutating.data(good, rng)
    return rows(good, rng, draft) if good.startswith(b"SQLite") else mutating.lines(good, rng)


def rows(good: bytes, rng: random.Random, draft: Path) -> bytes:
    """Change one value in a row of a database."""
    draft.write_bytes(good)
    with closing(sqlite3.connect(draft)) as file, suppress(sqlite3.Error), file:
        file.execute("PRAGMA journal_mode = DELETE")
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = rng.choice([name for name in names if not name.startswith("sqlite")])
        column = rng.choice([told[1] for told in file.execute(f"PRAGMA table_info({table})")])
        number, value = rng.choice(file.execute(f"SELECT rowid, {column} FROM {table}").fetchall())
        if isinstance(value, str) and value.startswith("{") and rng.random() < 0.7:
            new: Any = mutating.lines(value.encode(), rng).decode("utf-8", "replace")
        else:
            new = rng.choice((None, -1, 0, 2**62, 1e300, "x", b"", b"\xff" * 40, "[" * 50_000, "9" * 500, value))
        file.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, number))
    return draft.read_bytes()


@contextmanager
def bounded(size: int) -> Iterator[dict[str, int]]:
    """Count steps and the peak of memory; too many steps for a file of this size end the reading."""
    counted, limit = {"steps": 0, "bytes": 0}, STEPS + STEPS_A_BYTE * size

    def step(*_: object) -> Any:
        counted["steps"] += 1
        if counted["steps"] > limit:
            raise AssertionError(f"reading {size} bytes takes more than {limit} steps")
        return step

    before, had = tracemalloc.get_traced_memory()[0], sys.gettrace()
    tracemalloc.reset_peak()
    sys.settrace(step)
    try:
        yield counted
    finally:
        sys.settrace(had)
        counted["bytes"] = tracemalloc.get_traced_memory()[1] - before


@pytest.mark.filterwarnings("ignore::qchess.playing.replaying.BackendWarning")  # a record may name any backend
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", [each.name for each in FORMATS])
def test_a_changed_file_is_read_or_refused_in_our_words(name: str, count: int, tmp_path: Path) -> None:
    path, rng = EXAMPLES[name](tmp_path), random.Random(f"{name} {count}")
    good, read = path.read_bytes(), READS.get(name, of(name).read)
    read(path)
    refused, foreign, most = 0, list[str](), {"steps": 0, "bytes": 0}
    tracemalloc.start()
    for _ in range(count):
        given = changed(good, rng, tmp_path / "draft")
        for beside in path.parent.glob(f"{path.name}-*"):  # the log of a database that was changed before
            beside.unlink()
        path.write_bytes(given)
        with bounded(len(given)) as counted:
            try:
                read(path)
            except QchessError:
                refused += 1
            except Exception as error:  # noqa: BLE001 (all of them are listed below)
                foreign.append(f"{error!r} from {given[:600]!r}")
        most = {key: max(most[key], counted[key]) for key in most}
    tracemalloc.stop()
    said = f"{name}: {count} changed files, {refused} refused, {len(foreign)} foreign errors, at most {most}"
    sys.stderr.write(said + "\n")
    assert not foreign, "\n".join([f"{len(foreign)} foreign errors", *foreign[:5]])
    assert 0 < refused < count or name in LISTED
    assert most["bytes"] < BYTES, most


def test_each_format_has_an_example() -> None:
    assert set(EXAMPLES) == {each.name for each in FORMATS}


def test_each_mark_of_a_file_in_the_packages_is_of_a_registered_format() -> None:
    marks = {mark for each in FORMATS for mark in each.marks}
    texts = (path.read_text(encoding="utf-8") for path in MODULES.values())
    found = {mark for text in texts for mark in re.findall(r'"(qchess[- ](?:\w+[- ])+\d+)"', text)}
    assert found == marks


def test_what_is_too_much_or_unknown_is_refused_with_its_place_and_its_limit(tmp_path: Path) -> None:
    path = a_tournament(tmp_path)
    head, first, *rest = path.read_text(encoding="utf-8").splitlines()
    for lines, told in (
        (
            [head.replace('"rounds": 3', '"rounds": 999999999'), first, *rest],
            "line 1: .* from 1 to 500000, got 999999999",
        ),
        ([head.replace("{", '{"": 1, ', 1), first, *rest], "line 1: expected the plan .* only the fields .* got ''"),
        ([head, first, first, *rest], "line 3: .* got the number 0 again"),
        ([head, first.replace('"winner": ', '"winner": 3, "x": '), *rest], "line 2: "),
        ([head, first.replace("{", '{"number": 0, ', 1), *rest], "line 2: expected each name once"),
    ):
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        with pytest.raises(InvalidMoveError, match=f"{path.name}, {told}"):
            of("tournament").read(path)


def test_no_file_and_no_folder_are_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    game, away = qchess.new("quantum-chess"), tmp_path / "file" / "game.json"
    with pytest.raises(QchessError, match="nofile"):
        qchess.load("nofile")
    with pytest.raises(QchessError, match=r"game\.json"):
        game.save(away)
    with pytest.raises(QchessError, match=r"no such|cannot"):
        run(Plan("quantum-tic-tac-toe", ("random", "greedy")), tmp_path / "nowhere" / "arena.jsonl")

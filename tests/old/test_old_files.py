"""Old games are read: files that commit 59ca943 wrote mean today what they meant to it, and are played on.

`make_files` shows how the files were made; they are never made anew. ``told.json`` is what that commit said of each.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.arena.plan import Plan
from qchess.arena.resultfile import read
from qchess.arena.standings import standings, table
from qchess.arena.tournament import run
from qchess.playing.keeping import kept
from qchess.playing.replaying import replay, replayed
from tests.old.saying import check_said, move_then
from tests.old.stored import told_of
from tests.web import postgres

DATA = Path(__file__).parent / "data"
#: sentences that are worded anew since then
WORDED = {
    "One knight in two places: it is on a3 (½) and on c3 (½) now.": "The knight is now on a3 (50%) and on c3 (50%).",
    "Asked whether c3 is full: no, 50% likely; the knight was not on c3: nothing was taken; it is on a3 now.": (
        "Is the knight on c3? No, 50% likely. The knight was not on c3, so nothing was taken. It is now on a3."
    ),
}
#: what the older version said of its files
TOLD: dict[str, Any] = json.loads(
    reduce(lambda text, old: text.replace(old, WORDED[old]), WORDED, (DATA / "told.json").read_text(encoding="utf-8"))
)
#: jobs turn by an angle there whose last digit may be another one on another machine, where no such job is found
THIRDS = ("niels-chess", "niels-xiangqi")
#: how that commit made its tables in PostgreSQL
POSTGRES = (
    """CREATE TABLE IF NOT EXISTS games(
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, game TEXT NOT NULL UNIQUE, head TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS rows(
        game TEXT NOT NULL, number INTEGER NOT NULL, client TEXT, entry TEXT NOT NULL,
        PRIMARY KEY (game, number), UNIQUE (game, client))""",
)


def without_additions(told: dict[str, Any]) -> dict[str, Any]:
    """What a server tells, without what it tells since then: what moved, what was taken, a result as a sentence."""
    more = {"history": {"man", "takes"}, "result": {"sentence"}}
    for name in more.keys() & told.keys():
        for part in told[name] if name == "history" else filter(None, [told[name]]):
            for each in more[name]:
                part.pop(each, None)
    return told


def check_same(mine: Any, theirs: Any) -> None:
    """The same JSON values; numbers may differ by 1e-9."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        assert mine.keys() == theirs.keys()
        for key, value in mine.items():
            check_same(value, theirs[key])
    elif isinstance(mine, list) and isinstance(theirs, list):
        for one, other in zip(mine, theirs, strict=True):
            check_same(one, other)
    else:
        assert mine == (pytest.approx(theirs, abs=1e-9) if isinstance(theirs, float) else theirs)


def values(game: qchess.Game) -> dict[str, Any]:
    """A game's record as JSON values."""
    return recorded(game.record().to_json())


def recorded(text: str) -> dict[str, Any]:
    """A record as JSON values, but for what whoever writes it says of itself."""
    return {key: value for key, value in json.loads(text).items() if key not in ("versions", "tags")}


def copied(where: str, to: Path) -> Path:
    """A copy of an old file: the file itself is never written."""
    return Path(shutil.copy(DATA / where, to))


def check_saved(game: qchess.Game, path: Path) -> None:
    """A game is saved over its old file, and is the same when it is read from there."""
    game.save(path)
    check_same(values(qchess.load(path)), values(game))


@pytest.mark.parametrize("name", TOLD["first"])
def test_a_record_of_the_first_format_is_read_and_played_on(name: str, tmp_path: Path) -> None:
    path = copied(f"first/{name}.json", tmp_path)
    game, old = qchess.load(path), json.loads(path.read_text(encoding="utf-8"))
    check_said(game, TOLD["first"][name]["said"])
    check_same(values(game)["entries"], [{**entry, "answers": answered(entry)} for entry in old["entries"]])
    if not game.result:
        game.play(game.moves()[0])
    check_saved(game, path)


def answered(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of a turn as the second format has them: with what was told of them besides."""
    return [{**answer, "details": answer.get("details", {})} for answer in entry["answers"]]


@pytest.mark.parametrize("name", TOLD["records"])
def test_a_record_is_read_and_goes_on_with_the_same_dice(name: str, tmp_path: Path) -> None:
    path, told = copied(f"records/{name}.json", tmp_path), TOLD["records"][name]
    game = qchess.load(path)
    check_said(game, told["said"])
    check_same(values(game), recorded(path.read_text(encoding="utf-8")))
    for move in told["on"]:
        game.play(move)
    check_said(game, told["then"])
    check_saved(game, path)


@pytest.mark.parametrize("name", TOLD["records"])
def test_an_answer_stands_although_its_move_was_taken_back(name: str) -> None:
    told = TOLD["records"][name]
    text = (DATA / "records" / f"{name}.json").read_text(encoding="utf-8")
    move, played = told["again"]
    assert replay(text, seed=told["other_seed"]).play(move).text == played
    bare = json.dumps({**json.loads(text), "standing": {}})
    assert replay(bare, seed=told["other_seed"]).play(move).text != played, "these dice would answer otherwise"


@pytest.mark.parametrize("name", TOLD["ended"])
def test_a_game_that_has_ended_is_over(name: str, tmp_path: Path) -> None:
    path = copied(f"records/{name}-ended.json", tmp_path)
    game = qchess.load(path)
    check_said(game, TOLD["ended"][name]["said"])
    check_same(values(game), recorded(path.read_text(encoding="utf-8")))
    with pytest.raises(qchess.IllegalMoveError, match="the game is over"):
        game.play(game.history[0].move)
    check_saved(game, path)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder in which games and jobs were kept."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    return Path(shutil.copytree(DATA / "state", tmp_path / "state"))


def test_the_kept_games_are_found(state: Path) -> None:
    assert {path.name for path in kept()} == {f"2026-11-25_120000_{name}_1.json" for name in TOLD["waiting"]}


@pytest.mark.parametrize("name", TOLD["waiting"])
def test_a_game_that_waits_collects_the_job_that_was_paid(name: str, state: Path) -> None:
    path, told = state / "games" / f"2026-11-25_120000_{name}_1.json", TOLD["waiting"][name]
    game = qchess.load(path)
    assert str(game.pending) == told["pending"]
    check_said(game, told["said"])
    check_same(values(game), recorded(path.read_text(encoding="utf-8")))
    if name not in THIRDS:
        before = [file.read_text(encoding="utf-8") for file in sorted((state / "jobs").rglob("*.*"))]
        assert move_then(game.wait()) == told["answered"]
        assert [file.read_text(encoding="utf-8") for file in sorted((state / "jobs").rglob("*.*"))] == before
    check_saved(game, path)


@contextmanager
def old_database() -> Iterator[str]:
    """A database of PostgreSQL as that commit made it, with the same rows as the file."""
    with postgres.database() as where:
        with postgres.asked(where) as line, closing(sqlite3.connect(DATA / "web.sqlite")) as file:
            for statement in POSTGRES:
                line.run(statement)
            for head in file.execute("SELECT game, head FROM games ORDER BY number"):
                line.run("INSERT INTO games(game, head) VALUES (:v0, :v1)", **{f"v{k}": v for k, v in enumerate(head)})
            for row in file.execute("SELECT game, number, client, entry FROM rows ORDER BY game, number"):
                values = {f"v{k}": value for k, value in enumerate(row)}
                line.run("INSERT INTO rows(game, number, client, entry) VALUES (:v0, :v1, :v2, :v3)", **values)
        yield where
        with postgres.asked(where) as line:
            assert line.run("SELECT version FROM qchess_store") == [[2]]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_store_of_the_web_server_is_read_and_written_on(kind: str, state: Path, tmp_path: Path) -> None:
    told = TOLD["store"]
    with old_database() if kind == "postgres" else nullcontext(str(copied("web.sqlite", tmp_path))) as where:
        now = json.loads(json.dumps(told_of(where, told["names"])))
    assert {"names", *now} == set(told)
    for which in now:
        assert without_additions(now[which]) == told[which], which


def test_a_tournament_goes_on_and_its_games_are_told_again(tmp_path: Path) -> None:
    path, told = copied("arena.jsonl", tmp_path), TOLD["arena"]
    plan, lines = read(path)
    assert [[line.winner, line.reason, line.plies] for line in lines] == told["games"]
    shown = table(standings(plan.players, lines)).splitlines()
    assert [line.split() for line in shown] == [line.split() for line in told["table"]]
    for line in lines:
        game = replayed(plan.rules(), line.moves.split())
        assert game.result is not None
        assert [game.result.reason, len(game.history)] == [line.reason, line.plies]
    assert isinstance(plan, Plan)
    assert run(plan, path).lines[: len(lines)] == lines
    assert len(read(path)[1]) == len(list(plan.fixtures())) > len(lines)

"""How the files in ``data`` were made. They were written by commit 59ca943 and must not be made anew.

They stand for the games that people have: whatever the code becomes, it reads them as that commit did. This script is
kept to show what is in them. It was run by hand, in checkouts of two commits:

    git checkout f90921a && python -m tests.old.make_files first    # the last commit that wrote qchess-record-1
    git checkout 59ca943 && python -m tests.old.make_files          # all the rest, and what it said of each file

Chance is seeded, secrets and times are fixed, nothing names a place or a machine.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import qchess

DATA = Path(__file__).parent / "data"
GAMES: dict[str, dict[str, Any]] = {
    "quantum-chess": {"profile": "sdk-0.2.2"},
    "piece-qubit-chess": {"profile": "code"},
    "quantum-checkers": {},
    "niels-chess": {},
    "niels-xiangqi": {},
    "quantum-tic-tac-toe": {},
}
#: half a knight takes a pawn: one open question
KNIGHT, KNIGHTS_LINE = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1", ("b1^a3c3", "e8-e7")
NOW = 1_700_000_000.0
QUEUED = "queued:sparse-shots"


def chosen(game: qchess.Game, rng: random.Random) -> str:
    """A random move, a split often."""
    texts = game.moves()
    splits = [text for text in texts if "^" in text]
    return rng.choice(splits if splits and rng.random() < 0.5 else texts)


def asking(game: qchess.Game) -> str | None:
    """A move whose answer is open."""
    return next((text for text in game.moves() if len(game.chances(text)) > 1), None)


def played(name: str, seed: int, plies: int, **options: Any) -> tuple[qchess.Game, random.Random]:
    """A random game of so many plies, or to its end."""
    game, rng = qchess.new(name, seed=seed, **options), random.Random(seed)
    while len(game.history) < plies and not game.result:
        game.play(chosen(game, rng))
    return game, rng


def open_answers(game: qchess.Game) -> int:
    """How many answers of a game were open."""
    return sum(0.01 < answer.probability < 0.99 for entry in game.history for answer in entry.answers)


# -- the first format ---------------------------------------------------------------------------------------


def first() -> None:
    """Three records of the first format."""
    ended = qchess.new("quantum-chess", seed=3, fen="4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    for text in ("e1-g1", "e8-d7", "a7-a8R", "d7-d6"):
        ended.play(text)
    ended.resign()
    chess = next(game for seed in itertools.count(1) if open_answers(game := played("quantum-chess", seed, 14)[0]))
    pieces = next(game for seed in itertools.count(1) if open_answers(game := played("piece-qubit-chess", seed, 14)[0]))
    for name, game in (("quantum-chess", chess), ("quantum-chess-ended", ended), ("piece-qubit-chess", pieces)):
        write(DATA / "first" / f"{name}.json", game.record(event="an old game").to_json())


def write(path: Path, text: str) -> None:
    """Writes a file and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# -- records ------------------------------------------------------------------------------------------------


def going_on(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """A game with answers whose last move was taken back; what is told of it, and of how it goes on."""
    from qchess.playing.record import Record
    from qchess.playing.replaying import replay

    for seed in itertools.count(1):
        game, rng = played(name, seed, 8 if name == "quantum-tic-tac-toe" else 12, **options)
        while not game.result and asking(game) is None and len(game.history) < 20:
            game.play(chosen(game, rng))
        if game.result or (text := asking(game)) is None or not open_answers(game):
            continue
        again = game.play(text).text
        game.undo()
        game.players.update(dict.fromkeys(game.rules.players, "human") | {game.rules.players[1]: "greedy:width=5"})
        record = game.record(event="an old game")
        bare = Record.from_json(json.dumps({**json.loads(record.to_json()), "standing": {}}))
        # dice that would answer otherwise, if the answer did not stand
        other = next((seed for seed in range(20) if replay(bare, seed=seed).play(text).text != again), None)
        if other is None:
            continue
        write(DATA / "records" / f"{name}.json", record.to_json())
        told: dict[str, Any] = {"said": said(game), "again": [text, again], "other_seed": other, "on": []}
        for move in [text, None, None, None]:
            if not game.result:
                told["on"].append(move or chosen(game, rng))
                game.play(told["on"][-1])
        return {**told, "then": said(game)}
    raise AssertionError("one of the seeds is found")


def ended(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """A short game that has ended: by a rule, by giving up, or by agreement."""
    from qchess.rules import Result

    game, _ = played(name, 1, 10, **options)
    if not game.result:
        _ = game.end(Result(None, "agreement")) if len(name) % 2 else game.resign()
    write(DATA / "records" / f"{name}-ended.json", game.record().to_json())
    return {"said": said(game)}


def said(game: qchess.Game) -> dict[str, Any]:
    """What is said of a game."""
    from tests.old import saying

    return saying.said(game)


# -- a kept folder, with games that wait and their jobs -----------------------------------------------------


def waiting(name: str, options: dict[str, Any], state: Path) -> dict[str, Any]:
    """A game that waits for a device, kept as the terminal does; its job is done, and nobody has collected it."""
    from qchess.playing.keeping import Keeper

    lines: Any = (
        (game, text)
        for seed in itertools.count(1)
        for plies in range(3, 9)
        if (text := asking(game := played(name, seed, plies, **options)[0])) is not None
    )
    if name == "quantum-chess":
        options, line, text = {"fen": KNIGHT}, list(KNIGHTS_LINE), "c3-d5"
    else:
        found, text = next(lines)
        line = [entry.text for entry in found.history]
    game = qchess.new(name, backend=QUEUED, seed="an old game", **options)
    path = state / "games" / f"2026-11-25_120000_{name}_1.json"
    with Keeper(game, path):
        for move in line:
            game.play(move)
        game.begin(text)
    told = {"said": said(game), "pending": str(game.pending)}
    return {**told, "answered": str(game.wait())}


def jobs(state: Path, kept: Path) -> None:
    """Keeps games and finished jobs, their times fixed."""
    for path in sorted(state.rglob("*.json")):
        while path.name == "order.json" and not (path.parent / "result.json").exists():
            time.sleep(0.05)
    for path in sorted(path for path in state.rglob("*") if path.is_file() and path.name[0] not in "l."):
        text = path.read_text(encoding="utf-8")
        if path.name == "order.json":
            text = json.dumps({**json.loads(text), "due": NOW})
        write(kept / path.relative_to(state), f"{NOW}\n" if path.name == "paid" else text)


# -- a store of the web server --------------------------------------------------------------------------------


class Secrets:
    """Names and secrets in order, in place of random ones."""

    def __init__(self) -> None:
        self.given = itertools.count(1)

    def word(self, letter: str = "s") -> str:
        return letter * 10 + f"{next(self.given):02}"

    def seat(self) -> tuple[str, str]:
        from qchess.web.seats import hashed

        secret = self.word()
        return secret, hashed(secret)


async def stored(path: Path) -> dict[str, Any]:
    """Two tables of people and one of a device, and a study; the names and secrets of all."""
    from qchess.web import acts, turns
    from qchess.web.hall import Hall
    from qchess.web.settings import Settings
    from qchess.web.store import opened
    from qchess.web.studies.routes import Studies
    from qchess.web.studies.sharing import study_values
    from qchess.web.tablerequest import TableRequest

    settings = Settings(backends=())
    hall = Hall(settings, opened(str(path)))
    clock = {"kind": "fischer", "seconds": 300, "extra": 5}
    order = {"game": "quantum-chess", "options": {"fen": KNIGHT}, "clock": clock, "name": "An old table"}
    table, keys = await hall.open(TableRequest.of(order, settings))
    for number, text in enumerate((*KNIGHTS_LINE, "c3-d5")):
        await turns.play(table, table.player, f"m{number}", table.ply, text)
    await table.keep({"kind": "name", "player": "white", "name": "Ada"})
    await acts.act(table, "white", "a1", "ask-takeback")
    await acts.act(table, "black", "a2", "accept-takeback")
    await turns.play(table, table.player, "m3", table.ply, "e1-e2")
    await acts.act(table, "black", "a3", "resign")
    for player in ("white", "black"):
        await acts.act(table, player, "a4", "rematch")
    again = hall.tables[str(table.offers.next)]
    for number, text in enumerate(KNIGHTS_LINE):
        await turns.play(again, again.player, f"m{number}", again.ply, text)
    queued, _ = await hall.open(TableRequest.of({**order, "backend": QUEUED, "clock": None}, settings))
    for number, text in enumerate(KNIGHTS_LINE):
        await turns.play(queued, queued.player, f"m{number}", queued.ply, text)
    await turns.play(queued, queued.player, "m2", queued.ply, "c3-d5")
    while not queued.rows[-1].entry.get("ticket"):
        await asyncio.sleep(0.01)
    nodes = [{}, {"parent": 0, "text": "b1^a3c3", "by": "white"}, {"parent": 1, "text": "e8-e7", "by": "black"},
             {"parent": 2, "text": "c3-d5.m1", "by": "white", "answers": {"hit": 1}, "set": True, "likely": 0.5,
              "comment": "It was there.", "arrows": [{"start": "c3", "end": "d5", "kind": "move"}]}]  # fmt: skip
    study = {"title": "An old study", "game": "quantum-chess", "options": {"fen": KNIGHT}, "nodes": nodes[:3]}
    shared = Studies(hall).kept
    name, key = await shared.begin(study_values(study))
    await shared.change(name, key, study_values({**study, "nodes": nodes}))
    await hall.close()
    return {"table": table.name, "again": again.name, "queued": queued.name, "study": name, "key": key, "seats": keys}


def store(path: Path, state: Path) -> dict[str, Any]:
    """The store, with names, secrets and times fixed; what is told of its games."""
    from qchess.web import acts, clocks, hall, happening, seats, seeds, tables, turns
    from qchess.web.studies import sharing
    from tests.old.stored import told_of

    secrets = Secrets()
    still = SimpleNamespace(
        time=lambda: NOW, monotonic=lambda: 1000.0, thread_time=time.thread_time, perf_counter=time.perf_counter
    )
    with (
        patch.object(seeds, "fresh", lambda: secrets.word("d")), patch.object(seats, "fresh", secrets.seat),
        patch.object(seats, "table_name", lambda: secrets.word("t")), patch.object(sharing, "fresh", secrets.seat),
        patch.object(sharing, "table_name", lambda: secrets.word("t")),
    ):  # fmt: skip
        for module in (acts, clocks, happening, hall, tables, turns, sharing):
            if hasattr(module, "time"):
                vars(module)["time"] = still  # this process ends when the files are made
        names = asyncio.run(stored(path))
    jobs(state, DATA / "state")
    copy = state / path.name
    copy.write_bytes(path.read_bytes())
    return {"names": names, **told_of(str(copy), names)}


# -- a journal of the arena ----------------------------------------------------------------------------------


def arena(path: Path) -> dict[str, Any]:
    """A tournament that was killed in its fifth game, while it wrote."""
    from qchess.arena.plan import Plan
    from qchess.arena.resultfile import read
    from qchess.arena.standings import standings, table
    from qchess.arena.tournament import run

    plan = Plan("quantum-tic-tac-toe", ("random", "greedy:width=5"), rounds=3, seed=7, random_plies=1)
    run(plan, path)
    head, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([head, *lines[:4], lines[4][:40]]), encoding="utf-8")
    _, kept = read(path)
    return {"games": [[line.winner, line.reason, line.plies] for line in kept],
            "table": table(standings(plan.players, kept)).splitlines()}  # fmt: skip


def main() -> None:
    """Writes all files but those of the first format, and what is said of all."""
    from qchess.playing.replaying import load

    told: dict[str, Any] = {"first": {path.stem: {"said": said(load(path))} for path in (DATA / "first").iterdir()}}
    told["records"] = {name: going_on(name, options) for name, options in GAMES.items()}
    told["ended"] = {name: ended(name, options) for name, options in GAMES.items()}
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        os.environ["QCHESS_STATE"] = folder
        told["waiting"] = {name: waiting(name, options, state) for name, options in GAMES.items()}
        jobs(state, DATA / "state")
        told["store"] = store(DATA / "web.sqlite", state)
    told["arena"] = arena(DATA / "arena.jsonl")
    lines = [f"{json.dumps(kind)}: {json.dumps(what, ensure_ascii=False)}" for kind, what in told.items()]
    write(DATA / "told.json", "{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    first() if sys.argv[1:] == ["first"] else main()

"""Stored tables with something changed in a row or the head: each is shown as it was, or told to be damaged."""

from __future__ import annotations

import json
import logging
import os
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from qchess.errors import InvalidMoveError
from qchess.web.limits import DOORS
from qchess.web.serving import Serving
from qchess.web.store import Kept, Row
from qchess.web.store.rows import require_row, require_table
from tests.fuzz import mutating
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, asked, opened

COUNTS = [20, pytest.param(int(os.environ.get("QCHESS_FILES", "300")), marks=pytest.mark.long)]
PLAYERS = ("white", "black")
#: what the server says of a table that is damaged, or that names what is not here; nothing of a worker that failed
REFUSED = re.compile("damaged|there is no|no game is called|no backend is called|does not offer")


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"kind": "undo", "plies": 0}, "row 1: expected 'plies' to be an integer from 1"),
        ({"kind": "end", "winner": "red", "reason": "time"}, "row 1: expected 'winner' to be one of white, black"),
        ({"kind": "end", "winner": None, "reason": 3}, "row 1: expected 'reason' to be a text"),
        ({"kind": "offer", "offers": {"peace": "white"}}, "row 1: expected 'offers' to have only the fields draw"),
        ({"kind": "offer", "offers": {"rematch": "white"}}, "row 1: expected 'rematch' to be a list"),
        ({"kind": "next"}, "row 1: expected a row 'next' to have 'game'"),
        ({"kind": "end", "reason": "time"}, "row 1: expected a row 'end' to have 'winner'"),
        ({"kind": "name", "player": "red", "name": "Ann"}, "row 1: expected 'player' to be one of white, black"),
        ({"kind": "nonce", "player": "white", "words": 3}, "row 1: expected 'words' to be a text"),
        ({"kind": "waiting", "by": "white", "at": "now"}, "row 1: expected 'at' to be a number"),
        ({"kind": "move", "player": "white"}, "row 1: expected the 'move' of a turn"),
        ({"kind": "later", "clocks": {"white": "much"}}, "row 1: expected the time of white to be a number"),
    ],
)
def test_a_field_that_cannot_be_is_named_with_its_row(entry: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidMoveError, match=f"^{told}"):
        require_row(Row(1, None, entry), PLAYERS)


@pytest.mark.parametrize("name", ["game", "options", "backend", "shown", "seed", "seats", "clock"])
def test_a_field_that_a_head_needs_is_named(name: str) -> None:
    texts = dict.fromkeys(("game", "backend", "shown", "seed"), "x")
    head = {**texts, "options": {}, "seats": {"white": {"who": "human", "key": "k"}}, "clock": None}
    require_table(Kept(head, ()))
    del head[name]
    with pytest.raises(InvalidMoveError, match=f"'{name}'"):
        require_table(Kept(head, ()))


def test_a_kind_of_a_newer_server_may_hold_anything() -> None:
    require_row(Row(1, None, {"kind": "later", "plies": "many"}), PLAYERS)


async def played(url: str) -> str:
    """A table at which much has happened; its name."""
    table = opened(url, clock={"kind": "fischer", "seconds": 600, "extra": 2})
    name, seats = str(table["game"]), table["seats"]
    async with Player(url, name, seats["white"], name="Ann") as white, Player(url, name, seats["black"]) as black:
        await white.send({"kind": "nonce", "id": "n1", "words": "7 geese"})
        await white.move("b1^a3c3")
        await black.until_ply(1)
        await black.move("d7-d5")
        await white.until_ply(2)
        await black.act("ask-takeback")
        await white.until("offer")
        await white.act("accept-takeback")
        await black.until("state")
        await black.move("d7-d5")
        await white.until_ply(2)
        await white.move("c3-d5")
        await black.until_ply(3)
        await black.act("resign")
        await black.until("state")
    return name


def copied(path: Path, name: str, count: int, rng: random.Random) -> list[str]:
    """Copies a table under new names, each with one change in its head or in a row; the names."""
    with closing(sqlite3.connect(path)) as file, file:
        head = file.execute("SELECT head FROM games WHERE game = ?", (name,)).fetchone()[0]
        rows = file.execute("SELECT number, client, entry FROM rows WHERE game = ? ORDER BY 1", (name,)).fetchall()
        for k in range(count):
            texts = [head, *(entry for _, _, entry in rows)]
            at = rng.randrange(len(texts))
            texts[at] = mutating.lines(texts[at].encode(), rng).decode("utf-8", "replace")
            file.execute("INSERT INTO games(game, head) VALUES (?, ?)", (f"copy{k}", texts[0]))
            for (number, client, _), entry in zip(rows, texts[1:], strict=True):
                file.execute("INSERT INTO rows VALUES (?, ?, ?, ?)", (f"copy{k}", number, client, entry))
    return [f"copy{k}" for k in range(count)]


@pytest.mark.parametrize("count", COUNTS)
def test_a_changed_table_is_shown_or_told_to_be_damaged(
    count: int, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for door, (_, _, what) in DOORS.items():  # one address asks for every table
        monkeypatch.setitem(DOORS, door, (1e9, 10**9, what))
    path = tmp_path / "games.sqlite"
    with Serving(PATIENT, store=str(path)) as server:
        name = apart(played(server.url))
    with closing(sqlite3.connect(path)) as file:
        kinds = {json.loads(entry)["kind"] for (entry,) in file.execute("SELECT entry FROM rows")}
    assert kinds == {"move", "nonce", "offer", "undo", "end", "name"}
    names, found = copied(path, name, count, random.Random(count)), dict.fromkeys((200, 400, 404, 503), 0)
    with caplog.at_level(logging.ERROR), Serving(PATIENT, store=str(path)) as server:
        for each in names:
            status, body = asked(f"{server.url}/api/tables/{each}/record.json")
            found[status] += 1
            assert status == 200 or REFUSED.search(json.loads(body)["error"]), body
    assert found[200]
    assert found[503]
    assert not [record for record in caplog.records if record.exc_info], "a foreign error"

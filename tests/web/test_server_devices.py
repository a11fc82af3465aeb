"""Games whose answers come from shots and queues: they wait, nobody else does, and a closed page loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.web.serving import Serving
from tests.patience import wait_until
from tests.web.late import APART, GATE, TOMORROW, end_workers, let_through
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, moves, opened, record

#: a knight in two places, and a queen that asks for one of them
MEETING = {"fen": "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1"}
OPEN = replace(PATIENT, agents=(), backends=(), plugins=("tests.web.late",), collect=(0.1, 0.5))


async def _until_meeting(url: str, table: dict[str, Any]) -> tuple[Player, Player]:
    """Both players, after the moves that ask nothing: it is white's turn, and e4-d6 will ask."""
    white, black = (Player(url, table["game"], table["seats"][who]) for who in ("white", "black"))
    await white.connect()
    await black.connect()
    assert (await white.move("c3^a4e4"))["kind"] == "moved"
    await black.until_ply(1)
    assert (await black.move("d5-d6"))["kind"] == "moved"
    await white.until_ply(2)
    return white, black


@pytest.mark.slow
def test_a_game_on_a_device_tells_where_each_answer_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = tmp_path / "gate"
    monkeypatch.setenv(GATE, str(gate))
    with Serving(OPEN) as server:
        table, other = opened(server.url, options=MEETING, backend=APART), opened(server.url, "quantum-checkers")

        async def played() -> dict[str, Any]:
            white, black = await _until_meeting(server.url, table)
            gate.touch()
            await white.send(white.new_move("e4-d6"))
            await black.until("waiting")
            assert len(await moves(server.url, other, 10)) == 10  # nobody else waits for the shots
            gate.unlink()
            await white.until("moved")
            await black.until_ply(3)
            await white.leave()
            await black.leave()
            assert white.answer is not None
            return white.answer

        answer = apart(played())
        (told,) = answer["provenance"]
        assert told["source"] == f"device {APART}"
        assert told["probability"] == 0.5
        assert told["details"]["returned"] > 0
        assert qchess.replay(record(server.url, table["game"])).history[-1].text == answer["text"]


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the jobs of a queue lie."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    yield tmp_path / "state" / "jobs"
    end_workers(tmp_path / "state" / "jobs")


@pytest.mark.slow
def test_a_game_whose_device_answers_late_goes_on_although_page_and_server_were_closed(
    tmp_path: Path, jobs: Path
) -> None:
    store = str(tmp_path / "games.sqlite")
    with Serving(OPEN, store=store) as server:
        table = opened(server.url, options=MEETING, backend=TOMORROW)
        apart(_begun(server.url, table))
    with Serving(OPEN, store=store) as server:  # also the server was away meanwhile
        answer = apart(_answered(server.url, table, jobs))
        (told,) = answer["provenance"]
        assert told["probability"] == 0.5
        assert "sparse-shots" in told["source"]
        kept = server.hall.keeping.store.read(table["game"])
        assert kept is not None
        tickets = [row.entry["ticket"] for row in kept.rows if row.entry["kind"] == "waiting"]
        assert tickets[0] is None  # that it would be asked was kept before it was
        assert len({ticket["key"] for ticket in tickets[1:]}) == 1


async def _begun(url: str, table: dict[str, Any]) -> None:
    """A move that waits for its answer; the page is closed as soon as it does."""
    white, black = await _until_meeting(url, table)
    await white.send(white.new_move("e4-d6"))
    waiting = await white.until("waiting")
    assert waiting["text"] == "e4-d6"
    await black.until("waiting")
    refusal = await black.move("e8-e7")
    assert refusal["kind"] == "refused"
    white.cut()
    async with Player(url, table["game"], white.seat) as again:
        assert again.state["pending"]["text"] == "e4-d6"
        assert again.state["moves"] == []
        assert len(await moves(url, opened(url, "quantum-checkers"), 1)) == 1
    await black.leave()


async def _answered(url: str, table: dict[str, Any], jobs: Path) -> dict[str, Any]:
    """What a page is told that comes back before the answer."""
    async with Player(url, table["game"], table["seats"]["white"]) as white:
        assert white.state["pending"]["text"] == "e4-d6"
        wait_until(lambda: any(jobs.glob("*/order.json")), "the question is a job")
        let_through(jobs)
        await white.until_ply(3)
        return white.history[-1]

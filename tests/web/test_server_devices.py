"""Games whose answers come from shots and queues: they wait, nobody else does, and a closed page loses nothing."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.web.serving import Serving
from qchess.web.settings import Settings
from tests.web.player import Player, apart, opened, record

#: a knight in two places, and a queen that asks for one of them
MEETING = {"fen": "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1"}
#: how long a job of the queue takes, in seconds; the figures of a release are for a minute
SECONDS = float(os.environ.get("QCHESS_QUEUE_SECONDS", "2"))
OPEN = Settings(agents=(), backends=(), messages=(1000.0, 1000), collect=(0.1, 0.5))


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


async def _quick_moves(url: str, stop: asyncio.Event) -> list[float]:
    """How long moves of another game take meanwhile."""
    table = opened(url, "quantum-checkers", preset="plain")
    players = {who: Player(url, table["game"], secret) for who, secret in table["seats"].items()}
    for player in players.values():
        await player.connect()
    seconds: list[float] = []
    while not stop.is_set():
        mover = players[players["white"].state["player"]]
        if not mover.state["moves"]:
            break
        start = time.perf_counter()
        await mover.move(mover.state["moves"][0]["text"])
        seconds.append(time.perf_counter() - start)
        for player in players.values():
            await player.until_ply(len(seconds))
        await asyncio.sleep(0.1)
    for player in players.values():
        await player.leave()
    return seconds


@pytest.mark.slow
def test_a_game_on_a_noisy_device_tells_where_each_answer_came_from() -> None:
    with Serving(OPEN) as server:
        table = opened(server.url, options=MEETING, backend="aer-noisy")

        async def played() -> tuple[dict[str, Any], list[float]]:
            white, black = await _until_meeting(server.url, table)
            stop = asyncio.Event()
            others = asyncio.create_task(_quick_moves(server.url, stop))
            answer = await white.move("e4-d6")
            stop.set()
            await black.until_ply(3)
            assert any(message["kind"] == "waiting" for message in black.heard)
            await white.leave()
            await black.leave()
            return answer, await others

        answer, seconds = apart(played())
        assert answer["kind"] == "moved", answer
        (told,) = answer["provenance"]
        assert told["source"] == "device aer-noisy"
        assert told["probability"] == 0.5
        assert told["details"]["returned"] > 0
        assert sorted(seconds)[len(seconds) // 2] < 0.5  # nobody else waited for the shots
        assert qchess.replay(record(server.url, table["game"])).history[-1].text == answer["text"]


@pytest.mark.slow
def test_a_game_whose_device_answers_late_goes_on_although_page_and_server_were_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    store = str(tmp_path / "games.sqlite")
    with Serving(OPEN, store=store) as server:
        table = opened(server.url, options=MEETING, backend=f"queued:{SECONDS:g}:sparse-shots")
        asked_at = apart(_begun(server.url, table))
    with Serving(OPEN, store=store) as server:  # also the server was away meanwhile
        answer = apart(_answered(server.url, table))
        assert time.time() - asked_at >= SECONDS - 0.5
        (told,) = answer["provenance"]
        assert told["probability"] == 0.5
        assert "sparse-shots" in told["source"]
        kept = server.hall.keeping.store.read(table["game"])
        assert kept is not None
        tickets = [row.entry["ticket"] for row in kept.rows if row.entry["kind"] == "waiting"]
        assert tickets[0] is None  # that it would be asked was kept before it was
        assert len({ticket["key"] for ticket in tickets[1:]}) == 1


async def _begun(url: str, table: dict[str, Any]) -> float:
    """A move that waits for its answer; the page is closed as soon as it does."""
    white, black = await _until_meeting(url, table)
    await white.send(white.new_move("e4-d6"))
    waiting = await white.until("waiting")
    asked_at = time.time()
    assert waiting["text"] == "e4-d6"
    await black.until("waiting")
    refusal = await black.move("e8-e7")
    assert refusal["kind"] == "refused"
    white.cut()
    async with Player(url, table["game"], white.seat) as again:
        assert again.state["pending"]["text"] == "e4-d6"
        assert again.state["moves"] == []
        start = time.perf_counter()
        other = opened(url, "quantum-checkers")
        async with Player(url, other["game"], other["seats"]["white"]) as elsewhere:
            await elsewhere.move(elsewhere.state["moves"][0]["text"])
        assert time.perf_counter() - start < max(1.0, SECONDS)
    await black.leave()
    return asked_at


async def _answered(url: str, table: dict[str, Any]) -> dict[str, Any]:
    """What a page is told that comes back."""
    async with Player(url, table["game"], table["seats"]["white"]) as white:
        while white.state["ply"] < 3:
            await white.hear()
        return white.history[-1]

"""What somebody may try: each attempt is refused and logged, and nobody else is slower for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from qchess.web.serving import Serving, ServingError
from tests.patience import PATIENCE, wait_until
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, asked, moves, opened, record
from tests.web.test_server_deaf import deaf_client, shouting

FOREIGN = ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"]


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with Serving(PATIENT) as started:
        yield started


def address(server: Serving) -> str:
    return server.url.replace("http", "ws", 1) + "/ws"


async def closed_with(server: Serving, *messages: str | bytes, **how: Any) -> int | None:
    """With which code the server closes a socket on which this is sent."""
    async with connect(address(server), compression=None, max_size=None, proxy=None, **how) as socket_:
        try:
            for message in messages:
                await socket_.send(message)
            async with asyncio.timeout(PATIENCE):
                async for _ in socket_:
                    pass
        except ConnectionClosed:
            pass
        return socket_.close_code


# -- who may ask ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_page_opens_no_socket_and_no_table(server: Serving, origin: str) -> None:
    async def tried() -> None:
        async with connect(address(server), origin=origin, proxy=None):  # type: ignore[arg-type]
            pass

    with pytest.raises(InvalidStatus) as refused:
        apart(tried())
    assert refused.value.response.status_code == 403
    assert asked(f"{server.url}/api/tables", {"game": "quantum-chess"}, {"origin": origin})[0] == 403


def test_our_own_page_may_ask(server: Serving) -> None:
    assert asked(f"{server.url}/api/tables", {"game": "quantum-chess"}, {"origin": server.url})[0] == 201


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_name_that_was_made_to_point_here_is_refused(server: Serving, host: str) -> None:
    assert asked(f"{server.url}/api/games", headers={"host": host})[0] in (400, 403)


def test_two_hosts_in_one_request_are_refused(server: Serving) -> None:
    port = server.port
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n".encode())
        assert line.recv(100).split()[1] in (b"400", b"403")


def test_a_page_that_sends_a_form_opens_no_table(server: Serving) -> None:
    body = json.dumps({"game": "quantum-chess"}).encode()
    assert asked(f"{server.url}/api/tables", body, {"content-type": "text/plain"})[0] == 415


def test_whoever_serves_to_others_must_say_under_which_name() -> None:
    with pytest.raises(ServingError, match="--origin"):
        Serving(bind="::")


def test_every_answer_tells_the_browser_to_be_careful(server: Serving) -> None:
    import urllib.request

    with urllib.request.urlopen(f"{server.url}/health") as answer:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "script" not in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fgame.py", "/play.py"]
)
def test_only_the_pages_files_are_served(server: Serving, path: str) -> None:
    port = server.port
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        assert line.recv(100).split()[1] in (b"404", b"400")


# -- what may be said -------------------------------------------------------------------------------------------


def test_an_outcome_that_is_forged_is_dropped_and_logged(server: Serving, caplog: pytest.LogCaptureFixture) -> None:
    table = opened(server.url, options={"fen": "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1"})

    async def forged() -> list[str]:
        async with (
            Player(server.url, table["game"], table["seats"]["white"]) as white,
            Player(server.url, table["game"], table["seats"]["black"]) as black,
        ):
            await white.move("c3^a4e4")
            await black.until_ply(1)
            sent = black.new_move("d5-a5")
            await black.send({**sent, "outcome": {"hit": 1}, "probability": 1, "view": {}, "by": "white"})
            await black.until("moved")
            return [entry["by"] for entry in black.history]

    with caplog.at_level(logging.WARNING):
        assert apart(forged()) == ["white", "black"]
    assert "dropped" in caplog.text
    assert "outcome" in caplog.text


def test_an_answer_written_into_a_move_is_refused(server: Serving) -> None:
    table = opened(server.url, options={"fen": "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1"})

    async def told() -> dict[str, Any]:
        async with Player(server.url, table["game"], table["seats"]["white"]) as white:
            return await white.move("c3-d5.m1")

    refusal = apart(told())
    assert refusal["kind"] == "refused"
    assert "without its answers" in refusal["why"]


def test_nobody_sits_on_anothers_seat(server: Serving) -> None:
    table, other = opened(server.url), opened(server.url)

    async def tried(seat: str) -> int | None:
        hello = {"kind": "hello", "game": table["game"], "seat": seat}
        return await closed_with(server, json.dumps(hello))

    wrong = ["", "x", table["seats"]["white"][:-1], other["seats"]["white"], "0" * 64]
    assert [apart(tried(seat)) for seat in wrong] == [1008] * len(wrong)

    async def moved_for_white() -> dict[str, Any]:
        async with Player(server.url, table["game"], table["seats"]["black"]) as black:
            return await black.move("b1^a3c3")

    async def moved_as_watcher() -> dict[str, Any]:
        async with Player(server.url, table["game"]) as watcher:
            return await watcher.move("b1^a3c3")

    assert "white's turn" in apart(moved_for_white())["why"]
    assert "spectators cannot play" in apart(moved_as_watcher())["why"]


def test_a_secret_is_kept_hashed_and_told_to_nobody_else(server: Serving) -> None:
    table = opened(server.url)
    kept = server.hall.keeping.store.read(table["game"])
    assert kept is not None
    for secret in table["seats"].values():
        assert secret not in json.dumps(kept.head)
        assert secret not in record(server.url, table["game"])

    async def states() -> list[dict[str, Any]]:
        async with Player(server.url, table["game"]) as watcher:
            return watcher.heard

    text = json.dumps(apart(states()))
    assert not any(secret in text for secret in table["seats"].values())
    assert kept.head["seed"] not in text


def test_a_known_name_of_a_move_answers_and_plays_nothing(server: Serving) -> None:
    table = opened(server.url)

    async def repeated() -> tuple[dict[str, Any], int]:
        async with (
            Player(server.url, table["game"], table["seats"]["white"]) as white,
            Player(server.url, table["game"], table["seats"]["black"]) as black,
        ):
            first = await white.move("b1^a3c3")
            await black.until_ply(1)
            await black.move("g8^f6h6")
            await white.until_ply(2)
            await white.send({"kind": "move", "id": first["id"], "ply": 2, "text": "e2-e4"})
            answer = await white.until("moved")
            return answer, white.state["ply"]

    answer, ply = apart(repeated())
    assert (answer["text"], answer["repeated"], ply) == ("b1^a3c3", True, 2)


@pytest.mark.parametrize("message", [b"x" * 10_000_000, "[" * 200_000, "9" * 300_000])
def test_a_message_that_is_too_long_ends_the_socket(server: Serving, message: bytes | str) -> None:
    assert apart(closed_with(server, message)) == 1009


@pytest.mark.parametrize(
    "message",
    [
        "", "null", "[]", '"move"', '{"kind": null}', '{"kind": "__class__"}', '{"kind": "hello"}', "\x00", "[" * 1000,
        '{"kind": "hello", "game": 7}', '{"kind": "hello", "game": {"$ne": 1}}', '{"kind": "hello", "game": "../../x"}',
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused_and_the_next_one_is_heard(server: Serving, message: str) -> None:
    table = opened(server.url)

    async def tried() -> str:
        async with connect(address(server), compression=None, proxy=None) as line:
            await line.send(message)
            first = json.loads(await asyncio.wait_for(line.recv(), PATIENCE))
            assert first["kind"] == "refused"
            await line.send(json.dumps({"kind": "hello", "game": table["game"]}))
            return str(json.loads(await asyncio.wait_for(line.recv(), PATIENCE))["kind"])

    if "../" in message:
        assert apart(closed_with(server, message)) == 4404
    else:
        assert apart(tried()) == "state"


@pytest.mark.parametrize(
    "fields",
    [
        {"ply": -1}, {"ply": 1e3}, {"ply": "0"}, {"ply": True}, {"ply": 10**30}, {"text": "x" * 33}, {"text": None},
        {"text": ["b1^a3c3"]}, {"text": "\ud800"}, {"id": ""}, {"id": "x" * 41}, {"id": 7}, {"id": "white:\n"},
        {"text": "'; DROP TABLE rows; --"}, {"text": "<script>alert(1)</script>"}, {"text": ""}, {"text": "a1-a9"},
    ],
)  # fmt: skip
def test_a_move_with_odd_fields_is_refused_in_one_sentence(server: Serving, fields: dict[str, Any]) -> None:
    table = _shared(server)

    async def tried() -> dict[str, Any]:
        async with Player(server.url, table["game"], table["seats"]["white"]) as white:
            await white.send({"kind": "move", "id": "odd", "ply": 0, "text": "b1^a3c3", **fields})
            return await white.until("refused", "moved")

    refusal = apart(tried())
    assert refusal["kind"] == "refused"
    assert len(refusal["why"]) <= 300
    assert "\n" not in refusal["why"]


def _shared(server: Serving, held: dict[str, Any] = {}) -> dict[str, Any]:  # noqa: B006 - one table for many attempts
    if held.get("port") != server.port:
        held.update(opened(server.url), port=server.port)
    return held


def test_markup_in_names_stays_text(server: Serving) -> None:
    markup = "<img src=x onerror=x()>"
    table = opened(server.url, name=markup[:24], public=True)

    async def named() -> dict[str, Any]:
        async with (
            Player(server.url, table["game"], table["seats"]["white"], name="\u202e<b>" + "\n\x00x"),
            Player(server.url, table["game"]) as watcher,
        ):
            return watcher.state

    state = apart(named())
    assert (
        state["seats"]["white"]["name"] == "<b>x"
    )  # what turns writing around or ends lines is gone; the rest is text
    for form in ("json", "svg", "txt", "pgn"):
        status, body = asked(f"{server.url}/api/tables/{table['game']}/record.{form}")
        assert status == 200
        assert b"<b>" not in body
        assert b"<img" not in body
    assert asked(f"{server.url}/api/tables", {"game": "quantum-chess", "name": "x" * 25})[0] == 400


@pytest.mark.parametrize(
    "order",
    [
        {}, {"game": 7}, {"game": "chess"}, {"game": "quantum-chess", "options": {"fen": 7}},
        {"game": "quantum-chess", "options": {"__class__": 1}},
        {"game": "quantum-chess", "options": {"fen": "x" * 3000}},
        {"game": "quantum-chess", "preset": "no"}, {"game": "quantum-chess", "backend": "ibm:least-busy"},
        {"game": "quantum-chess", "backend": "queued:30:aer-noisy"},
        {"game": "quantum-chess", "seats": {"red": "human"}},
        {"game": "quantum-chess", "seats": {"white": "mcts@100000s"}}, {"game": "quantum-chess", "seats": []},
        {"game": "quantum-chess", "seats": {"black": "http://evil.example"}},
        {"game": "quantum-chess", "clock": {"kind": "fischer", "seconds": 1e300}},
        {"game": "quantum-chess", "clock": {"kind": "fischer", "seconds": -1}},
        {"game": "quantum-checkers", "options": {"size": 10**9}},
    ],
)  # fmt: skip
def test_an_order_for_no_table_is_refused(server: Serving, order: dict[str, Any]) -> None:
    status, body = asked(f"{server.url}/api/tables", order)
    assert status == 400, body
    assert "error" in json.loads(body)


def test_a_body_that_is_too_long_is_not_read() -> None:
    with Serving(PATIENT) as server:
        assert asked(f"{server.url}/api/tables", b"[" * 1_000_000)[0] == 413


# -- too much ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_thousand_games_from_one_address_are_refused_after_the_first_hundred() -> None:
    with Serving(replace(PATIENT, tables_per_hour=100)) as server:
        server.hall.doors.now = lambda: 1000.0  # all in one moment
        codes = [asked(f"{server.url}/api/tables", {"game": "quantum-checkers"})[0] for _ in range(130)]
        assert codes == [201] * 100 + [429] * 30
        assert len(server.hall.tables) == 100


def test_an_address_holds_so_many_sockets() -> None:
    with Serving(replace(PATIENT, sockets_per_address=5)) as server:

        async def held() -> list[int | None]:
            table = opened(server.url)
            players = [Player(server.url, table["game"]) for _ in range(5)]
            for player in players:
                await player.connect()
            more = [await closed_with(server) for _ in range(3)]
            for player in players:
                await player.leave()
            async with asyncio.timeout(PATIENCE):
                while not await let_in(table):  # until the server knows who left
                    await asyncio.sleep(0.01)
            return more

        async def let_in(table: dict[str, Any]) -> bool:
            with contextlib.suppress(ConnectionClosed):
                async with Player(server.url, table["game"]):
                    return True
            return False

        assert apart(held()) == [1008, 1008, 1008]


@pytest.mark.slow
def test_a_silent_socket_is_closed() -> None:
    with Serving(replace(PATIENT, hello_seconds=0.3)) as server:
        assert apart(closed_with(server)) == 1008


#: sends as fast as it can, and comes back whenever it is closed
FLOOD = """
import json, sys
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
address, game = sys.argv[1:]
look = json.dumps({"kind": "preview", "ply": 0, "text": "b1^a3c3"})
while True:
    try:
        with connect(address, compression=None, proxy=None, close_timeout=0.1) as line:
            line.send(json.dumps({"kind": "hello", "game": game}))
            while True:
                line.send(look)
    except (WebSocketException, OSError):
        pass
"""


@contextlib.contextmanager
def flooded() -> Iterator[tuple[Serving, dict[str, Any]]]:
    """A server on which two programs break in without pause, of which some were closed already; another table there."""
    with Serving(replace(PATIENT, messages=(50.0, 200), looks=(2.0, 6))) as server:
        table, other = opened(server.url, "quantum-checkers"), opened(server.url)
        command = [sys.executable, "-c", FLOOD, address(server), other["game"]]
        floods = [subprocess.Popen(command) for _ in range(2)]
        try:
            wait_until(lambda: _floods(server), "a flood is closed")
            yield server, table
        finally:
            for flood in floods:
                flood.kill()
                flood.wait()


@pytest.mark.slow
def test_floods_are_closed_and_others_play_on() -> None:
    with flooded() as (server, table):
        closed = _floods(server)
        assert len(apart(moves(server.url, table, 20))) == 20
        wait_until(lambda: _floods(server) > closed, "who comes back is closed again")


@pytest.mark.timing  # that others hardly notice is a matter of seconds, on a machine that does nothing else
def test_floods_hardly_slow_others_down() -> None:
    with flooded() as (server, table):
        assert statistics.median(apart(moves(server.url, table, 20))) < 1.0


def _floods(server: Serving) -> int:
    """How many sockets were closed because they sent too much."""
    return server.hall.metrics.counts["closed", "flood"]


@pytest.mark.slow
def test_a_client_that_stops_reading_is_let_go_and_nobody_waits_for_it() -> None:
    with Serving(replace(PATIENT, queue=32), more=shouting) as server:
        table = opened(server.url, "quantum-checkers")
        game = server.hall.tables[table["game"]]

        async def watched() -> list[float]:
            async with Player(server.url, table["game"], table["seats"]["white"]) as white:
                async with asyncio.timeout(PATIENCE):
                    while len(game.clients) > 1:
                        await asyncio.to_thread(asked, f"{server.url}/shout")
                        await white.until(
                            "notice"
                        )  # what is told to everybody is heard although somebody reads nothing
            assert server.hall.metrics.counts["closed", "slow"] == 1
            return await moves(server.url, table, 10)

        with deaf_client(server.port, table["game"]):
            wait_until(lambda: game.clients, "it is at the table")
            assert len(apart(watched())) == 10

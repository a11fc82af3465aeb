"""Doors: what somebody opens or asks for goes with the connection, is made by workers, and is counted by address."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from qchess import reading
from qchess.errors import IllegalMoveError
from qchess.games.quantum_chess import QuantumChess
from qchess.web import seeds
from qchess.web.acts import act
from qchess.web.hall import Hall
from qchess.web.limits import DOORS, HERE, TooMuchError
from qchess.web.looking import analyse
from qchess.web.serving import Serving
from qchess.web.store import SqliteStore
from qchess.web.tablerequest import TableRequest
from qchess.web.tables import Table
from qchess.web.wire import Message
from qchess.web.workers import Priority
from tests.patience import PATIENCE, wait_until
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, asked
from tests.web.workbench import NEIGHBOUR, STRANGER, Bench, coming_from


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


# -- withdrawn with its connection, and made by workers ---------------------------------------------------------


@pytest.fixture
def server(bench: Bench) -> Iterator[Serving]:
    """A server whose workers are threads of this process, that work at once."""
    with Serving(PATIENT) as serving:
        yield serving


def post(server: Serving, path: str, data: Any) -> tuple[int, Any]:
    """The status of an answer over HTTP, and what it holds."""
    status, body = asked(server.url + path, data)
    return status, json.loads(body)


def test_a_study_question_goes_with_the_connection_that_asked_it(server: Serving, bench: Bench) -> None:
    bench.open.clear()
    body = json.dumps({"game": "quantum-chess", "line": [], "ask": {"kind": "state"}})
    head = f"POST /api/study HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
    lines = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(30)]
    for line in lines:
        line.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    pool = server.hall.pool
    wait_until(lambda: pool.waiting == 29, "all but one wait")
    for line in lines:
        line.close()
    wait_until(lambda: pool.withdrawn == 30, "all are withdrawn")
    assert pool.waiting == 0
    bench.open.set()
    assert post(server, "/api/study", json.loads(body))[0] == 200
    assert bench.begun == ["studied", "studied"]


SETUP = {"setup": ["b1^a3c3", "g8^f6h6"]}


def test_what_outside_options_set_up_and_long_texts_are_read_by_workers_alone(
    server: Serving, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's own loop sets up no position of a guest, and reads no text longer than a message."""
    started: Counter[str] = Counter()
    longest: Counter[str] = Counter()
    start, read = QuantumChess.start, reading.json_value

    def here() -> str:
        return threading.current_thread().name.partition("_")[0]

    def starting(rules: QuantumChess, engine: Any) -> Any:
        started[here()] += bool(rules.setup)
        return start(rules, engine)

    def reading_(source: str | bytes, *more: Any, **how: Any) -> Any:
        longest[here()] = max(longest[here()], len(source))
        return read(source, *more, **how)

    whole: Counter[str] = Counter()
    store = server.hall.keeping.store
    every = store.read
    monkeypatch.setattr(store, "read", lambda name: (whole.update([name]), every(name))[1])
    monkeypatch.setattr(QuantumChess, "start", starting)
    monkeypatch.setattr(reading, "json_value", reading_)
    chess = {"game": "quantum-chess", "options": SETUP}
    status, table = post(server, "/api/tables", chess)
    assert status == 201
    server.hall.forget(server.hall.tables[table["game"]])
    assert "c3" in asked(f"{server.url}/api/tables/{table['game']}/record.svg")[1].decode()
    assert post(server, "/api/study", {**chess, "line": [], "ask": {"kind": "state"}})[0] == 200
    study = {**chess, "nodes": [{}, *({"parent": 0, "text": "e2-e4", "comment": "x" * 4000},) * 40]}
    status, made = post(server, "/api/studies", {"study": study})
    assert status == 201
    for title in ("two", "three"):
        assert post(server, "/api/studies", {**made, "study": {**study, "title": title}})[0] == 200
    kept = json.loads(asked(f"{server.url}/api/studies/{made['name']}")[1])
    assert kept["study"]["title"] == "three"
    assert asked(f"{server.url}/api/tables/{made['name']}/record.json")[0] == 404
    assert {"begun", "loaded", "studied", "checked", "kept"} <= set(bench.begun)
    assert set(whole) == {table["game"]}, "of a study only the last state is read"
    assert set(started) == {"qchess workers"}
    assert longest["qchess workers"] > 160_000
    assert longest["qchess web"] <= PATIENT.message_bytes


def test_a_record_that_a_worker_writes_is_that_of_the_table(server: Serving, bench: Bench) -> None:
    _, order = post(server, "/api/tables", {"game": "quantum-chess", "seats": {"black": "random"}})
    table = server.hall.tables[order["game"]]

    async def played() -> None:
        async with Player(server.url, table.name, order["seats"]["white"]) as white:
            await white.move("b1^a3c3")
            await white.until_ply(2)
            await white.act("resign")
            await white.until("state")

    apart(played())
    kept, game = f"{server.url}/api/tables/{table.name}/", table.game
    over = replace(game.record(), seed=table.secret, seal=seeds.seal_of(table.secret))
    assert asked(f"{kept}record.json")[1].decode() == over.to_json()
    assert asked(f"{kept}record.txt")[1].decode() == f"{game}\n"
    assert asked(f"{kept}record.svg")[1].decode() == game.svg()
    assert asked(f"{kept}record.pdn")[0] == 404
    views = json.loads(asked(f"{kept}views.json")[1])
    assert (len(views["views"]), views["history"]) == (3, table.history)
    assert bench.begun[-5:] == ["exported"] * 4 + ["viewed"]


# -- doors ------------------------------------------------------------------------------------------------------


async def again_and_again(table: Table) -> None:
    """Ends a game, plays again, ends that one, a hundred times."""
    for _ in range(100):
        await act(table, table.player, "end", "resign")
        for player in table.seats:
            await act(table, player, f"again {player}", "rematch")
        table = table.hall.tables[str(table.offers.next)]


def test_a_rematch_is_a_table_as_any_other(bench: Bench) -> None:
    """Table after table by rematch alone, from one address: as many as it may open, and not one more."""

    async def played() -> int:
        hall = Hall(replace(PATIENT, tables_per_hour=20), SqliteStore(":memory:"))
        hall.doors.now = lambda: 1000.0
        with coming_from(STRANGER):
            hall.doors.enter("table")
            table = (await hall.open(TableRequest.of({"game": "quantum-checkers"}, hall.settings)))[0]
            with pytest.raises(TooMuchError, match="too many tables"):
                await again_and_again(table)
        with coming_from(NEIGHBOUR):
            hall.doors.enter("table")
        found = len(hall.tables)
        assert hall.metrics.counts["refused", "too many tables"] == 1
        await hall.close()
        return found

    assert apart(played()) == 20


def test_one_address_opens_so_many_classes_and_records_and_another_is_let_in(server: Serving) -> None:
    doors = server.hall.doors
    doors.now = lambda: 1000.0
    codes = [post(server, "/api/classes", {"title": "mine"})[0] for _ in range(30)]
    assert codes == [201] * 20 + [429] * 10
    _, table = post(server, "/api/tables", {"game": "quantum-tic-tac-toe"})
    path = f"{server.url}/api/tables/{table['game']}/"
    codes = [asked(path + form)[0] for form in ("record.json", "views.json", "record.html", "record.svg") * 10]
    assert codes == [200] * 30 + [429] * 10
    with coming_from(NEIGHBOUR):
        for door in ("class", "export", "study", "move"):
            doors.enter(door)


def test_the_store_grows_by_so_many_bytes_however_often_a_study_is_saved(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DOORS, "bytes", (0.0, 1_000_000, "bytes of studies"))
    study = {"game": "quantum-chess", "nodes": [{}, *({"parent": 0, "text": "e2-e4", "comment": "x" * 4000},) * 24]}
    with Serving(PATIENT) as server:
        _, made = post(server, "/api/studies", {"study": study})
        saved = [post(server, "/api/studies", {**made, "study": study})[0] for _ in range(24)]
        kept = server.hall.keeping.store.read(made["name"])
        assert kept is not None
        assert sum(len(json.dumps(row.entry)) for row in kept.rows) < 1_000_000
        assert saved == [200] * saved.count(200) + [429] * saved.count(429)
        assert 8 <= saved.count(200) <= 9
        assert json.loads(asked(f"{server.url}/api/studies/{made['name']}")[1])["study"]["nodes"][1]["text"] == "e2-e4"


def test_the_loop_reads_so_many_bytes_of_one_address_however_many_sockets_it_has(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many messages as a socket may send, each as long as it may be: what is too much is refused unread."""
    heard: Counter[str] = Counter()
    read = reading.json_value

    def counted(source: str | bytes, *more: Any, **how: Any) -> Any:
        heard["bytes"] += len(source)
        return read(source, *more, **how)

    server.hall.doors.now = lambda: 1000.0
    _, table = post(server, "/api/tables", {"game": "quantum-tic-tac-toe"})
    monkeypatch.setattr(reading, "json_value", counted)

    async def shouted() -> set[str]:
        async with Player(server.url, table["game"]) as one, Player(server.url, table["game"]) as other:
            long = {"kind": "act", "id": "x", "what": "resign", "more": [1] * 20_000}
            for _ in range(20):
                await one.send(long)
                await other.send(long)
            return {(await player.until("refused"))["why"] for player in (one, other) for _ in range(20)}

    assert apart(shouted()) == {
        "spectators cannot play",
        "too many long messages from one address; try again later",
    }
    assert 1_900_000 < heard["bytes"] <= DOORS["heard"][1]


def test_the_loop_looks_up_a_little_for_an_address_and_workers_do_the_rest(bench: Bench) -> None:
    """Whoever looks without end is answered by workers, and others here; moves are played here."""

    async def looked() -> list[list[str]]:
        hall = Hall(PATIENT, SqliteStore(":memory:"))
        table = (await hall.open(TableRequest.of({"game": "quantum-chess"}, hall.settings)))[0]
        found, now = [], asyncio.get_running_loop().time()
        for address in (STRANGER, NEIGHBOUR):
            with coming_from(address):
                for priority in (Priority.LOOK, Priority.PLAY):
                    if address == STRANGER:
                        hall.pool.ledger.charge_here(table.name, priority, 2 * HERE, now)
                    await table.ask("odds", priority=priority, square="b1")
                    found.append(list(bench.begun))
        await hall.close()
        return found

    assert apart(looked()) == [["odds"]] * 4


def test_a_state_is_written_once_for_all_who_look_on(monkeypatch: pytest.MonkeyPatch) -> None:
    written: Counter[str | None] = Counter()
    state = Table.state

    def counted(table: Table, player: str | None) -> dict[str, Any]:
        written[player] += 1
        return state(table, player)

    with Serving(PATIENT) as server:
        _, order = post(server, "/api/tables", {"game": "quantum-tic-tac-toe"})

        async def told() -> None:
            pages = [Player(server.url, order["game"], seat) for seat in (*order["seats"].values(), None, None, None)]
            for page in pages:
                await page.connect()
            monkeypatch.setattr(Table, "state", counted)
            await pages[0].act("resign")
            for page in pages:
                await page.until("state")
                await page.leave()

        apart(told())
    assert set(written.values()) == {1}
    assert len(written) == 3


class Pupil:
    """A page of a class: what it says, and what it is told last."""

    def __init__(self, server: Serving, name: str) -> None:
        from websockets.sync.client import connect

        self.socket = connect(f"ws://127.0.0.1:{server.port}/ws/class/{name}", max_queue=None, proxy=None)

    def says(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        message: dict[str, Any] = {}
        while not (message and holds(message)):
            message = json.loads(self.socket.recv(timeout=PATIENCE))
        return message


def test_a_board_that_a_class_has_seen_is_not_sent_again(server: Serving) -> None:
    _, room = post(server, "/api/classes", {"title": "mine"})
    teacher, pupil = Pupil(server, room["name"]), Pupil(server, room["name"])
    with teacher.socket, pupil.socket:
        teacher.says(kind="hello", client="teacher", key=room["key"])
        pupil.says(kind="hello", client="pupil")
        teacher.says(kind="show", game="quantum-chess", line=[{"text": "b1^a3c3"}])
        assert pupil.until(lambda m: m.get("shown"))["shown"]["state"]["ply"] == 1
        teacher.says(kind="ask", text="Who stands better?", choices=["White", "Black"])
        assert "shown" not in pupil.until(lambda m: m["question"])


def test_a_pupil_who_says_hello_again_is_one_pupil(server: Serving) -> None:
    _, room = post(server, "/api/classes", {"title": "mine"})
    teacher, pupil = Pupil(server, room["name"]), Pupil(server, room["name"])
    with teacher.socket, pupil.socket:
        teacher.says(kind="hello", client="teacher", key=room["key"])
        teacher.says(kind="ask", text="Who stands better?", choices=["White", "Black"])
        teacher.until(lambda m: m["question"])
        for number in range(9):
            pupil.says(kind="hello", client=f"pupil {number}")
            pupil.says(kind="answer", value=0)
            if number:
                assert "already" in pupil.until(lambda m: m["kind"] == "refused")["why"]
            else:
                pupil.until(lambda m: m["question"] and m["question"]["mine"] == 0)
        pupil.says(kind="answer", value=1)
        told = teacher.until(lambda m: m["question"] and m["question"]["counts"] == [0, 1])
        assert told["question"]["answered"] == 1


def test_nobody_is_told_what_an_agent_thinks_while_people_play(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who opens the watchers' link is told no more than at the seat; of an ended game everybody is told."""
    monkeypatch.setattr("qchess.web.looking.ANALYST", "random")

    async def told() -> list[str]:
        hall = Hall(PATIENT, SqliteStore(":memory:"))
        table = (await hall.open(TableRequest.of({"game": "quantum-chess"}, hall.settings)))[0]
        message = Message("analyse", {"ply": 0})
        for seat in (None, "white"):
            with pytest.raises(IllegalMoveError, match="while people are playing"):
                await analyse(table, seat, message)
        await act(table, "white", "end", "resign")
        found = [(await analyse(table, seat, message))["kind"] for seat in (None, "white")]
        await hall.close()
        return found

    assert apart(told()) == ["analysis"] * 2

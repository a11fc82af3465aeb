"""Mutated requests by the thousand: only 200 and 4xx come back, no state changes, no forced outcome is obeyed.

The default run sends 300 to each server; ``pytest -m long`` sends as many as ``QCHESS_FUZZ`` says, 10,000 otherwise.
None may take a second of the processor, and all together no more than 200 MB.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any

import pytest

import qchess
from qchess.games.quantum_chess.protocols import gameview as view
from qchess.games.quantum_chess.protocols.move_server import MoveServer
from qchess.games.quantum_chess.protocols.state_server import StateServer
from qchess.games.quantum_chess.protocols.uqci import Engine
from qchess.servers.http import LocalServer, Settings
from tests.servers.asking import JSON, Client

COUNTS = [300, pytest.param(int(os.environ.get("QCHESS_FUZZ", "1000")), marks=pytest.mark.long)]
Test = Callable[..., None]
SECONDS, MEMORY = 1.0, 200 * 1024 * 1024
FORGED: dict[str, Any] = {
    "_forceMeasurement": True, "forceMeasurement": "pass", "outcome": 1, "measurementOutcome": 0, "result": True,
    "probabilities": [1.0] * 64, "pieces": ["Q"] * 64,
}  # fmt: skip
JUNK: list[Any] = [
    None, True, False, 0, -1, 1, 7, 63, 64, 2**31, 2**63, 2**64, -(2**70), 0.5, 1e308, "", "e2", "e2-e4", "b1^a3c3.m1",
    "e7-e8Q", "kings", "O-O", "0000", "\ud800", "x" * 500, "🂡", [], [[]], [1, "a"], {}, {"a": {}}, "8/8/8/8 w",
    "startpos", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "99/k", "1" * 30, "position fen", [None] * 2000,
]  # fmt: skip
BYTES = [
    b"",
    b"{",
    b"null",
    b"[" * 3000,
    b'{"a":' * 500,
    b"\xff\xfe",
    b"1" * 5000,
    b'{"a":NaN}',
    b'{"view":{}}',
    b"\x00" * 9,
]


def mutated(data: Any, rng: random.Random) -> Any:
    """The data with some of it replaced, removed, doubled or forged."""
    data = copy.deepcopy(data)
    for _ in range(rng.randint(1, 3)):
        holders = list(_holders(data))
        holder = rng.choice(holders)
        if isinstance(holder, dict) and rng.random() < 0.3:
            name = rng.choice(list(FORGED))
            holder[name] = copy.deepcopy(FORGED[name])
            continue
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            continue
        key = rng.choice(keys)
        if rng.random() < 0.2:
            del holder[key]
        elif rng.random() < 0.3 and isinstance(holder[key], str):
            holder[key] = _mangled(holder[key], rng)
        else:
            holder[key] = copy.deepcopy(rng.choice(JUNK))
    return data


def _holders(data: Any) -> Iterator[Any]:
    if isinstance(data, dict | list):
        yield data
        for item in data.values() if isinstance(data, dict) else data:
            yield from _holders(item)


def _mangled(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return (
        text[:at]
        + rng.choice(["", "x", "1", "8", "/", "^", ".m0", ".m1", "Q", " ", "-", "\n"])
        + text[at + rng.randint(0, 2) :]
    )


def sent(client: Client, path: str, data: Any, rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Posts the data, or now and then something that is none; everything must be answered with JSON."""
    method, headers, body = "POST", dict(JSON), json.dumps(data).encode()
    chance = rng.random()
    if chance < 0.05:
        body = rng.choice(BYTES)
    elif chance < 0.1 and body:
        at = rng.randrange(len(body))
        body = body[:at] + bytes([rng.randrange(256)]) + body[at + 1 :]
    elif chance < 0.12:
        headers = rng.choice([{}, {"Content-Type": "text/plain"}, {**JSON, "Origin": "https://evil.example.org"},
                              {**JSON, "Transfer-Encoding": "chunked"}, {**JSON, "Content-Length": "x"}])  # fmt: skip
    elif chance < 0.13:
        method = rng.choice(["PUT", "DELETE", "OPTIONS", "BREW"])
    elif chance < 0.14:
        path = rng.choice(["", "/.."]) + path + rng.choice(["", "/", "x", "?a=b"])
    status, _, answer = client.send(method, path or "/", body, headers)
    assert status == 200 or 400 <= status < 500, (status, answer)
    found = json.loads(answer)
    assert isinstance(found, dict)
    assert (status == 200) != ("error" in found)
    return status, found


class Cost:
    """What requests cost the processor, the dearest of them, and by how much the process has grown."""

    def __init__(self, name: str) -> None:
        self.name, self.count, self.worst, self.what = name, 0, 0.0, ""
        self.before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @contextmanager
    def of(self, data: Any) -> Iterator[None]:
        """Counts what happens inside as a request with this data."""
        start = time.process_time()
        yield
        spent = time.process_time() - start
        self.count += 1
        if spent > self.worst:
            self.worst, self.what = spent, str(data)[:600]

    def check(self) -> None:
        """Fails if a request was too dear, or all of them too large; else says what they cost."""
        grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - self.before)
        assert grown < MEMORY, grown
        if self.worst >= SECONDS:
            raise DearError(self.worst, self.what)
        said = f"{self.count} requests, the dearest {1000 * self.worst:.0f} ms, {grown / 2**20:.0f} MB in all"
        sys.stderr.write(f"{self.name}: {said}\n")


class DearError(AssertionError):
    """A request took too much of the processor."""


def tried_again(test: Test) -> Test:
    """Sends the same requests twice more if one was dear: a machine that stands still charges whoever runs."""

    @wraps(test)
    def tried(*given: Any, **named: Any) -> None:
        for _ in range(2):
            with suppress(DearError):
                return test(*given, **named)
        return test(*given, **named)

    return tried


def no_bug(caplog: pytest.LogCaptureFixture) -> bool:
    """Whether no handler broke off with an error of ours."""
    return not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Keeps what is dropped from filling the log."""
    caplog.set_level(logging.ERROR, "qchess.servers")


@pytest.mark.slow
@pytest.mark.parametrize("count", COUNTS)
@tried_again
def test_the_move_server_answers_whatever_it_is_sent(count: int, caplog: pytest.LogCaptureFixture):
    rng, game = random.Random(count), qchess.new("quantum-chess", seed=1)
    questions = []
    for _ in range(24):
        game.play(rng.choice(game.moves()))
        shown = view.write(game)
        shown["moveHistory"] = shown["moveHistory"][-1:]
        shown["legalMoves"] = {name: moves[:3] for name, moves in shown["legalMoves"].items() if name != "count"}
        questions.append({"view": shown, "clock": None})
    server = MoveServer("random", seed=2)
    honest = [server.answer(question) for question in questions]
    statuses: Counter[int] = Counter()
    cost = Cost("move server")
    with LocalServer(server.routes, settings=Settings(limit=2**20)) as http, Client(http.url) as client:
        for _ in range(count):
            data = mutated(rng.choice(questions), rng)
            with cost.of(data):
                status, _ = sent(client, "/move", data, rng)
            statuses[status] += 1
        for question, answer in zip(questions, honest, strict=True):
            assert client.post("/move", {**question, **FORGED}) == (200, answer)
    assert statuses[200] > count / 10
    assert statuses[400] > count / 10
    assert no_bug(caplog)
    cost.check()


@pytest.mark.parametrize("count", COUNTS)
@tried_again
def test_the_state_server_answers_whatever_it_is_sent(count: int, caplog: pytest.LogCaptureFixture):
    """A second server with the same seed gets the same requests without what is forged: they stay the same."""
    rng = random.Random(count)
    server, honest = StateServer(seed=4), StateServer(seed=4)
    statuses: Counter[int] = Counter()
    cost = Cost("state server")
    with LocalServer(server.routes) as http, Client(http.url) as client:
        for k in range(count):
            name, data = _request(k, rng)
            before = {name: board.registers for name, board in server.boards.items()}
            data = mutated(data, rng) if rng.random() < 0.7 else data
            with cost.of(data):
                status, answer = _posted(client, honest, name, data, rng)
            statuses[status] += 1
            if status != 200:
                assert {name: board.registers for name, board in server.boards.items()} == before, data
            assert server.boards.keys() == honest.boards.keys()
            if "probabilities" in answer:
                assert len(answer["probabilities"]) == 64
    assert statuses[200] > count / 10
    assert statuses[400] > count / 10
    assert no_bug(caplog)
    cost.check()


def _request(k: int, rng: random.Random) -> tuple[str, dict[str, Any]]:
    if k % 20 == 0:
        return "init", {
            "init_basis_state": rng.choice([0xFFFF00000000FFFF, "18446462598732906495", 2, rng.getrandbits(64)])
        }
    if rng.random() < 0.1:
        return "undo_last_move", {}
    s, t1, t2 = rng.choice([(1, 16, 18), (6, 21, 23), (62, 45, 47), (16, 33, 1), tuple(rng.sample(range(64), 3))])
    kind, variant = rng.choice([2, 4, 6, 8, 10, 3, 5, 7, 11, 12]), rng.choice([1, 1, 2, 3])
    return "do_move", {"square1": s, "square2": t1, "square3": t2, "type": kind, "variant": variant}


def _posted(
    client: Client, honest: StateServer, name: str, data: Any, rng: random.Random
) -> tuple[int, dict[str, Any]]:
    status, _, raw = client.send("POST", f"/quantumboard/{name}", json.dumps(data).encode())
    answer = json.loads(raw)
    assert status == 200 or 400 <= status < 500, (status, answer)
    if status == 200:
        allowed = ("init_basis_state", "square1", "square2", "square3", "type", "variant", "board")
        clean = {key: data[key] for key in data if key in allowed}
        assert honest.routes["POST", f"/quantumboard/{name}"](clean) == answer
    if rng.random() < 0.2:  # noise between two requests changes nothing, as the next answers show
        noise, _, _ = client.send("POST", "/quantumboard/do_move", rng.choice(BYTES))
        assert noise == 400
        sent(client, "/quantumboard/nothing", data, rng)
    return status, answer


@pytest.mark.parametrize("count", COUNTS)
@tried_again
def test_the_engine_answers_whatever_it_is_sent(count: int):
    rng, engine = random.Random(count), Engine("random", seed=1)
    lines = [
        "uci", "isready", "position startpos moves b1^a3c3 d7d5 c3xd5.m0", "go searchmoves b1^a3c3 e2e4 depth 3",
        "stop", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 setup e1^d1f1 moves d1f1^e1",
        "setoption name Seed value 3",
        "setoption name Player value random", "go infinite", "ponderhit", "position startpos moves e2e4 e7e5 g1^f3h3",
    ]  # fmt: skip
    first = ("id ", "option ", "uciok", "readyok", "info ", "bestmove ")
    cost = Cost("engine")
    for _ in range(count):
        line = rng.choice(lines)
        for _ in range(rng.randint(0, 3)):
            line = _mangled(line, rng)
        with cost.of(line):
            answers = list(engine.answer(line))
        for answer in answers:
            assert answer.startswith(first), answer
            assert "\n" not in answer
            assert not answer.startswith("bestmove") or ".m" not in answer
    assert list(engine.answer("isready")) == ["readyok"]
    cost.check()

"""The REST API: another engine keeps its quantum state here, and it is the state of the rule book."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import qchess
from qchess.circuits.engine import Sample
from qchess.errors import QchessError
from qchess.games.quantum_chess import Move, MoveType, MoveVariant
from qchess.games.quantum_chess.protocols import boards, state_server
from qchess.games.quantum_chess.protocols.state_server import MOST_BOARDS, StateServer
from qchess.playing.game import Game
from qchess.servers.http import LocalServer
from qchess.servers.wire import RequestError
from tests.patience import PATIENCE
from tests.servers.asking import Client

START = 0xFFFF00000000FFFF
T, V = MoveType, MoveVariant


def squares(*names: str) -> list[int]:
    return [ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1) for name in names]


def bits(*names: str) -> int:
    return sum(1 << square for square in squares(*names))


def body(kind: MoveType, variant: MoveVariant, *names: str) -> dict[str, Any]:
    numbers = [*squares(*names), 0][:3]
    return {
        "square1": numbers[0],
        "square2": numbers[1],
        "square3": numbers[2],
        "type": int(kind),
        "variant": int(variant),
    }


def of(game: Game, move: Move) -> dict[str, Any]:
    """The request for a move of the game; a merge names its sources the other way round."""
    kind = game.rules.kind(game.position, move)  # type: ignore[attr-defined]
    numbers = [*move.sources[::-1], *move.targets, 0][:3]
    return {"square1": numbers[0], "square2": numbers[1], "square3": numbers[2], "type": int(kind.type),
            "variant": int(kind.variant)}  # fmt: skip


# -- whole games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("backend", "seed"), [("sparse", 1), ("sparse", 2), ("cirq", 1)])
def test_a_game_whose_state_is_kept_on_the_server_has_the_odds_of_the_rules(backend: str, seed: int):
    game, rng = qchess.new("quantum-chess"), random.Random(seed)
    failed = 0
    with LocalServer(StateServer(backend, seed=seed).routes) as server, Client(server.url) as client:
        assert client.post("/quantumboard/init", {"init_basis_state": START})[0] == 200
        while len(game.history) < 60:
            assert not game.result
            move = _calm(game, rng)
            status, answer = client.post("/quantumboard/do_move", of(game, move))
            assert status == 200, answer
            asks = game.rules.kind(game.position, move).measures  # type: ignore[attr-defined]
            game.play(move, outcome=[int(answer["result"])] if asks else None)
            failed += not answer["result"]
            odds = [game.position.odds.get(name, 0.0) for name in game.position.geometry.names]
            assert answer["probabilities"] == pytest.approx(odds, abs=1e-9)
            assert answer["full"] == game.position.men.full
    assert failed
    assert any(move.is_merge for move in (played.move for played in game.history))


def _calm(game: Game, rng: random.Random) -> Any:
    """A move for an engine that holds all amplitudes: splits while the superposition is small, and merges."""
    moves = game.rules.moves(game.position)
    most = sum(len(qubits) for qubits in game.position.registers.registers)
    merges = [move for move in moves if move.is_merge]
    if merges and rng.random() < 0.5:
        return rng.choice(merges)
    return rng.choice([move for move in moves if most < 6 or not (move.is_split or move.is_merge)])


# -- single requests ----------------------------------------------------------------------------------------------


def test_the_start_is_full_where_pieces_stand():
    answer = StateServer().init({"init_basis_state": START})
    assert answer["full"] == answer["full_bitboard"] == START
    assert answer["empty"] == answer["empty_bitboard"] == ~START & 2**64 - 1
    assert sum(answer["probabilities"]) == 32
    assert "result" not in answer


def test_a_number_of_64_bits_may_come_as_text_and_is_never_rounded():
    odd = 0xFFFF00000000FFFF - 2
    for value in (odd, str(odd)):
        with LocalServer(StateServer().routes) as server, Client(server.url) as client:
            assert client.post("/quantumboard/init", {"init_basis_state": value})[1]["full"] == odd


def test_the_first_source_takes_the_full_step_as_the_published_api_says():
    # rules, example 5: d1b4^d4 leaves d4 1/2, d1 1/2; on this wire its sources are exchanged
    server = StateServer(seed=1)
    server.init({"init_basis_state": bits("a1")})
    server.do_move(body(T.SPLIT_SLIDE, V.BASIC, "a1", "a4", "d1"))
    server.do_move(body(T.JUMP, V.BASIC, "a4", "b4"))
    answer = server.do_move(body(T.MERGE_SLIDE, V.BASIC, "b4", "d1", "d4"))
    odds = dict(zip(("b4", "d1", "d4"), (answer["probabilities"][k] for k in squares("b4", "d1", "d4")), strict=True))
    assert odds == pytest.approx({"b4": 0, "d1": 0.5, "d4": 0.5})


def bells(server: StateServer, board: str = "") -> dict[str, Any]:
    """A board whose next capture is open: a knight split from b1, and a pawn on d5."""
    where = {"board": board} if board else {}
    server.init({"init_basis_state": bits("b1", "d5"), **where})
    return server.do_move(body(T.SPLIT_JUMP, V.BASIC, "b1", "a3", "c3") | where)


CAPTURE = body(T.JUMP, V.CAPTURE, "c3", "d5")


def test_empty_are_the_squares_that_are_surely_so_and_full_likewise():
    server = StateServer(seed=1)
    answer = bells(server)
    assert answer["empty"] == answer["empty_bitboard"] == ~bits("a3", "c3", "d5") & 2**64 - 1
    assert answer["full"] == answer["full_bitboard"] == bits("d5")


def test_undo_restores_the_state_and_an_answer_stands_when_the_move_is_played_again():
    answers = set()
    for seed in range(8):
        server = StateServer(seed=seed)
        split = bells(server)
        found = []
        for _ in range(6):
            found.append(server.do_move(CAPTURE))
            assert server.undo_last_move({}) == {**split, "result": True}
            server.do_move(body(T.JUMP, V.BASIC, "a3", "b5"))  # another way, and back
            assert server.undo_last_move({}) == {**split, "result": True}
        assert all(answer == found[0] for answer in found)
        answers.add(found[0]["result"])
    assert answers == {True, False}


def test_a_game_that_starts_anew_is_answered_anew():
    server = StateServer(seed=3)
    answers = set()
    for _ in range(12):
        bells(server)
        answers.add(server.do_move(CAPTURE)["result"])
    assert answers == {True, False}


def test_no_more_undone_answers_are_kept_than_allowed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(boards, "MOST_UNDONE", 1)
    server = StateServer(seed=1)
    bells(server)
    server.do_move(CAPTURE)
    assert server.undo_last_move({})["result"]
    answer = server.do_move(CAPTURE)
    with pytest.raises(QchessError, match="remembers 1 undone"):
        server.undo_last_move({})
    assert server.boards[""].data() == {key: answer[key] for key in server.boards[""].data()}


def random_moves(rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    for _ in range(count):
        s, t1, t2 = rng.sample(range(12), 3)
        kind, variant = rng.choice([(T.SPLIT_JUMP, 1), (T.MERGE_JUMP, 1), (T.JUMP, 1), (T.JUMP, 2), (T.JUMP, 3)])
        yield {"square1": s, "square2": t1, "square3": t2, "type": int(kind), "variant": variant}


@pytest.mark.parametrize("most", [0, 40_000, boards.MOST_BYTES])
def test_states_that_were_dropped_come_back_as_they_were(most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(boards, "MOST_BYTES", most)
    server, seen = StateServer(seed=5), []
    seen.append(server.init({"init_basis_state": 0b101101}))
    for request in random_moves(random.Random(1), 60):
        seen.append({key: value for key, value in server.do_move(request).items() if key != "result"})
        board = server.boards[""]
        assert board.size() <= max(most, 0) + 2 * boards.BYTES_A_STATE + boards.BYTES_A_BRANCH * 5000
    for before in reversed(seen[:-1]):
        answer = server.undo_last_move({})
        assert answer.pop("result")
        assert answer == before


def test_boards_that_nobody_uses_give_their_states_up_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(state_server, "MOST_BYTES", 4 * boards.BYTES_A_STATE)
    server = StateServer(seed=1)
    told = {name: bells(server, name) for name in "abcd"}
    sizes = {name: server.boards[name].size() for name in "abcd"}
    assert sizes["d"] > 0
    assert sizes["a"] == 0
    server.do_move({**body(T.JUMP, V.BASIC, "h1", "h2"), "board": "a"})
    assert {**server.undo_last_move({"board": "a"}), "result": True} == told["a"]


class Waiting:
    """A source that answers once it is let."""

    name = "waiting"

    def __init__(self) -> None:
        self.asked, self.go_on = threading.Event(), threading.Event()

    def draw(self, ask: Any) -> Sample:
        self.asked.set()
        assert self.go_on.wait(PATIENCE)
        return Sample(1, self.name)


def test_a_source_that_takes_its_time_keeps_no_other_board_waiting(monkeypatch: pytest.MonkeyPatch):
    server, waiting = StateServer(seed=1), Waiting()
    bells(server, "slow")
    monkeypatch.setitem(server._sources, "slow", waiting)
    with LocalServer(server.routes) as http, Client(http.url) as client, Client(http.url) as other:
        answers: list[tuple[int, dict[str, Any]]] = []
        asking = threading.Thread(
            target=lambda: answers.append(other.post("/quantumboard/do_move", {**CAPTURE, "board": "slow"}))
        )
        asking.start()
        assert waiting.asked.wait(PATIENCE)
        for k in range(200):
            assert client.post("/quantumboard/init", {"init_basis_state": k, "board": f"b{k % 20}"})[0] == 200
        assert not answers
        waiting.go_on.set()
        asking.join(PATIENCE)
    assert answers[0][0] == 200
    assert answers[0][1]["result"]


def test_a_board_that_stays_busy_is_an_answer_of_503(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(state_server, "PATIENCE", 0.05)
    server = StateServer(seed=1)
    with server.boards[""].lock, pytest.raises(RequestError, match="busy") as caught:
        server.undo_last_move({})
    assert caught.value.status == 503


def test_a_board_takes_no_endless_number_of_moves(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(boards, "MOST_TURNS", 2)
    server = StateServer(seed=1)
    bells(server)
    server.do_move(CAPTURE)
    with pytest.raises(QchessError, match="takes 2 moves"):
        server.do_move(CAPTURE)
    assert server.undo_last_move({})["result"]


def test_there_is_no_move_before_the_first():
    answer = StateServer().undo_last_move({})
    assert (answer["result"], answer["full"]) == (False, START)


def test_boards_of_other_names_are_kept_apart():
    server = StateServer()
    first = server.init({"init_basis_state": bits("a1"), "board": "one"})
    second = server.init({"init_basis_state": bits("h8"), "board": "two"})
    assert (first["board"], second["board"]) == ("one", "two")
    server.do_move({**body(T.SLIDE, V.BASIC, "a1", "a5"), "board": "one"})
    moved, still = (server.undo_last_move({"board": name}) for name in ("one", "two"))
    assert (moved["result"], still["result"]) == (True, False)


def test_no_more_boards_are_kept_than_a_server_can_bear():
    server = StateServer()
    for number in range(MOST_BOARDS - 1):
        server.init({"init_basis_state": 1, "board": str(number)})
    with pytest.raises(QchessError, match="at most 64 boards"):
        server.init({"init_basis_state": 1, "board": "one more"})
    server.init({"init_basis_state": 2, "board": "0"})


def test_forged_outcomes_are_dropped_and_logged(caplog: pytest.LogCaptureFixture):
    drawn = set()
    with caplog.at_level(logging.WARNING, "qchess.servers"):
        for seed in range(10):
            server = StateServer(seed=seed)
            server.init({"init_basis_state": bits("b1", "d5")})
            server.do_move(body(T.SPLIT_JUMP, V.BASIC, "b1", "a3", "c3"))
            forged = {"_forceMeasurement": True, "outcome": 1, "result": True}
            answer = server.do_move(body(T.JUMP, V.CAPTURE, "c3", "d5") | forged)
            drawn.add(answer["result"])
    assert drawn == {True, False}
    assert "_forceMeasurement" in caplog.text


GOOD = body(T.JUMP, V.BASIC, "b1", "c3")


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("init", {}), ("init", {"init_basis_state": -1}), ("init", {"init_basis_state": 2**64}),
        ("init", {"init_basis_state": 1.0}), ("init", {"init_basis_state": True}),
        ("init", {"init_basis_state": "0x1"}),
        ("init", {"init_basis_state": "9" * 30}), ("init", {"init_basis_state": 1, "board": 7}),
        ("init", {"init_basis_state": 1, "board": "x" * 65}),
        ("do_move", {}), ("do_move", {**GOOD, "square1": 64}), ("do_move", {**GOOD, "square2": -1}),
        ("do_move", {**GOOD, "square2": True}), ("do_move", {**GOOD, "square1": "b1"}),
        ("do_move", {**GOOD, "type": 0}),
        ("do_move", {**GOOD, "type": 1}), ("do_move", {**GOOD, "type": 14}), ("do_move", {**GOOD, "type": 2.0}),
        ("do_move", {**GOOD, "variant": 4}), ("do_move", {**GOOD, "square2": GOOD["square1"]}),
        ("do_move", {**GOOD, "type": int(T.SLIDE)}), ("do_move", body(T.PAWN_EP, V.BASIC, "b4", "c5")),
        ("do_move", {**GOOD, "type": int(T.KS_CASTLE)}), ("do_move", {**GOOD, "board": "nobody's"}),
        ("do_move", {"square1": 1, "square2": 16, "type": int(T.SPLIT_JUMP), "variant": 1}),
        ("do_move", {**body(T.KS_CASTLE, V.CAPTURE, "e1", "g1")}),
        ("undo_last_move", {"board": "nobody's"}),
    ],
)  # fmt: skip
def test_bad_input_is_told_so_and_changes_nothing(path: str, data: dict[str, Any]):
    server = StateServer(seed=1)
    before = server.boards[""].registers
    with LocalServer(server.routes) as http, Client(http.url) as client:
        status, answer = client.post(f"/quantumboard/{path}", data)
    assert status == 400
    assert answer["error"]
    assert server.boards[""].registers is before
    assert list(server.boards) == [""]


def test_a_superposition_beyond_the_limit_is_refused_and_nothing_changes():
    server = StateServer("cirq", seed=1)
    server.init({"init_basis_state": 1})
    # a split of one of 16 shares of a piece touches 18 squares: 2^18 amplitudes, and 2^17 is the most
    for k in range(15):
        server.do_move({"square1": k, "square2": k + 1, "square3": 63, "type": 4, "variant": 1})
        server.do_move({"square1": 63, "square2": k, "square3": 0, "type": 2, "variant": 1})
    before = server.boards[""].registers
    with pytest.raises(QchessError, match="cirq holds at most"):
        server.do_move({"square1": 15, "square2": 16, "square3": 63, "type": 4, "variant": 1})
    assert server.boards[""].registers is before


def test_the_liveness_page_is_short():
    with LocalServer(StateServer().routes) as server, Client(server.url) as client:
        status, headers, page = client.send("GET", "/")
    assert (status, headers["Content-Type"].partition(";")[0]) == (200, "text/html")
    assert len(page) < 200

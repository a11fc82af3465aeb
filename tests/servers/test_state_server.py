"""The REST API: another engine keeps its quantum state here, and it is the state of the rule book."""

from __future__ import annotations

import logging
import random
from typing import Any

import pytest

import qchess
from qchess.errors import QchessError
from qchess.games.quantum_chess import Move, MoveType, MoveVariant
from qchess.games.quantum_chess.protocols.state_server import MOST_BOARDS, StateServer
from qchess.playing.game import Game
from qchess.servers.http import LocalServer
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


def test_undo_restores_the_state_and_does_not_measure_again():
    server = StateServer(seed=3)
    server.init({"init_basis_state": bits("b1", "d5")})
    split = server.do_move(body(T.SPLIT_JUMP, V.BASIC, "b1", "a3", "c3"))
    found = set()
    for _ in range(12):
        answer = server.do_move(body(T.JUMP, V.CAPTURE, "c3", "d5"))
        found.add(answer["result"])
        back = server.undo_last_move({})
        assert back == {**split, "result": True}
    assert found == {True, False}


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

"""``POST /move``: stateless, and the client decides neither outcomes nor effects."""

from __future__ import annotations

import json
import logging
import random
import threading
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

import qchess
from qchess.errors import IllegalMoveError, QchessError
from qchess.games.quantum_chess import START, Move, QuantumChess
from qchess.games.quantum_chess.protocols import choice, move_server
from qchess.games.quantum_chess.protocols import gameview as view
from qchess.games.quantum_chess.protocols.move_server import VIEW_LIMIT, MoveServer
from qchess.playing import agents
from qchess.playing.agents import Choice, Task
from qchess.playing.game import Game
from qchess.servers.http import LocalServer, Settings
from qchess.servers.wire import BODY_LIMIT, RequestError
from tests.patience import PATIENCE, wait_until
from tests.servers.asking import Client


def asked(game: Game) -> dict[str, Any]:
    return {"view": view.write(game), "clock": None}


def random_game(seed: int, plies: int, **options: Any) -> Game:
    game, rng = qchess.new("quantum-chess", seed=seed, **options), random.Random(seed)
    while not game.result and len(game.history) < plies:
        game.play(rng.choice(game.moves()))
    return game


def chosen(game: Game, data: Any) -> Move:
    assert isinstance(game.rules, QuantumChess)
    return choice.read(game.rules, game.position, data)


def told(*history: Any, fen: str = START, **more: Any) -> dict[str, Any]:
    return {"view": {"gameData": {"position": {"startingFen": fen, "history": list(history)}}, **more}}


# -- views ----------------------------------------------------------------------------------------------------


def test_the_view_of_the_start_has_the_fields_of_the_sdk():
    shown = view.write(qchess.new("quantum-chess"))
    board = shown["gameData"]["board"]
    assert shown["gameData"]["position"] == {"startingFen": START, "setupMoves": [], "history": []}
    assert (board["ply"], board["fiftyCount"], board["fiftyPieceCount"]) == (0, 0, 32)
    assert (board["castleFlags"], board["enPassantSquare"]) == (15, -1)
    assert (board["pieces"][4], board["pieces"][60], sum(board["probabilities"])) == ("K", "k", 32)
    moves = shown["legalMoves"]
    assert [len(moves[name]) for name in ("standard", "splits", "merges")] == [20, 2, 0]
    # a pawn's step and two-step are a jump and a slide to the SDK
    assert {(m["type"], m["variant"]) for m in moves["standard"] if m["piece"] == "P"} == {(2, 1), (3, 1)}
    assert {"from": 1, "targetA": 16, "targetB": 18, "type": 4, "piece": "N", "notation": "b1^a3c3"} in moves["splits"]
    assert shown["rules"]["objective"] == "checkmate"


def test_the_history_tells_what_was_measured_and_what_was_blocked():
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "d7-d5"):
        game.play(move)
    game.play("c3-d5", outcome=[0])
    first, _, last = view.write(game)["moveHistory"]
    assert (first["wasMeasurement"], first["wasBlocked"], first["probabilitiesAfter"][16]) == (
        False, False, pytest.approx(0.5),
    )  # fmt: skip
    assert (last["notation"], last["wasBlocked"], last["measurementPassed"]) == ("c3-d5.m0", True, False)
    assert last["probabilitiesAfter"][16] == 1


def test_the_choices_of_a_promotion_share_one_entry():
    (row,) = (m for m in view.write(qchess.new("quantum-chess", fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1"))["legalMoves"]
              ["standard"] if m["from"] == 48)  # fmt: skip
    assert row["promotionChoices"] == ["q", "r", "b", "n"]


@pytest.mark.parametrize("seed", range(6))
def test_a_view_rebuilds_the_game_it_was_made_of(seed: int):
    game = random_game(seed, 50)
    again = view.read(view.write(game))
    assert again.position == game.position
    assert view.write(again) == view.write(game)


@pytest.mark.parametrize("seed", range(3))
def test_every_legal_move_is_written_and_read_as_a_choice(seed: int):
    game = random_game(seed, 30)
    for move in game.rules.moves(game.position):
        assert chosen(game, choice.write(move)) == move


def test_the_order_of_two_targets_is_kept():
    game = qchess.new("quantum-chess")
    data = {"type": "split", "from": 1, "targetA": 18, "targetB": 16}
    assert chosen(game, data) == Move((1,), (18, 16))


# -- choices that want more than a move -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "forged",
    [{"_forceMeasurement": True}, {"forceMeasurement": "pass"}, {"outcome": 1}, {"measurementOutcome": 0},
     {"probabilities": [1] * 64}, {"pieces": ["Q"] * 64}, {"notation": "b1-c3.m1"}],
)  # fmt: skip
def test_what_would_decide_an_outcome_is_dropped_and_logged(forged: dict[str, Any], caplog: pytest.LogCaptureFixture):
    game = qchess.new("quantum-chess")
    with caplog.at_level(logging.WARNING, "qchess.servers"):
        move = chosen(game, {"type": "standard", "from": 1, "to": 18, **forged})
    assert move == Move((1,), (18,))
    assert next(iter(forged)) in caplog.text


@pytest.mark.parametrize(
    "data",
    [
        None, [], "e2-e4", {}, {"type": "standard"}, {"type": "standard", "from": 12, "to": True},
        {"type": "standard", "from": 12.0, "to": 28}, {"type": "standard", "from": "e2", "to": "e4"},
        {"type": "standard", "from": 12, "to": 64}, {"type": "standard", "from": -1, "to": 28}, {"type": ["standard"]},
        {"type": "standard", "from": "e2-e4.m1", "to": 28}, {"type": "split", "from": 1, "targetA": 16},
        {"type": "split", "from": 1, "targetA": 16, "targetB": 18, "phaseQuarters": 1},
        {"type": "split", "from": 1, "targetA": 16, "targetB": 18, "splitFraction": 0.3},
        {"type": "standard", "from": 12, "to": 28, "promotion": "k"},
        {"type": "standard", "from": 12, "to": 28, "promotion": ["q"]},
    ],
)  # fmt: skip
def test_a_choice_of_the_wrong_shape_is_refused(data: Any):
    game = qchess.new("quantum-chess")
    with pytest.raises(QchessError):
        chosen(game, data)


@pytest.mark.parametrize(
    "data",
    [
        {"type": "standard", "from": 12, "to": 36},
        {"type": "standard", "from": 52, "to": 44},
        {"type": "standard", "from": 1, "to": 18, "promotion": "q"},
        {"type": "standard", "from": 12, "to": 28, "promotion": "q"},
        {"type": "split", "from": 1, "targetA": 16, "targetB": 16},
        {"type": "merge", "sourceA": 1, "sourceB": 6, "to": 21},
    ],
)
def test_a_choice_that_is_no_legal_move_or_forges_a_promotion_is_refused(data: dict[str, Any]):
    game = qchess.new("quantum-chess")
    with pytest.raises(IllegalMoveError):
        chosen(game, data)


# -- the server -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_answer_is_a_legal_move_of_the_game_that_was_sent(seed: int):
    game = random_game(seed, 20 + seed)
    answer = MoveServer("random", seed=seed).answer(asked(game))
    assert chosen(game, answer) in game.rules.moves(game.position)


def test_the_same_view_gets_the_same_answer_whatever_was_asked_before():
    server, other = MoveServer("random", seed=5), MoveServer("random", seed=5)
    games = [random_game(seed, 10) for seed in range(5)]
    first = [server.answer(asked(game)) for game in games]
    assert [other.answer(asked(game)) for game in reversed(games)] == first[::-1]


def test_only_start_set_up_and_history_are_believed():
    game = random_game(2, 15)
    question = asked(game)
    honest = MoveServer("greedy", seed=1).answer(question)
    question["view"]["gameData"]["board"] = {"pieces": ["q"] * 64, "probabilities": "?"}
    question["view"]["moveHistory"] = None
    question["view"]["sideToMove"] = "nobody"
    assert MoveServer("greedy", seed=1).answer(question) == honest


def test_the_answer_is_among_the_moves_that_the_host_lists():
    question = asked(qchess.new("quantum-chess"))
    listed = question["view"]["legalMoves"]
    listed["standard"], listed["splits"] = [m for m in listed["standard"] if m["notation"] == "h2-h3"], []
    for seed in range(5):
        assert MoveServer("random", seed=seed).answer(question) == {"type": "standard", "from": 15, "to": 23}


def test_splits_are_not_answered_where_they_are_switched_off():
    question = told(quantumEnabled=False)
    assert {MoveServer("random", seed=seed).answer(question)["type"] for seed in range(40)} == {"standard"}


def test_forged_outcomes_in_a_request_change_nothing(caplog: pytest.LogCaptureFixture):
    question = asked(random_game(4, 20))
    honest = MoveServer("random", seed=1).answer(question)
    question |= {"_forceMeasurement": True, "outcome": 1}
    question["view"]["forceMeasurement"] = "fail"
    with caplog.at_level(logging.WARNING, "qchess.servers"):
        assert MoveServer("random", seed=1).answer(question) == honest
    assert "_forceMeasurement" in caplog.text
    assert "forceMeasurement" in caplog.text


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({}, "'view'"),
        ({"view": []}, "'view'"),
        ({"view": {}}, "'gameData'"),
        (told("e2-e5"), "move 1, 'e2-e5'"),
        (told("b1-c3Q"), "b1-c3Q"),
        (told("b1^a3c3", "d7-d5", "c3-d5"), "open"),
        (told("e2-e4.m0"), "cannot fail"),
        (told(*["g1-f3", "g8-f6", "f3-g1", "f6-g8"] * 251), "at most 1000"),
        (told("e" * 21), "at most 20"),
        (told(7), "'history'"),
        (told(fen="8/8/8/8/8/8/8/8 w - - 0 1"), "king"),
        (told(fen="4k3/8/8/4K3 w - - 0 1"), "8 by 8"),
        (told(fen="k" * 200), "at most 120"),
        (told(rules={"allowCastling": 1}), "'allowCastling'"),
        (told(quantumEnabled="yes"), "'quantumEnabled'"),
        (told("e1-e2", "d3-e2", fen="4k3/8/8/8/8/3p4/8/4K3 w - - 0 1"), "over. Black wins"),
    ],
)
def test_a_view_that_tells_no_game_is_refused(question: dict[str, Any], message: str):
    with pytest.raises(QchessError, match=message):
        MoveServer().answer(question)


def test_a_game_that_takes_too_long_to_replay_is_given_up():
    with pytest.raises(RequestError, match="more than 0 s") as caught:
        MoveServer(seconds=0).answer(told(*["g1-f3", "g8-f6", "f3-g1", "f6-g8"] * 100))
    assert caught.value.status == 422


def test_a_superposition_beyond_measure_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(view, "MOST_BRANCHES", 100)
    fen = "4k3/8/8/8/8/8/8/RRR1KRRR w - - 0 1"
    rng, game = random.Random(1), qchess.new("quantum-chess", fen=fen)
    while max(game.position.registers.branches(), default=0) <= 100:
        game.play(rng.choice([move for move in game.moves() if "^" in move] or game.moves()))
    question = told(*(played.text for played in game.history), fen=fen)
    with pytest.raises(QchessError, match="too large"):
        MoveServer().answer(question)


def test_a_game_of_sixty_plies_against_our_own_server():
    game, rng = qchess.new("quantum-chess", seed=11), random.Random(11)
    server = MoveServer("random", seed=3)
    with LocalServer(server.routes, settings=Settings(limit=VIEW_LIMIT)) as http, Client(http.url) as client:
        while len(game.history) < 60:
            assert not game.result
            if len(game.history) % 2:
                status, answer = client.post("/move", asked(game))
                assert status == 200
                game.play(chosen(game, answer))
            else:
                game.play(rng.choice(game.moves()))
    assert len(game.history) == 60


def test_the_view_of_a_long_game_fits_into_a_request():
    # splits of superposed queens and the odds after each move pass 64 kB
    rng, game = random.Random(2), qchess.new("quantum-chess", seed=2)
    while len(json.dumps(asked(game))) <= BODY_LIMIT:
        splits = [move for move in game.moves() if "^" in move]
        game.play(rng.choice(splits if splits and rng.random() < 0.6 else game.moves()))
    with (
        LocalServer(MoveServer("random").routes, settings=Settings(limit=VIEW_LIMIT)) as http,
        Client(http.url) as client,
    ):
        assert client.post("/move", asked(game))[0] == 200


class Endless:
    """An agent that weighs moves for ever and heeds no budget."""

    name = "endless"

    def choose(self, task: Task) -> Choice:
        while True:
            for move in task.moves():
                list(task.rules.outcomes(task.position, move))


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The clock of the move server, which is a second later with each look; the next one shows how many there were."""
    looks = count()
    monkeypatch.setattr(move_server, "time", SimpleNamespace(monotonic=lambda: next(looks)))
    return looks


def test_choosing_ends_in_time_whoever_chooses(looks: Iterator[int]):
    server = MoveServer("random", seconds=1000)
    server.agent = Endless()
    with pytest.raises(RequestError, match="in time") as caught:
        server.answer(told())
    assert caught.value.status == 503
    assert next(looks) == 1002, "no move is worked out after the last look"


def test_many_who_ask_at_once_are_answered_or_told_to_come_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(move_server, "PATIENCE", 0.2)
    full = threading.Event()

    class Late(Endless):
        def choose(self, task: Task) -> Choice:
            assert full.wait(PATIENCE)
            return super().choose(task)

    server = MoveServer("random", seconds=0.4, at_once=2)
    server.agent = Late()
    statuses: list[int] = []

    def ask() -> None:
        with Client(http.url) as client:
            statuses.append(client.post("/move", told())[0])

    with LocalServer(server.routes) as http:
        threads = [threading.Thread(target=ask) for _ in range(16)]
        for thread in threads:
            thread.start()
        try:
            wait_until(lambda: len(statuses) >= 14, "all but the two whose turn it is are told to come back")
        finally:
            full.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert statuses == [503] * 16
        server.agent, server.seconds = agents.get("random"), PATIENCE
        ask()
    assert statuses[-1] == 200


def test_an_agent_is_told_how_long_it_may_think(looks: Iterator[int]):
    heard: list[Task] = []

    class Listener:
        name = "listener"

        def choose(self, task: Task) -> Choice:
            heard.append(task)
            return Choice(task.moves()[0])

    server = MoveServer("random", seconds=1000)
    server.agent = Listener()
    server.answer(told("e2-e4"))
    assert next(looks) == 2, "one look when the request comes, one when the agent is asked"
    assert heard[0].budget.seconds == pytest.approx(0.8 * 999)
    assert heard[0].history == ("e2-e4",)
    assert heard[0].only

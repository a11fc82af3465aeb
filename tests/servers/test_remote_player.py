"""A player elsewhere: its choice is validated, and what it does wrong loses the game for it alone."""

from __future__ import annotations

import json
import logging
import random
import socket
from typing import Any

import pytest

import qchess
from qchess.__main__ import main
from qchess.errors import IllegalMoveError, InvalidMoveError
from qchess.games.quantum_chess.protocols.move_server import VIEW_LIMIT, MoveServer
from qchess.games.quantum_chess.protocols.remote_player import RemotePlayer, RemotePlayerError
from qchess.playing.agents import Task
from qchess.playing.game import Game
from qchess.rules import Result
from qchess.servers.http import LocalServer, Settings
from tests.patience import PATIENCE
from tests.servers.asking import response, saying


def task(game: Game) -> Task:
    """The task of whoever is to move in a game."""
    return Task(game.rules, game.position, random.Random(0), history=game.record().moves())


def fault(answer: bytes, game: Game | None = None) -> RemotePlayerError:
    """What a server that answers so is charged with."""
    game = game or qchess.new("quantum-chess")
    before = game.position
    with saying(answer) as (url, _), pytest.raises(RemotePlayerError) as caught:
        RemotePlayer(url).choose(task(game))
    assert game.position is before
    return caught.value


def chosen(data: dict[str, Any], game: Game) -> Any:
    with saying(response(json.dumps(data).encode())) as (url, _):
        return RemotePlayer(url).choose(task(game)).move


@pytest.mark.slow
def test_two_remote_players_play_sixty_plies_and_the_host_draws_every_outcome():
    game = qchess.new("quantum-chess", seed=7)
    settings = Settings(limit=VIEW_LIMIT)
    with LocalServer(MoveServer("random", seed=12).routes, settings=settings) as server:
        player = RemotePlayer(server.url + "/move")
        while len(game.history) < 60:
            assert not game.result
            game.play(player.choose(task(game)).move)
    answers = [answer for played in game.history for answer in played.answers]
    assert len(game.history) == 60
    assert {answer.source for answer in answers if answer.probability < 1} == {"seed 7"}


def test_a_forged_outcome_is_dropped_and_the_host_draws(caplog: pytest.LogCaptureFixture):
    drawn = set()
    with caplog.at_level(logging.WARNING, "qchess.servers"):
        for seed in range(8):
            game = qchess.new("quantum-chess", seed=seed)
            for move in ("b1^a3c3", "d7-d5"):
                game.play(move)
            move = chosen({"type": "standard", "from": 18, "to": 35, "_forceMeasurement": True, "outcome": 1}, game)
            drawn.add(game.play(move).answers[0].value)
    assert drawn == {0, 1}
    assert "_forceMeasurement" in caplog.text


@pytest.mark.parametrize(
    "data",
    [
        {"type": "standard", "from": 12, "to": 36},
        {"type": "standard", "from": 1, "to": 18, "promotion": "q"},
        {"type": "standard", "from": 12, "to": 28.0},
        {"type": "resign"},
    ],
)
def test_an_illegal_choice_or_a_forged_promotion_loses(data: dict[str, Any]):
    game = qchess.new("quantum-chess")
    error = fault(response(json.dumps(data).encode()), game)
    assert error.reason == "illegal_move"
    assert error.result(game) == Result("black", "illegal_move")


@pytest.mark.parametrize(
    "answer",
    [
        response(b"{"), response(b"[]"), response(b"{}", "500 Oops"), b"", b"nonsense\r\n\r\n",
        response(b"{", "200 OK", "Content-Length: 7\r\n"), response(b'{"a": "' + b"x" * 70000 + b'"}'),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_loses(answer: bytes):
    assert fault(answer).reason == "player_exception"


def test_no_redirect_is_followed():
    with saying(response(b"{}")) as (elsewhere, heard):
        error = fault(response(b"", "302 Found", f"Location: {elsewhere}\r\n"))
        assert error.reason == "player_exception"
        assert "302" in str(error)
        assert not heard
        # the other server is let go
        RemotePlayer(elsewhere)._ask({})


@pytest.mark.parametrize(("answer", "pause"), [(b"H", PATIENCE), (response(b" " * 400 + b"{}"), 0.05)])
def test_a_server_that_is_silent_or_dribbles_runs_out_of_time(answer: bytes, pause: float):
    with saying(answer, pause=pause) as (url, heard), pytest.raises(RemotePlayerError) as caught:
        RemotePlayer(url, seconds=0.2).choose(task(qchess.new("quantum-chess")))
    assert caught.value.reason == "timeout"
    assert b"all is said" not in heard


def test_a_server_that_is_not_there_loses():
    game = qchess.new("quantum-chess")
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))  # ours, so that nobody else listens there
        with pytest.raises(RemotePlayerError) as caught:
            RemotePlayer(f"http://127.0.0.1:{deaf.getsockname()[1]}/move").choose(task(game))
    assert caught.value.reason == "player_exception"


def test_a_token_is_sent_and_nothing_but_the_view():
    game = qchess.new("quantum-chess")
    with saying(response(json.dumps({"type": "standard", "from": 12, "to": 28}).encode())) as (url, heard):
        RemotePlayer(url, token="sesame").choose(task(game))
    head, _, body = heard[0].partition(b"\r\n\r\n")
    assert b"Authorization: Bearer sesame" in head
    assert body.startswith(b'{"view":')


@pytest.mark.parametrize("url", ["ftp://x/move", "file:///etc/passwd", "http://", "move"])
def test_other_addresses_are_refused(url: str):
    with pytest.raises(InvalidMoveError, match="expected an address"):
        RemotePlayer(url)


def test_other_games_are_refused():
    with pytest.raises(InvalidMoveError, match="quantum-chess"):
        RemotePlayer("http://127.0.0.1:1/move").choose(task(qchess.new("piece-qubit-chess")))


def test_a_remote_player_is_shown_the_game_that_led_to_the_position():
    game, other = qchess.new("quantum-chess"), qchess.new("quantum-chess")
    other.play("e2-e4")
    with pytest.raises(IllegalMoveError, match="after the moves it was given"):
        RemotePlayer("http://127.0.0.1:1/move").choose(Task(game.rules, other.position))


def test_a_remote_player_sits_at_the_terminal_by_its_address(capsys: pytest.CaptureFixture[str]):
    with LocalServer(MoveServer("greedy", seed=3).routes, settings=Settings(limit=VIEW_LIMIT)) as server:
        address = server.url + "/move"
        assert (
            main(["play", "quantum-chess", "--white", address, "--black", "random", "--plies", "6", "--seed", "1"]) == 0
        )
    assert "white (remote 127.0.0.1" in capsys.readouterr().out


def test_a_remote_player_that_gives_no_move_loses_at_the_terminal(capsys: pytest.CaptureFixture[str]):
    with saying(response(b'{"type":"standard","from":4,"to":60}')) as (url, _):
        assert main(["play", "quantum-chess", "--white", "random", "--black", url, "--plies", "6", "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    assert "chose no legal move" in shown
    assert "White wins: the opponent gave no legal move" in shown

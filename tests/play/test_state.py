"""A game's state: who is told of its changes, and when."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.circuits import Pause, Sample
from qchess.errors import BackendError
from qchess.games import names
from tests.play.test_waiting import Office, opened, work


class Closed(Office):
    """An office that takes no questions today."""

    def submit(self, pause: Pause) -> dict[str, Any]:
        raise BackendError("closed today")

    def collect(self, pause: Pause, ticket: Any) -> Sample | None:
        raise AssertionError("nothing was handed in")


def listening(game: qchess.Game) -> list[tuple[int, Any]]:
    """What every listener is told from now on: how many moves were played, and what the game waits for."""
    heard: list[tuple[int, Any]] = []

    def hear() -> None:
        waiting = json.loads(game.record().to_json()).get("pending")
        heard.append((len(game.history), waiting and ("ticket" in waiting and waiting["ticket"] is not None)))

    game.on_change.append(hear)
    return heard


def test_a_question_is_told_before_it_is_handed_in_and_after(tmp_path: Path) -> None:
    game = opened(tmp_path)
    heard = listening(game)
    game.begin("c3-d5")
    assert heard == [(2, False), (2, True)]
    assert game.collect() is None
    assert len(heard) == 2
    work(tmp_path)
    game.collect()
    game.undo()
    game.redo()
    game.undo()
    game.play("c3-d5")
    game.resign()
    assert heard[2:] == [(3, None), (2, None), (3, None), (2, None), (3, None), (3, None)]


def test_a_question_that_is_not_taken_is_told_and_taken_back(tmp_path: Path) -> None:
    game = opened(tmp_path)
    game.source = Closed(tmp_path)
    heard = listening(game)
    with pytest.raises(BackendError, match="closed today"):
        game.begin("c3-d5")
    assert heard == [(2, False), (2, None)]
    assert game.pending is None


def test_a_question_asked_again_is_told_at_each_step(tmp_path: Path) -> None:
    game = opened(tmp_path)
    game.begin("c3-d5")
    heard = listening(game)
    game.ask_again()
    assert heard == [(2, False)]
    assert game.collect() is None
    assert heard[1:] == [(2, False), (2, True)]


# -- laws of the state ------------------------------------------------------------------------------------------------


def at_random(name: str, rng: random.Random, plies: int = 14) -> qchess.Game:
    """A game of random moves, some of them taken back."""
    game = qchess.new(name, seed=rng.getrandbits(30))
    while len(game.history) < plies and not game.is_over:
        game.play(rng.choice(game.moves()))
        if rng.random() < 0.2:
            game.undo()
    return game


games = pytest.mark.parametrize("name", names())


@games
def test_what_is_taken_back_and_played_again_is_the_same_state(name: str) -> None:
    for seed in range(5):
        game = at_random(name, random.Random(seed))
        state, plies = game.state, len(game.history)
        for _ in range(plies):
            game.undo()
        assert game.position is state.start
        assert (game.history, game.state.answers) == ((), state.answers)
        for _ in range(plies):
            game.redo()
        assert game.state == state


@games
def test_a_game_that_was_cut_and_followed_is_the_game_itself(name: str) -> None:
    """Played on from its present state in another process, or here: the same record, numbers and answers."""
    for seed in range(3):
        rng = random.Random(seed)
        game = at_random(name, rng, 6)
        sent = game.cut()
        assert (sent.moves, sent.position) == ((), game.position)
        other = game.at(pickle.loads(pickle.dumps(sent)))
        for _ in range(4):
            if not other.is_over:
                other.play(rng.choice(other.moves()))
        follower, heard = game.at(game.state), listening(game)
        for played in other.history:
            follower.play(played.move)
        game.follow(pickle.loads(pickle.dumps(other.state)))
        assert len(heard) == 1
        assert game.record().entries == follower.record().entries
        assert game.record().standing == follower.record().standing
        assert [played.line for played in game.history] == [played.line for played in follower.history]
        assert game.view().registers == follower.view().registers == other.view().registers


@games
def test_a_state_is_never_changed_by_the_games_that_had_it(name: str) -> None:
    rng = random.Random(7)
    game = at_random(name, rng)
    record = game.record().to_json()
    state, answers, asked = game.state, dict(game.state.answers), dict(game.state.asked)
    for other in (game.fork(seed=2), game.at(state), game.at(game.cut(2))):
        for _ in range(3):
            if not other.is_over:
                other.play(rng.choice(other.moves()))
        other.undo()
    assert game.state is state
    assert (state.answers, state.asked) == (answers, asked)
    assert game.at(state).record().entries == game.record().entries
    assert game.record().to_json() == record

"""A game's state: who is told of its changes, and when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.circuits import Draw, Pause
from qchess.errors import BackendError
from tests.play.test_waiting import Office, opened, work


class Closed(Office):
    """An office that takes no questions today."""

    def submit(self, pause: Pause) -> dict[str, Any]:
        raise BackendError("closed today")

    def collect(self, pause: Pause, ticket: Any) -> Draw | None:
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

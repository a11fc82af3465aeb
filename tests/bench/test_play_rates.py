"""The rates of random self-play: a game that outgrows its branches is counted, and stops nothing."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks.play import Course, one_game, played, rate
from qchess import backends
from qchess.games.quantum_chess import QuantumChess


def test_games_that_outgrow_their_branches_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    small = partial(backends.engine, branch_limit=8)
    monkeypatch.setattr(backends, "engine", small)
    found = rate(partial(one_game, QuantumChess()), games=3)
    assert (found["games"], found["outgrown"], found["ended"]) == (3, 3, 0)
    assert 0 < found["plies"] < 3 * 200


def test_a_game_as_users_play_it_says_how_it_went() -> None:
    course = played("quantum-chess", 1, backend="sparse,branch_limit=8")
    assert course == Course(course.plies, course.seconds, ended=False, outgrown=True)
    assert 0 < course.plies < 200
    assert played("quantum-chess", 1, quantum=False)[2:] == (True, False)

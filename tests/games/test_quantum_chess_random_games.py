"""Random games of Quantum Chess under every law of `check_game`, with quantum moves, on all engines.

The slow tests play three games, one of them to its end, and as many as ``QCHESS_GAMES`` says: a thousand take about
half an hour.
"""

import os

import pytest

from qchess.games import rules
from qchess.testing import check_game

GAMES = int(os.environ.get("QCHESS_GAMES", "2"))


@pytest.mark.parametrize("profile", ["standard", "sdk-0.2.2"])
def test_random_games_hold_every_law(profile: str) -> None:
    report = check_game(rules("quantum-chess", profile=profile), games=2, plies=30, seed=11, sample=10, frequency=100)
    assert report.plies == 60


@pytest.mark.slow
@pytest.mark.parametrize("first", range(9, 9 + GAMES))
def test_random_games_to_their_end_or_200_plies(first: int) -> None:
    report = check_game(rules("quantum-chess"), games=1, plies=200, seed=first, frequency=10, sample=2)
    assert report.games == 1
    assert report.compared >= report.plies + report.games  # every position was met again in the replay


@pytest.mark.slow
@pytest.mark.parametrize("first", range(5000, 5000 + min(100, -(-GAMES // 4))))
def test_two_random_games_agree_on_sparse_cirq_and_aer(first: int) -> None:
    engines = ("sparse", "cirq", "aer")
    report = check_game(rules("quantum-chess"), games=1, plies=200, seed=first, engines=engines, frequency=0, sample=2)
    assert report.compared > report.plies + report.games  # the small positions, on the other engines too

"""Random games of Quantum Chess under every law of `check_game`, with quantum moves, on all engines."""

import pytest

from qchess.games import rules
from qchess.testing import check_game


@pytest.mark.parametrize("profile", ["standard", "sdk-0.2.2"])
def test_random_games_hold_every_law(profile: str) -> None:
    report = check_game(rules("quantum-chess", profile=profile), games=2, plies=50, seed=11, sample=10)
    assert report.plies == 100


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_a_thousand_random_games_to_their_end_or_200_plies(first: int) -> None:
    report = check_game(rules("quantum-chess"), games=100, plies=200, seed=first, frequency=10, sample=2)
    assert report.games == 100
    assert report.compared >= report.plies + report.games  # every position was met again in the replay


@pytest.mark.slow
def test_a_hundred_random_games_agree_on_sparse_cirq_and_aer() -> None:
    engines = ("sparse", "cirq", "aer")
    report = check_game(rules("quantum-chess"), games=100, plies=200, seed=5000, engines=engines, frequency=0, sample=2)
    assert report.compared > report.plies * 1.5

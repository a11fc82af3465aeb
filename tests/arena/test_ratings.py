"""TrueSkill for two players, against published values and against another implementation."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qchess.arena.ratings import Rating, Trueskill

SYSTEM = Trueskill()
ratings = st.builds(Rating, st.floats(-20, 70), st.floats(0.3, 9))


def values(*ratings: Rating) -> list[float]:
    return [round(x, 3) for rating in ratings for x in (rating.mu, rating.sigma)]


def test_the_draw_margin_is_the_one_of_the_usual_defaults() -> None:
    # J. Moser, "The Math Behind TrueSkill" (2010): epsilon = 0.740466 for beta 25/6 and 10 % draws
    assert SYSTEM.margin == pytest.approx(0.740466, abs=1e-5)


@pytest.mark.parametrize(
    ("first", "second", "drawn", "expected"),
    # the two-player table of J. Moser's test suite for "Computing Your Skill", which agrees with Microsoft's calculator
    [
        ((25, 25 / 3), (25, 25 / 3), False, [29.396, 7.171, 20.604, 7.171]),
        ((25, 25 / 3), (25, 25 / 3), True, [25.0, 6.458, 25.0, 6.458]),
        ((25, 25 / 3), (50, 12.5), True, [31.662, 7.137, 35.010, 7.910]),
    ],
)
def test_published_values(
    first: tuple[float, float], second: tuple[float, float], drawn: bool, expected: list[float]
) -> None:
    assert values(*SYSTEM.update(Rating(*first), Rating(*second), drawn)) == pytest.approx(expected, abs=1.1e-3)


def test_the_published_chess_example() -> None:
    # the same source: beta 200, tau 4, 3 % draws
    chess = Trueskill(200.0, 4.0, 0.03)
    found = chess.update(Rating(1301.0007, 42.9232), Rating(1188.7560, 42.5570))
    assert values(*found) == pytest.approx([1304.782, 42.844, 1185.038, 42.486], abs=1.1e-3)


@given(ratings, ratings)
def test_a_win_moves_both_apart_and_a_draw_brings_them_together(first: Rating, second: Rating) -> None:
    winner, loser = SYSTEM.update(first, second)
    assert winner.mu >= first.mu
    assert loser.mu <= second.mu
    one, other = SYSTEM.update(first, second, drawn=True)
    assert (one.mu - first.mu) * (first.mu - second.mu) <= 1e-12
    assert (other.mu - second.mu) * (second.mu - first.mu) <= 1e-12


@given(ratings, ratings, st.booleans())
def test_a_game_never_makes_skills_less_certain_but_for_the_dynamics(
    first: Rating, second: Rating, drawn: bool
) -> None:
    for before, after in zip((first, second), SYSTEM.update(first, second, drawn), strict=True):
        assert 0 < after.sigma <= math.hypot(before.sigma, SYSTEM.tau) + 1e-12
        assert math.isfinite(after.mu)


@given(ratings, ratings)
def test_a_draw_does_not_care_who_is_named_first(first: Rating, second: Rating) -> None:
    there, back = SYSTEM.update(first, second, drawn=True), SYSTEM.update(second, first, drawn=True)
    assert values(*there) == values(*reversed(back))


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [False, True])
def test_the_posterior_is_the_one_that_sampling_finds(drawn: bool) -> None:
    # skills and performances drawn from the model; those games that ended as told are kept
    first, second, rng = Rating(27.0, 4.0), Rating(24.0, 6.0), random.Random(1)
    plain = Trueskill(tau=0.0, draw_probability=0.25)
    kept = []
    for _ in range(200_000):
        skills = rng.gauss(first.mu, first.sigma), rng.gauss(second.mu, second.sigma)
        ahead = rng.gauss(skills[0], plain.beta) - rng.gauss(skills[1], plain.beta)
        if abs(ahead) <= plain.margin if drawn else ahead > plain.margin:
            kept.append(skills)
    for k, found in enumerate(plain.update(first, second, drawn)):
        mean = sum(skills[k] for skills in kept) / len(kept)
        spread = math.sqrt(sum((skills[k] - mean) ** 2 for skills in kept) / len(kept))
        assert found.mu == pytest.approx(mean, abs=0.12)
        assert found.sigma == pytest.approx(spread, abs=0.12)


def test_unlikely_results_stay_finite_and_in_order() -> None:
    gains = [SYSTEM.update(Rating(25 - gap, 1.0), Rating(25, 1.0))[0].mu - 25 + gap for gap in range(0, 400, 5)]
    assert all(earlier < later for earlier, later in pairwise(gains))
    draws = [
        SYSTEM.update(Rating(25 - gap, 1.0), Rating(25, 1.0), drawn=True)[0].mu - 25 + gap for gap in range(0, 400, 5)
    ]
    assert all(earlier < later for earlier, later in pairwise(draws))


def test_the_package_trueskill_gives_the_same() -> None:
    other = pytest.importorskip("trueskill")
    rng = random.Random(2)
    for _ in range(300):
        one, two = (Rating(rng.uniform(5, 45), rng.uniform(0.5, 9)) for _ in range(2))
        drawn = rng.random() < 0.3
        found = SYSTEM.update(one, two, drawn)
        told = other.rate_1vs1(*(other.Rating(r.mu, r.sigma) for r in (one, two)), drawn=drawn)
        for mine, theirs in zip(found, told, strict=True):
            assert (mine.mu, mine.sigma) == pytest.approx((theirs.mu, theirs.sigma), abs=1e-5)

"""Scores, intervals, sequential tests and schedules."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qchess.arena.schedule import Fixture, fixtures
from qchess.arena.sequential import ACCEPTED, REJECTED, SequentialTest, _draw_rate, _likelihood
from qchess.arena.statistics import Score, wilson, z_of_means, z_of_proportions
from qchess.errors import InvalidMoveError

scores = st.builds(Score, st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))


def test_wilson_gives_the_textbook_values() -> None:
    # Newcombe (1998), table I, method 3: 81 of 263 and 0 of 20 and 1 of 29
    assert [round(x, 4) for x in wilson(81, 263)] == [0.2553, 0.3662]
    assert [round(x, 4) for x in wilson(0, 20)] == [0.0, 0.1611]
    assert [round(x, 4) for x in wilson(1, 29)] == [0.0061, 0.1718]


@given(scores)
def test_an_interval_holds_its_mean_and_turns_with_the_board(score: Score) -> None:
    assume(score.games)
    low, high = score.interval()
    assert 0 <= low <= score.mean + 1e-12
    assert score.mean - 1e-12 <= high <= 1
    assert score.turned().interval() == pytest.approx((1 - high, 1 - low))
    assert score.turned().mean == pytest.approx(1 - score.mean)


def test_the_interval_covers_the_true_score_as_often_as_it_says() -> None:
    rng, covered, tries = random.Random(3), 0, 2000
    for _ in range(tries):
        seen = Counter(rng.choices("wdl", (0.5, 0.1, 0.4), k=120))
        low, high = Score(seen["w"], seen["d"], seen["l"]).interval()
        covered += low <= 0.55 <= high
    assert covered / tries >= 0.94  # draws make it wide: at least 95 %, less 2 standard errors of 0.5 %


def test_ratings_apart_by_400_score_ten_to_one() -> None:
    assert Score(wins=10, losses=1).elo == pytest.approx(400)
    assert Score(wins=3).elo == math.inf
    assert math.isnan(Score().elo)


def test_the_z_of_two_means_and_of_two_proportions() -> None:
    assert z_of_means(10, 3, 5, 4) == pytest.approx(1)
    # two-proportion test by hand: 60/100 and 45/100, pooled 0.525
    assert z_of_proportions(60, 100, 45, 100) == pytest.approx(0.15 / math.sqrt(0.525 * 0.475 * 0.02), abs=0.02)
    assert z_of_proportions(45, 100, 60, 100) == -z_of_proportions(60, 100, 45, 100)
    assert z_of_proportions(0, 10, 0, 10) == 0
    assert z_of_proportions(10, 10, 10, 10) == 0
    assert z_of_proportions(900, 1000, 1000, 10_000) > 30


@pytest.mark.parametrize("events", [1, 2, 5, 40])
def test_rare_events_are_compared_exactly(events: int) -> None:
    """Where events fall on 1,000 and 10,000 games by chance, z has a spread of 1; a single event is no surprise."""
    square = sum(
        math.comb(events, k) * (1 / 11) ** k * (10 / 11) ** (events - k)
        * z_of_proportions(k, 1000, events - k, 10_000) ** 2
        for k in range(events + 1)
    )  # fmt: skip
    assert 0.2 < square < 1.05
    assert abs(z_of_proportions(1, 1000, 0, 10_000)) < 1.7


@given(scores, st.floats(0.05, 0.95))
def test_the_draw_rate_of_a_hypothesis_is_the_likeliest(score: Score, mean: float) -> None:
    assume(score.games)
    best, top = _likelihood(score, mean), 2 * min(mean, 1 - mean)
    assert -1e-9 <= _draw_rate(score, mean) <= top + 1e-9
    for k in range(1, 40):
        rate = top * k / 40
        terms = ((score.wins, mean - rate / 2), (score.draws, rate), (score.losses, 1 - mean - rate / 2))
        assert sum(n * math.log(p) for n, p in terms if n) <= best + 1e-6


@pytest.mark.parametrize(("mean", "draws"), [(0.5, 0.0), (0.5, 0.6), (0.6, 0.0), (0.6, 0.5)])
def test_sequential_tests_err_no_more_often_than_they_say(mean: float, draws: float) -> None:
    test, rng, verdicts = SequentialTest(0.5, 0.6, 0.05, 0.05), random.Random(4), Counter[str | None]()
    odds = (mean - draws / 2, draws, 1 - mean - draws / 2)
    for _ in range(300):
        seen = [0, 0, 0]
        for _ in range(3000):
            seen[rng.choices((0, 1, 2), odds)[0]] += 1
            if verdict := test.verdict(Score(*seen)):
                verdicts[verdict] += 1
                break
    wrong = verdicts[ACCEPTED if mean == 0.5 else REJECTED]
    assert sum(verdicts.values()) == 300
    assert wrong / 300 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)


def test_a_sequential_test_rejects_when_it_would_accept_the_game_seen_from_the_other_side() -> None:
    test, mirrored = SequentialTest(0.4, 0.6, 0.05, 0.05), {ACCEPTED: REJECTED, REJECTED: ACCEPTED, None: None}
    verdicts = Counter[str | None]()
    for wins, draws, losses in product(range(40), (0, 1, 5), range(40)):
        verdict = test.verdict(Score(wins, draws, losses))
        assert test.verdict(Score(losses, draws, wins)) == mirrored[verdict], (wins, draws, losses)
        verdicts[verdict] += 1
    assert min(verdicts.values()) > 100


@pytest.mark.parametrize(("losses", "verdict"), [(7, None), (8, REJECTED)])
def test_wald_s_bounds_are_the_textbook_s(losses: int, verdict: str | None) -> None:
    """Without a win each loss counts ln(.6 / .4) against the better hypothesis; at -ln 19 it is rejected."""
    test = SequentialTest(0.4, 0.6, 0.05, 0.05)
    assert test.evidence(Score(0, 0, losses)) == pytest.approx(-losses * math.log(1.5))
    assert test.verdict(Score(0, 0, losses)) == verdict


def test_hypotheses_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(InvalidMoveError, match="worse < better"):
        SequentialTest(0.6, 0.5)


def test_a_round_of_four_is_the_papers_twelve_games() -> None:
    # shared rules, section 7, E3: the order of one round
    seats = [fixture.seats for fixture in fixtures("round-robin", "0123", 1)]
    assert " ".join("".join(pair) for pair in seats) == "01 10 02 20 03 30 12 21 13 31 23 32"


@given(st.integers(2, 6), st.integers(1, 4), st.sampled_from(["round-robin", "gauntlet"]))
def test_colours_are_balanced_and_return_games_share_their_opening(size: int, rounds: int, system: str) -> None:
    games = list(fixtures(system, "abcdef"[:size], rounds))
    assert [game.number for game in games] == list(range(len(games)))
    seats = Counter(game.seats for game in games)
    assert all(seats[a, b] == seats[b, a] == rounds for a, b in seats)
    for there, back in zip(games[::2], games[1::2], strict=True):
        assert there.seats == back.seats[::-1]
        assert there.opening == back.opening


def test_a_system_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidMoveError, match="knockout"):
        list(fixtures("knockout", "ab", 1))
    assert Fixture(0, ("a", "b"), 0).number == 0

"""The experiments: what they play, what they compare, what they leave behind."""

from __future__ import annotations

import csv
import json
import math
import random
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from qchess import backends
from qchess.__main__ import main, parser
from qchess.arena.statistics import z_of_means
from qchess.errors import InvalidMoveError, MissingExtraError
from qchess.games.quantum_checkers.experiments import complexity, drawing, published, tournaments, verdicts
from qchess.games.quantum_checkers.experiments.complexity import Setting
from qchess.games.quantum_checkers.experiments.randomgames import Job, by_rules, play

SMALL = Setting(sizes=(5,), levels=(0, 3), games=40, draws=(True, False), seed=3)


def test_the_published_figures_are_those_of_the_papers_data() -> None:
    # arXiv 2506.05962, Fig. 7 and Figs. 9 and 10, as the authors' repository has them
    assert len(published.COMPLEXITY[True]) == 28
    cell = published.COMPLEXITY[True][8, 2]
    assert (cell.plies, cell.deviation, cell.draws, cell.white, cell.branching) == (59.489, 25.25, 0.402, 0.288, 8.614)
    assert cell.error == pytest.approx(25.25 / math.sqrt(1000))
    assert published.COMPLEXITY[False][10, 1].reliable
    assert not published.COMPLEXITY[False][10, 2].reliable
    assert (10, 3) not in published.COMPLEXITY[False]
    assert published.RATINGS[5][3][3] == (30.506, 0.864)
    assert published.RATINGS[8][0][0] == (9.301, 3.117)


def test_the_core_and_the_rules_play_the_same_random_games_on_average() -> None:
    job = Job(5, 3, True, "cheqqers_2025_03", 1, 0, 2000)
    rules = job.rules()
    start = rules.start(backends.engine("sparse"))
    by_core, slow = play(job), [by_rules(rules, start, random.Random(seed)) for seed in range(150)]
    for what in ("plies", "captures", "branching"):
        ours, theirs = ([float(getattr(game, what)) for game in games] for games in (by_core, slow))
        errors = [stdev(sample) / math.sqrt(len(sample)) for sample in (ours, theirs)]
        assert abs(z_of_means(fmean(ours), errors[0], fmean(theirs), errors[1])) < 3.5, what


def test_a_board_of_five_gives_the_lengths_of_an_independent_program() -> None:
    # shared rules, section 8: the expected means of the preset on 5x5, 6,000 games a cell
    expected = {0: (15.14, 0.09), 1: (16.38, 0.11), 2: (18.26, 0.13), 3: (17.98, 0.12)}
    for level, (mean, error) in expected.items():
        lengths = [game.plies for game in play(Job(5, level, True, "cheqqers_2025_03", 2, 0, 4000))]
        z = z_of_means(fmean(lengths), stdev(lengths) / math.sqrt(len(lengths)), mean, error)
        assert abs(z) < 3.5, level


def test_an_experiment_is_the_same_again_and_after_a_break(tmp_path: Path) -> None:
    whole = complexity.run(SMALL, tmp_path / "a")
    text = (tmp_path / "a").read_bytes()
    (tmp_path / "b").write_bytes(text[: len(text) // 2])
    assert complexity.run(SMALL, tmp_path / "b") == whole
    assert (tmp_path / "b").read_bytes() == text
    with pytest.raises(InvalidMoveError, match="holds other work"):
        complexity.run(Setting(sizes=(5,), games=40), tmp_path / "a")


def test_cells_are_compared_with_the_published_ones(tmp_path: Path) -> None:
    cells = complexity.run(SMALL, tmp_path / "a")
    assert [(cell.size, cell.level, cell.draws) for cell in cells] == [
        (5, 0, True), (5, 3, True), (5, 0, False), (5, 3, False),
    ]  # fmt: skip
    for cell in cells:
        told = published.COMPLEXITY[cell.draws][5, cell.level]
        assert cell.z == pytest.approx((cell.plies - told.plies) / math.hypot(cell.error, told.error))
        assert cell.z is not None
        assert abs(cell.z) < 4
        assert cell.white + cell.black + cell.draw_rate == pytest.approx(1)
        assert (cell.entangled == 0) == (cell.level == 0)  # nothing splits at level 0
    text = verdicts.complexity(cells, "cheqqers_2025_03")
    assert "Beyond |z| = 3: 0 of 6 figures" in text
    assert len(complexity.table(cells).splitlines()) == 5


@pytest.mark.parametrize(("freedom", "point"), [(20, 37.57), (28, 48.28), (48, 73.68)])
def test_the_points_of_the_chi_square_distribution(freedom: int, point: float) -> None:
    assert verdicts.chi_square_point(freedom) == pytest.approx(point, abs=0.03)  # any table of the distribution


def test_a_search_is_scored_by_level_and_colour(tmp_path: Path) -> None:
    places = tournaments.Places(tmp_path)
    scores = tournaments.strength(places, agents=("mcts",), levels=(0, 3), simulations=20, games=3)
    assert {(level, colour): score.games for (_, level, colour), score in scores.items()} == {
        (0, "white"): 3, (0, "black"): 3, (3, "white"): 3, (3, "black"): 3,
    }  # fmt: skip
    assert "mcts, level 3: wins" in tournaments.strength_text(scores)


def test_the_ladder_is_the_papers_tournament(tmp_path: Path) -> None:
    found = tournaments.ladder(tournaments.Places(tmp_path), levels=(0,), budgets=(2, 4, 8), rounds=2)
    assert found[0].players == ("random", "mcts-paper@2", "mcts-paper@4", "mcts-paper@8")
    assert {score.games for score in found[0].scores.values()} == {12}  # six a round for each of four players
    plan = json.loads((tmp_path / "trueskill-mcts-paper-5x5-level0.jsonl").read_text().splitlines()[0])
    assert plan["options"] == {"level": 0, "profile": "cheqqers_2025_03", "rows": 1, "size": 5}
    assert "published" not in tournaments.ladder_text(found, 5)  # other budgets than the published ones
    with pytest.raises(InvalidMoveError, match="6x6"):
        tournaments.ladder(tournaments.Places(tmp_path), size=6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "name", "rows", "more"),
    [
        (["complexity", "--sizes", "5", "--levels", "0,3", "--games", "20"], "complexity", 4,
         ("branching", "entanglement")),
        (["mcts", "--levels", "0", "--games", "2", "--simulations", "5", "--agents", "mcts"], "strength", 2, ()),
        (["trueskill", "--levels", "0", "--rounds", "1", "--budgets", "2,4"], "trueskill-mcts-paper-5x5", 3, ()),
    ],
)  # fmt: skip
def test_the_command_leaves_figures_tables_and_plots(
    arguments: list[str], name: str, rows: int, more: tuple[str, ...], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    pytest.importorskip("matplotlib")
    assert main(["experiment", *arguments, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / f"{name}.txt").read_text() == printed
    data: dict[str, Any] = json.loads((tmp_path / f"{name}.json").read_text())
    assert "setting" in data
    with (tmp_path / f"{name}.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == rows
    for plot in (name, *more):
        assert (tmp_path / f"{plot}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (tmp_path / f"{plot}.svg").read_text()


def test_the_defaults_are_the_papers_parameters() -> None:
    asked = parser().parse_args(["experiment", "complexity", "--out", "there"])
    assert (asked.sizes, asked.levels, asked.games, asked.profile, asked.draws, asked.seed) == (
        (5, 6, 7, 8, 10, 12, 14), (0, 1, 2, 3), 1000, "cheqqers_2025_03", "both", 0
    )  # fmt: skip


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"qchess\[viz\]"):
        drawing.figure(1, 1, (1, 1))

"""Twelve programs as users of Unitary's board write them: only their import line names this project."""

import runpy
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

from qchess.compat import CirqBoard

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def run(program: Path, seed: int):
    """Runs a program's ``main`` with seeded boards; they are seeded from here, since programs know no seed."""
    main = runpy.run_path(str(program))["main"]
    main.__globals__["CirqBoard"] = partial(CirqBoard, seed=seed)
    return main()


def named(name: str) -> Path:
    return next(program for program in PROGRAMS if program.stem == name)


def test_there_are_twelve():
    assert len(PROGRAMS) == 12


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_it_takes_all_it_needs_from_one_module(program: Path):
    lines = [line for line in program.read_text(encoding="utf-8").splitlines() if "qchess" in line]
    assert len(lines) == 1
    assert lines[0].startswith("from qchess.compat import ")


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_it_runs(program: Path, seed: int):
    run(program, seed)


def test_sixteen_measurements_fall_differently_and_repeat_with_their_seed():
    games = [tuple(run(named("sixteen_measurements"), seed)) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]
    assert all(0 < sum(found) < 16 for found in games)


def test_the_printed_game_shows_per_cents_below_what_is_uncertain():
    first, *_, last = run(named("printed_game"), seed=1)
    assert {first.splitlines()[0], first.splitlines()[17]} == {" +" + "-" * 25 + "+"}
    assert first.splitlines()[1:3] == ["8| r  n  b  q  k  b  n  r  |", " |" + " " * 25 + "|"]
    ranks = dict(zip("87654321", last.splitlines()[1:17:2], strict=True))
    assert ranks["6"] == "6| .  .  .  .  .  n  .  .  |"
    assert ranks["3"] == "3| N  .  N  .  .  .  .  .  |"
    below = last.splitlines()[12]
    assert abs(int(below[2:5]) + int(below[8:11]) - 100) <= 1


def test_the_search_finds_every_pair_of_squares_from_which_both_ways_lead_to_the_target():
    pairs = ["".join(pair) for pair in permutations(["b3", "b7", "a8"], 2)]
    assert run(named("puzzle_search"), seed=1) == [f"{pair}^f3" for pair in pairs]

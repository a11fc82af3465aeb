"""Tournaments: the same seeds give the same file, however often they were killed and wherever they were played."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.arena.plan import Plan
from qchess.arena.playing import Line, play
from qchess.arena.resultfile import ResultFile, read
from qchess.arena.schedule import Fixture
from qchess.arena.sequential import ACCEPTED, SequentialTest
from qchess.arena.standings import standings, table
from qchess.arena.statistics import Score
from qchess.arena.tournament import run
from qchess.errors import InvalidMoveError, QchessError
from qchess.playing import agents
from qchess.playing.agents import Budget, Task
from qchess.playing.game import Game
from tests.patience import PATIENCE, wait_until
from tests.toygame import Toy

ROOT = Path(__file__).parents[2]
TOY = "tests.toygame:Toy"
SMALL = Plan(TOY, ("random", "greedy", "mcts@20"), rounds=2, seed=7)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the small tournament; each game is written down as it ends, and nothing is changed."""
    path = tmp_path_factory.mktemp("tournament") / "whole"
    run(SMALL, path)
    return path


def test_the_same_plan_gives_the_same_file(whole: Path, tmp_path: Path) -> None:
    found = run(SMALL, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == whole.read_bytes()
    assert tuple(read(whole)[1]) == tuple(found.lines)
    assert [line.number for line in found.lines] == list(range(12))


def test_another_seed_gives_other_games(whole: Path, tmp_path: Path) -> None:
    other = Plan(TOY, SMALL.players, rounds=2, seed=8)
    assert [a.moves for a in read(whole)[1]] != [b.moves for b in run(other, tmp_path / "b").lines]


def test_two_workers_give_the_file_that_one_gives(whole: Path, tmp_path: Path) -> None:
    run(SMALL, tmp_path / "two", workers=2)
    assert whole.read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("cut", [0, 1, 40, 400, 900, -1, -30])
def test_a_file_cut_anywhere_is_played_on_to_the_same_end(cut: int, whole: Path, tmp_path: Path) -> None:
    broken, text = tmp_path / "broken", whole.read_bytes()
    broken.write_bytes(text[:cut])
    run(SMALL, broken)
    assert broken.read_bytes() == text


def test_games_that_are_there_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = run(SMALL, tmp_path / "a").lines
    monkeypatch.setattr("qchess.arena.tournament.play", lambda plan, fixture: pytest.fail(f"played {fixture}"))
    assert run(SMALL, tmp_path / "a").lines == lines


#: a tournament that waits for its end once so many games are written down
WAITS = """
import sys, time
from qchess.__main__ import main
from qchess.arena.resultfile import ResultFile
if __name__ == "__main__":
    count, keep = int(sys.argv.pop(1)), ResultFile.keep
    def kept(self, line):
        keep(self, line)
        if len(self.games) == count:
            time.sleep(1000)
    ResultFile.keep = kept
    main(sys.argv[1:])
"""


def written(out: Path, games: int) -> bool:
    return out.exists() and out.read_bytes().count(b"\n") > games


@pytest.mark.slow
def test_a_tournament_killed_twice_ends_like_one_left_alone(tmp_path: Path) -> None:
    arguments = ["arena", "play", "quantum-chess", "random", "greedy:width=5", "--plies", "24", "--rounds", "6"]
    arguments += ["--seed", "5", "--workers", "2", "--out"]
    killed, alone, script = tmp_path / "killed", tmp_path / "alone", tmp_path / "waits.py"
    script.write_text(WAITS, encoding="utf-8")
    for finished in (2, 6):
        process = subprocess.Popen(
            [sys.executable, script, str(finished), *arguments, killed],
            cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        wait_until(partial(written, killed, finished), f"{finished} games are written down")
        os.killpg(process.pid, signal.SIGKILL)  # the tournament and its workers
        assert process.wait() == -signal.SIGKILL
        assert len(read(killed)[1]) == finished
    for out in (killed, alone):
        command = [sys.executable, "-m", "qchess", *arguments, str(out)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, timeout=2 * PATIENCE)
    assert killed.read_bytes() == alone.read_bytes()
    plan, lines = read(killed)
    assert standings(plan.players, lines).ratings == standings(plan.players, read(alone)[1]).ratings


LEADER = """
import os, time
from qchess.playing.workers import pool
if __name__ == "__main__":
    workers = pool(2)
    print(*{workers.submit(os.getpid).result() for _ in range(20)}, flush=True)
    time.sleep(1000)
"""


@pytest.mark.slow
def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "leader.py"
    script.write_text(LEADER, encoding="utf-8")
    leader = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    with leader:
        assert leader.stdout
        workers = [int(word) for word in leader.stdout.readline().split()]
        leader.kill()
    assert workers
    wait_until(lambda: not any(map(alive, workers)), f"{workers} have ended")


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_file_of_another_tournament_is_refused_and_left_alone(tmp_path: Path) -> None:
    run(SMALL, tmp_path / "a")
    before = (tmp_path / "a").read_bytes()
    with pytest.raises(InvalidMoveError, match="its seed is 7, not 8"):
        run(Plan(TOY, SMALL.players, rounds=2, seed=8), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == before


def test_rounds_may_be_added_but_not_taken_away(tmp_path: Path) -> None:
    longer = dataclasses.replace(SMALL, rounds=3)
    run(SMALL, tmp_path / "a")
    run(longer, tmp_path / "a")
    run(longer, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with pytest.raises(InvalidMoveError, match="its rounds is 3, not 2"):
        run(SMALL, tmp_path / "a")


def test_a_file_that_another_tournament_writes_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with ResultFile(tmp_path / "a", SMALL), pytest.raises(InvalidMoveError, match="another process"):
        run(SMALL, tmp_path / "a")


def test_a_plan_that_cannot_be_played_leaves_no_file(tmp_path: Path) -> None:
    for plan in (Plan(TOY, ("random", "nobody")), Plan("nothing", ("random", "greedy"))):
        with pytest.raises(QchessError, match=r"nobody|nothing"):
            run(plan, tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_return_games_begin_with_the_same_opening() -> None:
    plan = Plan(TOY, ("random", "greedy"), rounds=3, seed=1, random_plies=4)
    openings = [play(plan, fixture).moves.split()[:4] for fixture in plan.fixtures()]
    assert openings[::2] == openings[1::2]
    assert len({tuple(opening) for opening in openings}) > 1


def test_written_openings_are_played_in_turn() -> None:
    plan = Plan(TOY, ("random", "greedy"), rounds=2, openings=(("b1-a1",), ("b1^a1c1", "?a1.m0")))
    begun = [play(plan, fixture).moves for fixture in plan.fixtures()]
    assert [moves.startswith("b1-a1") for moves in begun] == [True, True, False, False]
    assert all(moves.startswith("b1^a1c1 ?a1.m0") for moves in begun[2:])


def test_a_game_that_takes_too_long_is_a_draw() -> None:
    line = play(Plan(TOY, ("random", "greedy"), plies=3), Fixture(0, ("random", "greedy"), 0))
    assert (line.winner, line.plies, line.reason) == (None, 3, "stopped after 3 plies")


def stronger(plan: Plan, fixture: Fixture) -> Line:
    """A player who wins three games of four, without the work."""
    wins = fixture.number % 4 != 3
    return Line(fixture.number, *fixture.seats, plan.players[0] if wins else plan.players[1], "", 1, "")


def test_a_sequential_test_stops_a_match_and_counts_whole_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qchess.arena.tournament.play", stronger)
    plan = Plan(TOY, ("random", "greedy"), rounds=500)
    outcome = run(plan, tmp_path / "a", test=SequentialTest(0.5, 0.6))
    assert outcome.verdict == ACCEPTED
    assert len(outcome.lines) % 2 == 0
    assert len(outcome.lines) < 150
    text = (tmp_path / "a").read_bytes()
    assert run(plan, tmp_path / "a", test=SequentialTest(0.5, 0.6)) == outcome
    assert (tmp_path / "a").read_bytes() == text
    with pytest.raises(InvalidMoveError, match="match of two"):
        run(SMALL, tmp_path / "b", test=SequentialTest())


def test_standings_count_every_game_for_both_sides(tmp_path: Path) -> None:
    found = run(SMALL, tmp_path / "a").standings
    assert sum(score.wins for score in found.scores.values()) == sum(score.losses for score in found.scores.values())
    for player in found.players:
        against = [score for (mine, _), score in found.pairs.items() if mine == player]
        assert sum(against, Score()) == found.scores[player] == sum(found.seats[player].values(), Score())
        assert player in table(found)
    assert found.ranked()[0] == max(found.ratings, key=lambda player: found.ratings[player].mu)


@pytest.mark.parametrize(
    "text", ["", "mcts@", "mcts@0", "mcts@1.5", "mcts@1s:", "mcts:reuse", "mcts:wings=2", "nobody", "random@5:x=1"]
)
def test_a_word_that_is_no_agent_is_refused(text: str) -> None:
    with pytest.raises(QchessError):
        agents.get(text)


def test_a_word_gives_its_budget_to_tasks_that_name_none() -> None:
    rules = Toy()
    position = Game(rules, seed=0).position
    visits = [
        sum(
            c.visits or 0
            for c in agents.get("mcts@30").choose(Task(rules, position, random.Random(1), budget)).candidates
        )
        for budget in (Budget(), Budget(simulations=12))
    ]
    assert visits == [30, 12]


def test_the_command_plays_shows_and_speaks_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qchess.games.catalogue.GAMES.registered", {})
    file = str(tmp_path / "a")
    assert main(["arena", "play", TOY, "random", "greedy", "--rounds", "2", "--out", file, "--option", "limit=6"]) == 0
    assert "4 of 4 games" in capsys.readouterr().out
    assert main(["arena", "show", file, "--json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert data["games"] == 4
    assert {row["player"] for row in data["players"]} == {"random", "greedy"}
    assert main(["arena", "play", TOY, "random", "--out", file]) == 2
    assert "two or more" in capsys.readouterr().err

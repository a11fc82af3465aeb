"""UQCI: lines in, lines out; outcomes come with the position and never go with a move."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import qchess
from qchess.games.quantum_chess.protocols.uqci import Engine, write
from qchess.playing.agents import Budget, Choice, Task
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


def said(*lines: str, agent: str = "random", seed: int = 1) -> list[str]:
    out = io.StringIO()
    Engine(agent, seed=seed).run(io.StringIO("\n".join(lines) + "\n"), out)
    return out.getvalue().splitlines()


def test_an_engine_introduces_itself_and_is_ready():
    lines = said("uci", "isready", "quit", "isready")
    assert lines[0].startswith("id name")
    assert lines[-2:] == ["uciok", "readyok"]
    assert sum(line.startswith("option name ") for line in lines) == 4


def test_unknown_words_are_skipped():
    assert said("", "hello isready", "register later") == ["readyok"]


@pytest.mark.parametrize(
    ("position", "move", "text"),
    [
        ("startpos", "e2-e4", "e2e4"),
        ("startpos", "b1^a3c3", "b1^a3c3"),
        ("startpos moves b1^a3c3 e7e5", "a3c3^b5", "a3c3^b5"),
        ("startpos moves b1^a3c3 d7d5", "c3-d5", "c3xd5"),
        ("fen 8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7-a8N", "a7a8n"),
        ("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1-g1", "e1g1"),
        ("startpos moves b1^a3c3 e7e5", "b2-b3", "b2b3"),
        ("startpos moves b1^a3c3 e7e5", "c2-c3", "c2wc3"),
    ],
)
def test_moves_are_written_as_engines_write_them(position: str, move: str, text: str):
    engine = Engine()
    assert list(engine.answer(f"position {position}")) == []
    rules, at = engine.game.rules, engine.game.position
    assert write(rules, at, rules.read(at, move)[0]) == text  # type: ignore[arg-type]
    assert rules.read(at, text)[0] == rules.read(at, move)[0]


def test_outcomes_in_the_position_are_obeyed():
    engine = Engine()
    list(engine.answer("position startpos moves b1^a3c3 d7d5 c3xd5.m0"))
    assert engine.game.position.registers.known("a3") == 1
    list(engine.answer("position startpos moves b1^a3c3 d7d5 c3xd5.m1"))
    assert engine.game.position.registers.known("d5") == 1


@pytest.mark.parametrize(
    "line",
    ["position startpos moves e2e5", "position startpos moves b1^a3c3 d7d5 c3xd5", "position fen 8/8 w",
     "position startpos moves 0000", "position startpos moves e2e4.m0"],
)  # fmt: skip
def test_a_wrong_position_is_reported_and_leaves_the_old_one(line: str):
    engine = Engine()
    list(engine.answer("position startpos moves e2e4"))
    before = engine.game
    (answer,) = engine.answer(line)
    assert answer.startswith("info string error: ")
    assert engine.game is before


def test_a_move_is_searched_among_those_that_are_named():
    lines = said("position startpos", "go searchmoves b1^a3c3 h2h3 wtime 1000 btime 1000 depth 3")
    assert lines[-1] in ("bestmove b1^a3c3", "bestmove h2h3")


class Listener:
    """An agent that notes how long it may think."""

    name = "listener"

    def __init__(self) -> None:
        self.heard: list[Budget] = []

    def choose(self, task: Task) -> Choice:
        self.heard.append(task.budget)
        return Choice(task.moves()[0])


@pytest.mark.parametrize(
    ("words", "budget"),
    [
        ("movetime 250", Budget(None, 0.25)),
        ("wtime 50000 btime 100 winc 1000 binc 0", Budget(None, 2.8)),  # a 25th of the clock, and most of the increment
        ("wtime 1000 winc 5000", Budget(None, 0.5)),  # never more than half of what is left
        ("wtime 60000 movestogo 3", Budget(None, 20.0)),
        ("wtime -20 btime 9000", Budget(None, 0.0)),
        ("nodes 300", Budget(300, 60.0)),
        ("infinite", Budget(None, 60.0)),
        ("depth 3 wtime x movetime", Budget(None, 60.0)),
        ("movetime 99999999", Budget(None, 60.0)),
        ("nodes 0 movestogo 0 wtime 100", Budget(1, 0.05)),
    ],
)
def test_the_words_of_go_say_how_long_to_think(words: str, budget: Budget):
    engine, listener = Engine(), Listener()
    engine.agent = listener
    list(engine.answer(f"go {words}"))
    assert listener.heard == [budget]


def test_the_clock_of_the_player_to_move_counts():
    engine, listener = Engine(), Listener()
    engine.agent = listener
    list(engine.answer("position startpos moves e2e4"))
    list(engine.answer("go wtime 1000 btime 50000"))
    assert listener.heard == [Budget(None, 2.0)]


def test_an_infinite_search_answers_when_it_is_stopped():
    assert not [line for line in said("go infinite") if line.startswith("bestmove")]
    assert said("go infinite", "stop", "stop")[-1].startswith("bestmove ")
    assert said("go ponder", "ponderhit")[-1].startswith("bestmove ")


def test_a_game_that_is_over_has_no_move():
    over = "position fen 4k3/8/8/8/8/3p4/8/4K3 w - - 0 1 moves e1e2 d3xe2.m1"
    assert said(over, "go") == ["bestmove 0000"]


def test_options_change_the_player_the_rules_and_the_backend():
    engine = Engine()
    for line in ("setoption name Player value random", "setoption name Rules value sdk-0.2.2",
                 "setoption name Seed value 4", "setoption name Backend value cirq", "ucinewgame"):  # fmt: skip
        assert list(engine.answer(line)) == []
    assert (engine.agent.name, engine.profile, engine.game.backend.name) == ("random", "sdk-0.2.2", "cirq")
    (line,) = engine.answer("setoption name resturl value http://elsewhere")
    assert line.startswith("info string error: expected an option among")
    assert len([*engine.answer("setoption name Rules value house")]) == 1


def test_sixty_plies_with_an_engine_in_a_process_of_its_own():
    game, rng = qchess.new("quantum-chess", seed=21), random.Random(21)
    command = [sys.executable, "-m", "qchess", "uqci", "--player", "random", "--seed", "2"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        while len(game.history) < 60:
            assert not game.result
            if len(game.history) % 2:
                moves = " ".join(played.text for played in game.history)
                process.stdin.write(f"position startpos moves {moves}\ngo movetime 100\n")
                process.stdin.flush()
                while not (line := process.stdout.readline()).startswith("bestmove"):
                    assert line.startswith("info depth"), line
                assert re.fullmatch(r"bestmove [a-h1-8^xw]+[qrbn]?\n", line)
                game.play(line.split()[1])
            else:
                game.play(rng.choice(game.moves()))
        process.stdin.write("quit\n")
        process.stdin.flush()
        assert process.wait(PATIENCE) == 0
    assert len(game.history) == 60

"""Games and agents of one's own by their place, and completion in a shell."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from qchess.__main__ import main

OWN = """
from qchess.games.quantum_tic_tac_toe import QuantumTicTacToe
from qchess.playing.agents import RandomAgent

class Mine(QuantumTicTacToe):
    name = "mine-of-{n}"

class Agent(RandomAgent):
    def __init__(self, width: int = 1) -> None:
        self.width = width

def first(task):
    return task.moves()[0]

number = 5
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of this name in the current folder."""
    name = f"own_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(OWN.replace("{n}", name), encoding="utf-8")
    (tmp_path / "broken_here.py").write_text("def", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("qchess.games.catalogue.GAMES.registered", {})
    monkeypatch.setattr("qchess.playing.agents.catalogue.AGENTS.registered", {})
    return name


def test_a_game_and_agents_are_played_by_their_places(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["--white", f"{own}:first", "--black", f"{own}:Agent@5:width=3", "--seed", "1", "--plies", "3"]
    assert main(["play", f"{own}:Mine", *seats]) == 0
    assert f"x ({own}:first) plays" in capsys.readouterr().out
    assert main(["moves", f"{own}:Mine"]) == 0
    assert "a1a2" in capsys.readouterr().out
    arena = ["arena", "play", f"{own}:Mine", f"{own}:first", "random", "--out", "x.jsonl", "--rounds", "1"]
    assert main(arena) == 0
    assert f"{own}:Mine: 2 of 2 games" in capsys.readouterr().out
    assert main([*arena, "--workers", "2"]) == 2
    assert "one worker" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "agent", "said"),
    [
        ("no_such_module:Rules", "random", "there is no module 'no_such_module', neither in this folder nor installed"),
        ("OWN:Mina", "random", "has no 'Mina'; did you mean 'Mine'?"),
        ("OWN:number", "random", "is not a game: expected a subclass of qchess.rules.Rules, got 5"),
        ("broken_here:Rules", "random", "broken_here cannot be imported: SyntaxError"),
        ("a-b:Rules", "random", "expected a game of your own as MODULE:NAME, got 'a-b:Rules'"),
        ("OWN:Mine", "OWN:number", "is not an agent: expected a class with choose(task), or a function of a task"),
        ("OWN:Mine", "mcts:reuse", "no agent is called 'mcts:reuse'"),
    ],
)
def test_what_is_not_there_gets_one_sentence(
    own: str, capsys: pytest.CaptureFixture[str], game: str, agent: str, said: str
) -> None:
    assert main(["play", game.replace("OWN", own), "--black", agent.replace("OWN", own), "--plies", "1"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes_commands_games_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    typed = {
        "qchess rep": {"replay", "report"},
        "qchess play quantum-ch": {"quantum-chess", "quantum-checkers"},
        "qchess play quantum-chess --pre": {"--preset"},
        "qchess arena pl": {"play"},
        "qchess arena play --sys": {"--system"},
        "qchess completion z": {"zsh"},
    }
    lines = [f"COMP_WORDS=({line}); COMP_CWORD={line.count(' ')}; _qchess; echo ${{COMPREPLY[@]}}" for line in typed]
    done = subprocess.run(["bash", "-c", script + "\n".join(lines)], capture_output=True, text=True, check=True)
    assert [set(line.split()) for line in done.stdout.splitlines()] == list(typed.values())
    assert done.stderr == ""


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_read_their_scripts(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "quantum-chess" in script
    assert "--preset" in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script, encoding="utf-8")
        subprocess.run([shell, "--no-execute" if shell == "fish" else "-n", str(tmp_path / "script")], check=True)


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish here")
def test_fish_offers_what_the_command_takes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["completion", "fish"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out, encoding="utf-8")
    for line, words in {
        "qchess bench rep": {"report"}, "qchess bench report --p": {"--page", "--pictures"},
        "qchess export --f": {"--force", "--from"}, "qchess play quantum-t": {"quantum-tic-tac-toe"},
    }.items():  # fmt: skip
        asked = ["fish", "-c", f"source {tmp_path / 'script'}; complete -C '{line}'"]
        assert set(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()) == words

"""A game, a backend and an agent of somebody else's package, found by their entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import qchess
from qchess import backends, games
from qchess.playing import agents
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
PACKAGE = Path(__file__).parent / "package"

PROVES = """
import qchess
from qchess import backends
from qchess.testing import check_engine, check_game
from hide_and_seek.backend import its_engine
rules = qchess.games.rules("hide-and-seek")
report = check_game(rules, games=3, engines=("sparse", "slow-sparse", "cirq"))
assert report.games == 3 and report.answers > 0
assert check_engine(its_engine(), programs=20).worst < 1e-9
game = qchess.new("hide-and-seek", backend="slow-sparse")
game.play("spread"); game.play("spread")
assert game.play("?b1").answers[0].source == "likeliest"
assert qchess.replay(game.record().to_json()).record() == game.record()
assert "<svg" in game.svg() and "N" in str(game)
print("proven")
"""

COMMANDS = [
    (["games"], "hide-and-seek"),
    (["backends"], "slow-sparse"),
    (
        ["play", "hide-and-seek", "--white", "shy", "--black", "shy", "--seed", "1", "--backend", "slow-sparse"],
        "hidden too long",
    ),
    (["moves", "hide-and-seek", "spread"], "?a1"),
    (["circuit", "hide-and-seek", "spread"], "iSWAP"),
]


def run(where: Path, *arguments: str) -> str:
    """What a new interpreter prints that has our checkout and another folder on its path."""
    path = os.pathsep.join([str(where), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=where,
        env={**os.environ, "PYTHONPATH": path, "QCHESS_STATE": str(where / "state"), "COLUMNS": "80"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and the metadata that an installer writes beside it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "hide_and_seek").symlink_to(PACKAGE / "hide_and_seek", target_is_directory=True)
    about = folder / "hide_and_seek-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hide-and-seek\nVersion: 1.0\n")
    points = (PACKAGE / "pyproject.toml").read_text().split("[project.entry-points.", 1)[1]
    lines = ("[project.entry-points." + points).replace('[project.entry-points."', "[").replace('"]', "]")
    (about / "entry_points.txt").write_text(lines.replace('"', ""))
    return folder


@pytest.mark.slow
def test_what_another_package_adds_plays_replays_draws_and_passes_the_checkers(installed: Path) -> None:
    assert run(installed, "-c", PROVES) == "proven\n"


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "shown"), COMMANDS, ids=lambda value: str(value)[:24])
def test_it_appears_in_every_command(installed: Path, arguments: list[str], shown: str) -> None:
    assert shown in run(installed, "-m", "qchess", *arguments)


@pytest.mark.slow
def test_the_package_as_an_installer_puts_it_there(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
    command = [*pip, "--target", str(tmp_path), str(PACKAGE)]
    subprocess.run(command, check=True, timeout=5 * PATIENCE, capture_output=True)
    assert run(tmp_path, "-c", PROVES) == "proven\n"


def test_a_call_adds_to_the_catalogues_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qchess.games.catalogue.GAMES.registered", {})
    monkeypatch.setattr("qchess.backends.catalogue.BACKENDS.registered", {})
    monkeypatch.setattr("qchess.playing.agents.catalogue.AGENTS.registered", {})
    games.register(games.Row("toy", "the smallest game", "tests.toygame:Toy"))
    backends.register(backends.Row("mine", "another name", "qchess.backends.sparse.engine:SparseEngine"))
    agents.register("wild", lambda: agents.RandomAgent())
    assert qchess.new("toy", backend="mine").play("b1-a1").text == "b1-a1"
    assert "wild" in agents.names()
    for again in (
        lambda: games.register(games.Row("toy", "", "")),
        lambda: backends.register(backends.Row("sparse", "", "")),
        lambda: agents.register("greedy", agents.RandomAgent),
    ):
        with pytest.raises(qchess.QchessError, match=r"already an? (game|backend|agent) called"):
            again()

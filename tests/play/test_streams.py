"""A command whose streams are closed, or that is interrupted early, says a sentence at most and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.play.processes import usual_signals

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell and signals of Unix")
COMMAND = f"'{sys.executable}' -m qchess"


def shell(line: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """What a shell says of a line, with a store of its own."""
    state = {**os.environ, "QCHESS_STATE": str(tmp_path)}
    return subprocess.run(
        ["sh", "-c", line],
        capture_output=True,
        text=True,
        env=state,
        check=False,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )


STREAMS = ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"]
CODES = {"games": 0, "--help": 0, "moves nonsense": 2, "nonsense": 2, "play quantum-tic-tac-toe --plies 1": 0}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "streams"),
    [
        pytest.param(words, code, streams, marks=() if i in (j, len(STREAMS) - 1) else pytest.mark.slow)
        for i, (words, code) in enumerate(CODES.items())
        for j, streams in enumerate(STREAMS)
    ],
)
def test_closed_streams_read_as_empty_and_drop_what_is_written(
    words: str, code: int, streams: str, tmp_path: Path
) -> None:
    done = shell(f"{COMMAND} {words} {streams}", tmp_path)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1 or "nonsense" not in words


@pytest.mark.slow
@pytest.mark.parametrize("words", ["games", "--help", "", "moves quantum-chess", "nonsense", "board quantum-chess"])
@pytest.mark.parametrize("into", ["| :", pytest.param("2>&1 | :", marks=pytest.mark.slow)])
def test_a_reader_that_stops_ends_the_command_quietly(words: str, into: str, tmp_path: Path) -> None:
    """The reader is gone before anything is written: it is waited for."""
    pipe, ended = tmp_path / "pipe", tmp_path / "ended"
    line = (
        f"mkfifo {pipe}; {{ read go < {pipe}; {COMMAND} {words}; echo $? > {ended}; }} {into} & exec >&- 2>&3;"
        f" echo go > {pipe}; wait"
    )
    done = shell(f"exec 3>&2; {line}", tmp_path)
    assert int(ended.read_text()) in ((2,) if words == "nonsense" and into == "| :" else (0, 2))
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1


@pytest.mark.parametrize("module", ["qchess.errors", "qchess.playing.game", "qchess.commands.common",
                                    "qchess.commands.games", "qchess.games.catalogue"])  # fmt: skip
def test_an_early_interrupt_ends_the_command_without_a_traceback(module: str, tmp_path: Path) -> None:
    """The signal comes while this module is imported."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        f"            open({str(tmp_path / 'came')!r}, 'w').close()\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    before = os.environ.get("PYTHONPATH")
    paths = os.pathsep.join(filter(None, (str(tmp_path), before)))
    done = subprocess.run(
        [sys.executable, "-m", "qchess", "games"], capture_output=True, text=True, check=False, timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": paths}, preexec_fn=usual_signals,
    )  # fmt: skip
    assert (tmp_path / "came").exists()
    assert (done.stdout, done.stderr) == ("", "")
    assert done.returncode in (130, -signal.SIGINT)

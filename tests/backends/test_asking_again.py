"""A game that waits for a job goes on with another backend only when that is said; then the job is given up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.__main__ import main
from qchess.backends.devices.jobqueue import JobQueue
from qchess.errors import BackendError, IllegalMoveError

Output = pytest.CaptureFixture[str]
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
LINE = ("b1^a3c3", "e8-e7")
#: so many turns, and the program ends
ENOUGH = ("--plies", str(len(LINE) + 1))


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game that waits for a job, on which nobody works yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JobQueue, "_attend", lambda queue, job: None)
        game = qchess.new("quantum-chess", backend="queued:sparse-shots", seed=5, fen=FEN)
        for move in LINE:
            game.play(move)
        game.begin("c3-d5")
    game.save(tmp_path / "game.json")
    return tmp_path / "game.json"


def job_of(file: Path) -> str:
    """The job that the game of a file waits for."""
    return str(json.loads(file.read_text())["pending"]["ticket"]["job"])


def cancelled(state: Path, job: str) -> bool:
    """Whether a job was cancelled."""
    return any((state / "jobs" / job).glob("cancelled*.json"))


@pytest.mark.parametrize("other", ["sparse", "sparse-shots", "sparse-shots,shots=50", "queued:30:sparse-shots"])
def test_another_backend_is_refused_while_a_job_waits_and_nothing_is_lost(
    file: Path, state: Path, other: str, capsys: Output
) -> None:
    before, job = file.read_text(), job_of(file)
    assert main(("resume", str(file), "--backend", other)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"c3-d5 waits for the answer to 'hit' from queued:sparse-shots (job {job})" in said
    assert f"add --ask-again to cancel the job and ask anew on {other}" in said
    assert file.read_text() == before
    assert not cancelled(state, job)


@pytest.mark.parametrize("other", ["sparse", "sparse-shots", pytest.param(None, marks=pytest.mark.slow)])
def test_asking_again_cancels_the_job_and_goes_on(file: Path, state: Path, other: str | None, capsys: Output) -> None:
    job = job_of(file)
    chosen = ("--backend", other) if other else ()
    assert main(("resume", str(file), *chosen, "--ask-again", *ENOUGH)) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"Nobody waits any more for queued:sparse-shots (job {job}). " in said
    assert cancelled(state, job)
    told = json.loads(file.read_text())
    assert told["pending"] is None
    assert told["backend"] == (other or "queued:sparse-shots")
    [answer] = told["entries"][-1]["answers"]
    assert answer["source"] == {"sparse": "seed 5"}.get(str(other), f"device {other or 'queued:sparse-shots'}")
    assert job not in answer["details"].get("jobs", ())  # a job of its own
    assert qchess.load(file).history[-1].text.startswith("c3-d5")


def test_a_job_that_cannot_be_cancelled_is_given_up_all_the_same_and_that_is_said(file: Path, capsys: Output) -> None:
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "backend": "quueued:sparse-shots"}))
    assert main(("resume", str(file), "--backend", "sparse", "--ask-again", *ENOUGH)) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "but it could not be cancelled: no backend is called 'quueued:sparse-shots'" in said
    assert json.loads(file.read_text())["pending"] is None


def test_a_file_that_is_played_elsewhere_keeps_its_job(file: Path, state: Path, capsys: Output) -> None:
    from qchess.playing.keeping import Keeper

    job = job_of(file)
    with Keeper(qchess.load(file), file, goes_on=True):
        assert main(("resume", str(file), "--backend", "sparse", "--ask-again")) == 2
    assert "is being played in another process" in capsys.readouterr().err
    assert not cancelled(state, job)


def test_where_nothing_waits_there_is_nothing_to_ask_again(tmp_path: Path, capsys: Output) -> None:
    game = qchess.new("quantum-chess", seed=1)
    game.play("b1^a3c3")
    game.save(tmp_path / "game.json")
    assert main(("resume", str(tmp_path / "game.json"), "--ask-again")) == 2
    assert "the game waits for no answer; leave --ask-again out" in capsys.readouterr().err
    with pytest.raises(IllegalMoveError, match="waits for no answer"):
        game.ask_again()


def test_a_backend_that_collects_nothing_is_not_asked_to(file: Path) -> None:
    game: Any = qchess.replay(file.read_text(), backend="sparse-shots")
    waits = game.pending
    with pytest.raises(BackendError, match=r"'hit', and sparse-shots cannot collect it; .* ask_again"):
        game.wait()
    assert game.pending is waits
    game.ask_again()
    assert game.wait().answers[0].source == "device sparse-shots"

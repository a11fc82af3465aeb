"""Jobs that kept games wait for: listed, cancelled and waited for at the command's door, and the games that go on."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess.__main__ import main
from qchess.backends.devices import jobqueue
from qchess.backends.devices.sampler import STATES
from qchess.playing import jobs, keeping
from qchess.playing.keeping import Keeper
from tests.patience import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
LINE = ("b1^a3c3", "e8-e7")
#: nobody waits for it here: its jobs are cancelled, or hurried
TOMORROW = "queued:86400:sparse-shots"
Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def kept(device: str = TOMORROW, name: str = "") -> Path:
    """A game that was left while it waited for the knight on c3."""
    game = qchess.new("quantum-chess", backend=device, fen=FEN)
    file = keeping.folder() / (name or "game.json")
    with Keeper(game, file):
        for move in LINE:
            game.play(move)
        game.begin("c3-d5")
    return file


def printed(capsys: Output, *arguments: str) -> str:
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def listed(capsys: Output, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed(capsys, "jobs", *arguments, "--json"))
    return found


def folder_of(job: str) -> Path:
    return jobqueue.folder() / job


def runs(job: str) -> int:
    """How often a job was run."""
    paid = folder_of(job) / "paid"
    return len(paid.read_text().splitlines()) if paid.exists() else 0


@pytest.fixture
def hurried(monkeypatch: Patch) -> None:
    """From now on each job is due as soon as it is handed in."""
    attend = jobqueue.JobQueue._attend

    def at_once(one: jobqueue.JobQueue, job: Path) -> None:
        hurry(job.name)
        attend(one, job)

    monkeypatch.setattr(jobqueue.JobQueue, "_attend", at_once)


def hurry(job: str) -> None:
    order = folder_of(job) / "order.json"
    jobqueue.write(order, {**json.loads(order.read_text()), "due": 0})


@pytest.mark.slow
def test_what_waits_is_listed_with_its_job_its_device_and_since_when(capsys: Output) -> None:
    assert printed(capsys, "jobs") == "No game waits for a job.\n"
    file = kept()
    ticket = json.loads(file.read_text())["pending"]["ticket"]
    (told,) = listed(capsys)
    assert told["file"] == str(file)
    assert (told["game"], told["move"], told["question"]) == ("quantum-chess", "c3-d5", "hit")
    assert (told["device"], told["jobs"]) == (TOMORROW, [ticket["job"]])
    assert (told["state"], told["since"]) == ("waits", ticket["since"])
    assert told["since"] < told["starts"]  # ISO times of one zone
    text = printed(capsys, "jobs")
    day = ticket["since"][:10]
    assert text.startswith(f"game.json: c3-d5 asks 'hit' on {TOMORROW}\n    job {ticket['job']}, since {day} ")
    assert ": waits, starts " in text
    assert listed(capsys, str(file)) == listed(capsys, "game.json") == [told]
    printed(capsys, "jobs", "--cancel", "game.json")


@pytest.mark.parametrize("by", ["job", "game"])
def test_a_cancelled_job_never_runs_and_whoever_goes_on_asks_anew(
    by: str, capsys: Output, monkeypatch: Patch, request: pytest.FixtureRequest
) -> None:
    file = kept()
    *_, worker = jobqueue._WORKERS.values()
    (job,) = listed(capsys)[0]["jobs"]
    said = printed(capsys, "jobs", "--cancel", job if by == "job" else "game.json")
    assert said == f"cancelled: game.json: c3-d5 asks 'hit' on {TOMORROW}; qchess resume game.json asks anew\n"
    record = qchess.Record.from_json(file.read_text())
    assert record.pending is not None
    assert (record.pending.move, record.pending.ticket) == ("c3-d5", None)
    assert listed(capsys)[0]["state"] == "open"
    wait_until(lambda: worker.poll() is not None, "the worker has seen that its job was cancelled")
    assert runs(job) == 0
    request.getfixturevalue("hurried")
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    text = printed(capsys, "resume", "--white", "human", "--black", "human")
    assert f"goes to {TOMORROW} as a job. This one: circuits 1, shots 100, jobs 1, two-qubit gates " in " ".join(
        text.split()
    )
    assert "white plays c3-d5" in text
    assert listed(capsys) == []
    answer = qchess.Record.from_json(file.read_text()).entries[-1].answers[0]
    assert answer.details["jobs"] == [job]  # the question's name is the same
    assert runs(job) == 1


def test_what_was_paid_is_not_cancelled_and_what_nobody_waits_for_is_refused(capsys: Output) -> None:
    file = kept("queued:sparse-shots")
    (job,) = listed(capsys)[0]["jobs"]
    wait_until(lambda: listed(capsys)[0]["state"] == "done", "the job is done")
    before = file.read_text()
    for name, why in ((job, "its answer is there, and paid for"), ("nobody", "no game waits for a job 'nobody'")):
        assert main(("jobs", "--cancel", name)) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert why in err
    assert file.read_text() == before
    assert runs(job) == 1


@pytest.mark.slow
def test_waiting_writes_the_answers_into_the_games_and_names_the_one_that_is_lost(capsys: Output) -> None:
    file, other = kept(name="one.json"), kept(name="other.json")
    [job], [lost] = (jobs.waiting([each])[0].ids for each in (file, other))
    jobqueue.JobQueue("sparse-shots").cancel({"job": lost})
    assert {Path(each["file"]).name: each["state"] for each in listed(capsys)} == {
        "one.json": "waits", "other.json": "cancelled"
    }  # fmt: skip
    hurry(job)
    assert main(("jobs", "--wait")) == 1
    out, err = capsys.readouterr()
    assert out.startswith("one.json: white plays c3-d5")
    assert err == f"other.json: device {TOMORROW} failed (the job was cancelled: {lost})\n"
    assert qchess.Record.from_json(file.read_text()).pending is None
    assert listed(capsys)[0]["state"] == "open"  # it was told once; whoever goes on asks anew
    assert (runs(job), runs(lost)) == (1, 0)


def test_in_python_the_same(hurried: None) -> None:
    kept()
    [job] = jobs.waiting()
    assert str(job) == f"game.json: c3-d5 asks 'hit' on {TOMORROW}"
    assert jobs.stands([job])[0]["state"] in STATES
    [(same, played)] = jobs.wait([job])
    assert same == job
    assert isinstance(played, qchess.Played)
    assert played.answers[0].details["jobs"] == list(job.ids)
    assert jobs.waiting() == []
    with pytest.raises(qchess.BackendError, match="its answer is there"):
        jobs.cancel(job)


@pytest.mark.slow
def test_a_device_that_is_not_here_or_says_nonsense_is_named_and_the_others_are_told(capsys: Output) -> None:
    file, other = kept(), keeping.folder() / "other.json"
    record = json.loads(file.read_text())
    record["pending"]["ticket"]["device"] = record["backend"] = "ibmm:nowhere"
    other.write_text(json.dumps(record))
    other.chmod(0o600)  # as the games that are kept there
    (keeping.folder() / "diary.json").write_text("dear diary")
    told = {Path(each["file"]).name: each for each in listed(capsys)}
    assert set(told) == {"game.json", "other.json"}
    assert told["game.json"]["state"] == "waits"
    assert told["other.json"]["state"] == "unknown"
    assert "no backend is called 'ibmm:nowhere'" in told["other.json"]["why"]
    before = other.read_text()
    assert main(("jobs", "--cancel", "other.json")) == 2
    assert main(("jobs", "--wait", "other.json")) == 1
    assert capsys.readouterr().err.count("no backend is called 'ibmm:nowhere'") == 2
    assert other.read_text() == before
    printed(capsys, "jobs", "--cancel", "game.json")


@pytest.mark.slow
def test_a_game_at_the_terminal_whose_job_is_cancelled_elsewhere_goes_on(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "game.json"
    options = ("--option", f"fen={FEN}", "--white", "human", "--black", "human", "--record", str(file))
    command = [sys.executable, "-m", "qchess", "play", "quantum-chess", "--backend", TOMORROW, *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as play:  # fmt: skip
        assert play.stdin is not None
        play.stdin.write("".join(f"{move}\n" for move in (*LINE, "c3-d5", "c3-d5", "quit")))
        play.stdin.flush()
        wait_until(
            lambda: file.exists() and listed(capsys, str(file)) and listed(capsys, str(file))[0]["jobs"], "asked"
        )
        (job,) = listed(capsys, str(file))[0]["jobs"]
        printed(capsys, "jobs", str(file), "--cancel", job)
        wait_until((folder_of(job) / "order.json").exists, "it was asked anew")
        hurry(job)
        out, _ = play.communicate(timeout=PATIENCE)
    assert play.returncode == 0, out
    assert f"(the job was cancelled: {job})" in " ".join(out.split())
    assert "Type c3-d5 again to go on with it." in out
    assert "white plays c3-d5" in out
    assert out.count("goes to") == 1  # what is sent is said before the first question only
    assert runs(job) == 1


class Mine:
    """A sampler of somebody's own, whose runs are jobs, and which does not say how they stand."""

    name = "mine"

    def __init__(self) -> None:
        queue = jobqueue.JobQueue("sparse-shots", wait=86400)
        self.capabilities, self.run = queue.capabilities, queue.run
        self.submit, self.collect, self.cancel = queue.submit, queue.collect, queue.cancel


def test_a_device_of_ones_own_is_handed_in_and_old_tickets_do_not_say_since_when() -> None:
    game = qchess.new("quantum-chess", backend=Mine(), fen=FEN)
    file = keeping.folder() / "mine.json"
    with Keeper(game, file):
        for move in LINE:
            game.play(move)
        game.begin("c3-d5")
    record = json.loads(file.read_text())
    del record["pending"]["ticket"]["since"]
    file.write_text(json.dumps(record))
    [job] = jobs.waiting()
    assert (job.device, job.since) == ("mine", None)
    assert jobs.stands([job])[0]["state"] == "unknown"
    assert jobs.stands([job], Mine()) == [{"state": "waits"}]
    with pytest.raises(qchess.BackendError, match="the job is of 'mine', and this is 'queued:sparse-shots'"):
        jobs.cancel(job, "queued:sparse-shots")
    jobs.cancel(job, Mine())
    assert jobqueue.JobQueue("sparse-shots").job_status(job.ticket or {}) == {"state": "cancelled"}
    [job] = jobs.waiting([str(file)])
    assert jobs.stands([job]) == [{"state": "open"}]
    assert [str(error) for _, error in jobs.wait([job])] == [
        "mine.json: c3-d5 asks 'hit' on mine, and it has no job to wait for; go on with the game to ask"
    ]

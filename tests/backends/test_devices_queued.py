"""A question on a slow device is a job: found again, paid once, collected by whichever process comes later."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.backends.devices import jobqueue
from qchess.backends.devices.jobqueue import JobQueue
from qchess.backends.devices.queued import QueuedSource
from qchess.circuits import Pause, Program, Registers, ask, full, h, read, split
from qchess.circuits.engine import SlowSource
from qchess.circuits.errors import LostJobError
from qchess.errors import BackendError, IllegalMoveError
from tests.backends.lateness import collected
from tests.kills import kills
from tests.patience import wait_until

#: a split knight, whose half on c3 takes a pawn: one open question
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
LINE = ("b1^a3c3", "e8-e7")
#: what the record says of a job that a process before this one handed in
FOUND = "the job had been sent before"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def paid(state: Path) -> list[int]:
    """How often each job was run."""
    return [len((job / "paid").read_text().splitlines()) for job in sorted((state / "jobs").iterdir())]


def waiting(device: str = "queued:sparse-shots", seed: int | None = 5) -> Any:
    game = qchess.new("quantum-chess", backend=device, seed=seed, fen=FEN)
    for move in LINE:
        game.play(move)
    game.begin("c3-d5")
    return game


def test_a_game_closed_while_it_waits_is_collected_by_a_later_process(tmp_path: Path, state: Path) -> None:
    game = waiting(seed=None)
    assert isinstance(game.source, SlowSource)
    assert game.pending is not None
    assert game.collect() is None or game.pending is None
    path = tmp_path / "game.json"
    if game.pending is None:  # the worker was quick: the record has the answer
        game = waiting("queued:2:sparse-shots", seed=None)
    game.save(path)
    ticket = json.loads(path.read_text())["pending"]["ticket"]
    assert {"job", "key", "device", "details", "circuits"} <= set(ticket)
    code = f"""
        import time, qchess
        game = qchess.load({str(path)!r})
        while (played := game.collect()) is None:
            time.sleep(0.05)
        print(played.answers[0].value, played.answers[0].details["jobs"])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    value, job = done.stdout.split(" ", 1)
    assert value in "01"
    assert ticket["job"] in job
    assert set(paid(state)) == {1}
    assert collected(game.collect).answers[0].value == int(value)  # whoever collects reads the same shots


def test_a_retry_finds_its_job_and_another_game_with_the_same_seed_does_not(tmp_path: Path, state: Path) -> None:
    game, other = waiting(), waiting()
    job = game.pending.ticket["job"]
    assert other.pending.ticket["job"] != job
    resumed = without(game, tmp_path, "ticket")
    first, second, again = (collected(each.collect).answers[0] for each in (game, other, resumed))
    assert first.details["jobs"] == again.details["jobs"] == [job] != second.details["jobs"]
    assert [each.details.get("found") for each in (first, second, again)] == [None, None, FOUND]
    assert first.details["observed"] == second.details["observed"]  # equal seeds give equal shots, measured anew
    assert paid(state) == [1, 1]


def test_whoever_looks_again_and_again_starts_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []

    def start(*command: Any, **options: Any) -> Any:
        started.append(subprocess.Popen(*command, **options))
        return started[-1]

    monkeypatch.setattr(jobqueue, "subprocess", SimpleNamespace(Popen=start, DEVNULL=subprocess.DEVNULL))
    assert collected(waiting().collect).answers[0].value in (0, 1)
    assert len(started) == 1  # which loads for many looks before it has the job


def test_no_answer_of_a_job_is_late_however_long_its_circuits_take_to_make_again(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = waiting("queued:sparse-shots,strategy=reprepare,on_failure=fallback")
    monkeypatch.setattr("qchess.backends.devices.preparation._KNOWN", {})  # as in a later process
    game.source.timeout = 0.0  # over before the first circuit is made
    answer = collected(game.collect).answers[0]
    assert "fallback" not in answer.details
    assert answer.details["jobs"]
    assert paid(state) == [1]


@pytest.mark.slow
def test_another_shot_number_or_another_game_that_waits_asks_for_a_job_of_its_own(state: Path) -> None:
    for device in ("queued:sparse-shots", "queued:sparse-shots,shots=50", "queued:sparse-shots,strategy=replay"):
        collected(waiting(device).collect)
    assert paid(state) == [1, 1, 1]


@pytest.mark.slow
def test_a_question_of_an_older_record_without_a_name_finds_its_job(tmp_path: Path, state: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QueuedSource, "named", lambda source, name: source)  # as it was before questions had names
        game = waiting()
    job = game.pending.ticket["job"]
    found = collected(without(game, tmp_path, "ticket", "asked").collect)
    assert found.answers[0].details["jobs"] == [job]
    assert paid(state) == [1]


@pytest.mark.slow
def test_a_question_whose_handing_in_failed_is_the_same_question_when_it_is_asked_again(state: Path) -> None:
    submit = JobQueue.submit

    def breaks(*args: Any) -> Any:
        submit(*args)
        raise ConnectionError("the line broke")

    game = qchess.new("quantum-chess", backend="queued:sparse-shots", seed=5, fen=FEN)
    for move in LINE:
        game.play(move)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JobQueue, "submit", breaks)
        with pytest.raises(BackendError, match="the line broke"):
            game.play("c3-d5")
    assert game.pending is None
    game.begin("c3-d5")
    assert collected(game.collect).answers[0].details["found"] == FOUND
    assert paid(state) == [1]


def without(game: Any, folder: Path, *names: str) -> Any:
    """The game as it goes on from its record, had that been written without these parts of what it waits for."""
    record = json.loads(game.record().to_json())
    for name in names:
        (record if name in record else record["pending"]).pop(name)
    (folder / "resumed.json").write_text(json.dumps(record))
    return qchess.load(folder / "resumed.json", trust=True)


@pytest.mark.slow
def test_an_illegal_move_or_an_impossible_circuit_is_refused_before_any_job(state: Path) -> None:
    game = waiting()
    with pytest.raises(IllegalMoveError, match="waits for the answer"):
        game.play("e1-e2")
    narrow = backends.get("queued:sparse-shots", least_fidelity=0.0, shots=2, strategy="replay")
    tried = qchess.new("quantum-chess", backend=narrow, seed=1, fen=FEN)
    for move in LINE:
        tried.play(move)
    with pytest.raises(IllegalMoveError):
        tried.begin("c3-c4")
    assert tried.pending is None
    assert len(list((state / "jobs").iterdir())) == 1


def half_piece() -> Pause:
    board = Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers
    at = board.start(Program(ask("m", full("a"))))
    assert isinstance(at, Pause)
    return at


@pytest.mark.slow
def test_a_job_that_failed_or_was_cancelled_or_is_not_there_says_so() -> None:
    source: Any = backends.get("queued:30:sparse-shots").source(seed=3)
    ticket = source.submit(half_piece())
    with pytest.raises(BackendError, match="no job 'q0' lies"):
        source.collect(half_piece(), {**ticket, "job": "q0"})
    with pytest.raises(BackendError, match="the ticket is of 'elsewhere'"):
        source.collect(half_piece(), {**ticket, "device": "elsewhere"})
    with pytest.raises(BackendError, match="circuits other than those of this question"):
        source.collect(half_piece(), {**ticket, "circuits": "q1"})


@pytest.mark.parametrize("name", ["../aside", "/aside", "a/../../aside", "..", "", "q0\0", None, 7, ["q0"]])
def test_a_ticket_leads_to_no_folder_but_a_jobs(name: Any, state: Path) -> None:
    order = {"device": "sparse-shots", "shots": 1, "seed": 1, "due": 0, "circuits": []}
    aside = state / "aside"
    aside.mkdir(parents=True)
    (aside / "order.json").write_text(json.dumps(order))
    at = JobQueue("sparse-shots")
    for look in (at.job_status, at.cancel, lambda ticket: at.collect(ticket, [], 1)):
        with pytest.raises(BackendError, match="expected the name of a job in letters and digits"):
            look({"job": name})
    assert not jobqueue.handed_in({"job": name})
    assert [file.name for file in aside.iterdir()] == ["order.json"]


DIES = """
    import os, signal, sys, time
    import qchess
    from pathlib import Path
    from qchess.backends.devices.jobqueue import JobQueue
    from qchess.playing.keeping import Keeper

    path, dies = Path(sys.argv[1]), sys.argv[2] == "dies"
    if dies:
        submit = JobQueue.submit

        def fatal(self, *args):
            submit(self, *args)
            os.kill(os.getpid(), signal.SIGKILL)

        JobQueue.submit = fatal
    started = path.exists()
    device = "queued:sparse-shots"
    game = qchess.load(path, trust=True) if started else qchess.new("quantum-chess", backend=device, fen=sys.argv[3])
    with Keeper(game, path, goes_on=started):
        if game.pending is None:
            for move in sys.argv[4:]:
                game.play(move)
        while game.pending is not None and game.collect() is None:
            time.sleep(0.02)
"""


@pytest.mark.parametrize("count", [1, pytest.param(kills(2), marks=pytest.mark.slow)])
def test_a_process_killed_between_submit_and_record_loses_no_job_and_pays_none_twice(
    tmp_path: Path, state: Path, count: int
) -> None:
    for number in range(count):
        path = tmp_path / f"game{number}.json"
        command = [sys.executable, "-c", textwrap.dedent(DIES), str(path)]
        moves = [FEN, *LINE, "c3-d5"]
        assert subprocess.run([*command, "dies", *moves], check=False).returncode == -signal.SIGKILL
        record = json.loads(path.read_text())
        assert record["pending"]["move"].startswith("c3")
        assert record["pending"]["ticket"] is None  # it was killed before the ticket was written down
        assert len(list((state / "jobs").iterdir())) == number + 1
        subprocess.run([*command, "lives", *moves], check=True)
        told = json.loads(path.read_text())
        assert told["pending"] is None
        answer = told["entries"][-1]["answers"][0]
        assert answer["source"] == "device queued:sparse-shots"
        assert answer["details"]["found"] == FOUND
    assert paid(state) == [1] * count


def test_a_worker_that_wakes_to_a_cancelled_job_runs_nothing(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JobQueue, "_attend", lambda queue, job: None)  # the worker is this process
    source: Any = backends.get("queued:1000:sparse-shots").source(seed=3)
    ticket = source.submit(half_piece())
    job = state / "jobs" / ticket["job"]
    assert source.sampler.job_status(ticket)["state"] == "waits"
    woken: list[float] = []

    def sleep(seconds: float) -> None:
        woken.append(seconds)
        source.sampler.cancel(ticket)

    monkeypatch.setattr(jobqueue, "time", SimpleNamespace(time=time.time, monotonic=time.monotonic, sleep=sleep))
    jobqueue.work(str(job))
    assert len(woken) == 1
    assert not (job / "paid").exists()
    assert not (job / "result.json").exists()
    assert source.sampler.job_status(ticket) == {"state": "cancelled"}
    assert source.submit(half_piece())["details"].get("found") is None  # a new order under the same name
    assert source.sampler.job_status(ticket)["state"] == "waits"


@pytest.mark.slow
def test_a_worker_that_was_lost_is_replaced(state: Path) -> None:
    source: Any = backends.get("queued:1000:sparse-shots").source(seed=3)
    ticket = source.submit(half_piece())
    job = state / "jobs" / ticket["job"]
    wait_until(lambda: _workers(job), "a worker has begun")  # it starts in its own time
    for worker in _workers(job):
        os.kill(worker, signal.SIGKILL)
    order = json.loads((job / "order.json").read_text())
    (job / "order.json").write_text(json.dumps({**order, "due": 0}))
    assert collected(lambda: source.collect(half_piece(), ticket)).value in (0, 1)


def _workers(job: Path) -> list[int]:
    """The processes that work on a job, found by their command line."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("processes are listed under /proc only on Linux")
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue  # it has just ended
            if str(job).encode() in command:
                found.append(int(entry.name))
    return found


# -- IBM's jobs, against a stand-in for the account -------------------------------------------------------


HANDED_IN = datetime(2026, 11, 25, 10, tzinfo=UTC)


class Account:
    """What qchess asks of an account: jobs by tag and by name. Jobs are run by a local primitive."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self.tags: dict[str, list[str]] = {}

    def jobs(self, job_tags: list[str], limit: int) -> list[Any]:
        return [self.known[name] for name, tags in self.tags.items() if set(job_tags) <= set(tags)][:limit]

    def job(self, name: str) -> Any:
        return self.known[name]


class Primitive:
    """Runs on Qiskit's own sampler, but says that a job waits until it is told otherwise."""

    def __init__(self, account: Account) -> None:
        self.account, self.state, self.used = account, "QUEUED", 0.0
        self.options = SimpleNamespace(environment=SimpleNamespace(job_tags=[]))

    def run(self, circuits: list[Any], shots: int) -> Any:
        from qiskit.primitives import StatevectorSampler

        inner, name = StatevectorSampler(seed=1).run(circuits, shots=shots), f"job{len(self.account.known)}"
        tags = list(self.options.environment.job_tags)
        made = SimpleNamespace(job_id=lambda: name, status=lambda: self.state, result=inner.result, tags=tags,
                               error_message=lambda: "the fridge", cancel=self.cancel, creation_date=HANDED_IN,
                               metrics=self.metrics, usage=self.usage)  # fmt: skip
        self.account.known[name], self.account.tags[name] = made, tags
        return made

    def metrics(self) -> dict[str, Any]:
        """What the service tells of a job that waits, in its words."""
        return {"position_in_queue": 7, "estimated_start_time": "2026-11-25T12:00:00Z"}

    def usage(self) -> float:
        """The seconds of a job that is done; 0 until they are worked out."""
        return self.used

    def cancel(self) -> None:
        self.state = "CANCELLED"


def test_a_job_of_ibm_is_found_by_its_tag_waits_and_is_collected() -> None:
    from qchess.backends.ibm.jobs import IbmJobs

    account = Account()
    primitive = Primitive(account)
    sampler = IbmJobs(primitive, account, name="ibm:somewhere")
    assert sampler.queued
    source = QueuedSource(sampler, seed=1)
    ticket = source.submit(half_piece())
    again = source.submit(half_piece())
    assert again["job"] == ticket["job"] == "job0"
    assert again["details"]["found"] == FOUND
    assert len(account.known) == 1
    assert json.loads(json.dumps(ticket)) == ticket
    assert source.collect(half_piece(), ticket) is None
    primitive.state = "DONE"
    draw = QueuedSource(sampler, seed=1).collect(half_piece(), ticket)
    assert draw is not None
    assert draw.details["jobs"] == ["job0"]
    assert draw.details["picked"] == "the first valid shot"
    sampler.cancel(ticket)
    with pytest.raises(BackendError, match=r"IBM's job job0 gave no shots: it was cancelled"):
        source.collect(half_piece(), ticket)
    primitive.state = "ERROR"
    with pytest.raises(BackendError, match="gave no shots: the fridge"):
        source.collect(half_piece(), ticket)


def test_a_job_of_ibm_tells_its_place_in_the_queue_and_then_what_it_took() -> None:
    from qchess.backends.ibm.jobs import IbmJobs

    account = Account()
    primitive = Primitive(account)
    sampler = IbmJobs(primitive, account, name="ibm:somewhere")
    source = QueuedSource(sampler, seed=1)
    ticket = source.submit(half_piece())
    tags = ["qchess", ticket["key"]]
    expected = {"state": "waits", "tags": tags, "position": 7, "starts": "2026-11-25T12:00:00Z"}
    assert sampler.job_status(ticket) == expected
    assert (
        source.submit(half_piece())["since"] == "2026-11-25T10:00:00+00:00"
    )  # of a job that is found, the vendor tells
    primitive.state = "RUNNING"
    assert sampler.job_status(ticket) == {"state": "runs", "tags": tags}
    primitive.state = "DONE"
    assert sampler.job_status(ticket) == {"state": "done", "tags": tags}
    primitive.used = 2.5
    assert sampler.job_status(ticket) == {"state": "done", "tags": tags, "seconds": 2.5}
    draw = source.collect(half_piece(), ticket)
    assert draw is not None
    assert draw.details["usage"] == {"seconds": 2.5, "tags": tags}
    assert draw.details["shots_run"] == draw.details["returned"] == 100
    primitive.state = "ERROR"
    assert sampler.job_status(ticket) == {"state": "failed", "tags": tags, "why": "the fridge"}
    primitive.state = "CANCELLED"
    assert sampler.job_status(ticket) == {"state": "cancelled", "tags": tags}


def test_an_answer_that_is_there_is_not_lost_because_the_vendor_cannot_say_what_it_took() -> None:
    from qchess.backends.ibm.jobs import IbmJobs

    class Silent(Primitive):
        def usage(self) -> float:
            raise ConnectionError("nobody answers")

    account = Account()
    primitive = Silent(account)
    source = QueuedSource(IbmJobs(primitive, account, name="ibm:somewhere"), seed=1)
    ticket = source.submit(half_piece())
    primitive.state = "DONE"
    draw = source.collect(half_piece(), ticket)
    assert draw is not None
    assert draw.details["usage"] == {"unread": "ConnectionError: nobody answers"}


def test_the_jobs_of_the_vendor_have_what_we_ask_them_for() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'")
    from qiskit_ibm_runtime import RuntimeJobV2

    asked = ("job_id", "status", "result", "error_message", "cancel", "metrics", "usage", "tags", "creation_date")
    assert [name for name in asked if not hasattr(RuntimeJobV2, name)] == []


def test_a_trial_of_qubits_is_no_job_of_the_question_that_was_asked_before() -> None:
    from qchess.backends.ibm.jobs import IbmJobs

    account = Account()
    primitive = Primitive(account)
    sampler = IbmJobs(primitive, account, name="ibm:somewhere")
    ticket = QueuedSource(sampler, seed=1).submit(half_piece())
    circuit = Program(h("a"), read("r", "a"))
    sampler.run([circuit], 10, None)
    assert account.jobs(["qchess", ticket["key"]], 10) == [account.job(ticket["job"])]
    assert len(account.jobs(["qchess"], 10)) == 2


def test_a_processor_of_ibm_that_is_handed_in_gives_jobs_too() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'")
    from qiskit_ibm_runtime.fake_provider import FakeManilaV2

    from qchess.backends.ibm.jobs import IbmJobs

    made = type("IBMBackend", (FakeManilaV2,), {"__module__": "qiskit_ibm_runtime.ibm_backend", "service": Account()})
    source: Any = backends.of(made()).source(1)
    assert isinstance(source, QueuedSource)
    assert isinstance(source.sampler, IbmJobs)
    assert source.sampler.capabilities.quantum


def test_where_and_when_a_job_ran_is_told_by_its_ticket_and_not_by_todays_calibration() -> None:
    from qchess.backends.ibm.jobs import IbmJobs

    account = Account()
    primitive = Primitive(account)
    source = QueuedSource(IbmJobs(primitive, account, name="ibm:somewhere"), seed=1)
    told = {"physical": [3, 5], "two_qubit_gates": 1, "expected_fidelity": 0.9}
    ticket = {**source.submit(half_piece()), "machine": [told], "calibrated": "2026-11-01"}
    primitive.state = "DONE"
    draw = source.collect(half_piece(), ticket)
    assert draw is not None
    assert draw.details["machine"] == [told]
    assert draw.details["calibrated"] == "2026-11-01"


def test_a_job_is_of_the_settings_it_was_handed_in_with_and_under_others_it_is_not_found() -> None:
    from qchess.backends.ibm.jobs import IbmJobs

    account = Account()
    primitive = Primitive(account)
    plain, tuned = (IbmJobs(primitive, account, name="ibm:somewhere") for _ in range(2))
    plain.note(decoupling=None, twirling=False)
    tuned.note(decoupling="XY4", twirling=True)
    first, second = (QueuedSource(each, seed=1).named("turn").submit(half_piece()) for each in (plain, tuned))
    assert (first["job"], second["job"]) == ("job0", "job1")
    primitive.state = "DONE"
    for sampler in (plain, tuned):
        told = [QueuedSource(sampler, seed=1).collect(half_piece(), ticket) for ticket in (first, second)]
        machines = [draw and draw.details.get("machine") for draw in told]
        assert machines == [None, [{"decoupling": "XY4", "twirling": True}]]


def test_a_setting_that_twirls_the_shots_is_part_of_the_key_and_a_job_from_before_it_is_found() -> None:
    from dataclasses import replace

    from qchess.backends.ibm.jobs import IbmJobs

    account = Account()
    primitive = Primitive(account)
    sampler = IbmJobs(primitive, account, name="ibm:somewhere")
    before = QueuedSource(sampler, seed=1).named("turn").submit(half_piece())  # nothing physical: not twirled
    sampler.capabilities = replace(sampler.capabilities, quantum=True)
    usual, twirled, plain = (
        QueuedSource(sampler, seed=1, readout_twirling=setting).named("turn") for setting in (None, True, False)
    )
    found = usual.submit(half_piece())  # its process ended before it wrote the ticket down
    assert (found["job"], found["key"], found["details"]["found"]) == (before["job"], before["key"], FOUND)
    assert "readout_twirling" not in found["details"]
    assert plain.submit(half_piece())["job"] == before["job"]
    ticket = twirled.submit(half_piece())
    assert ticket["job"] != before["job"]
    assert ticket["details"]["readout_twirling"] is True
    fresh = usual.named("another turn").submit(half_piece())
    assert fresh["details"]["readout_twirling"] is True
    assert usual.named("another turn").submit(half_piece())["job"] == fresh["job"]
    primitive.state = "DONE"
    for each in (before, found, ticket, fresh):  # by the ticket, whatever is set today
        draw = plain.collect(half_piece(), each)
        assert draw is not None
        assert draw.details["returned"] == draw.details["kept"] == draw.details["asked"] == 100
        assert draw.details.get("readout_twirling") == each["details"].get("readout_twirling")


# -- jobs that are lost --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_job_that_was_lost_is_told_once_and_whoever_goes_on_hands_in_another(tmp_path: Path, state: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JobQueue, "_attend", lambda queue, job: None)  # no worker has begun yet
        game = waiting()
        game.source.sampler.cancel(game.pending.ticket)
    path = tmp_path / "game.json"
    game.save(path)
    again = qchess.load(path, trust=True)
    with pytest.raises(LostJobError, match="the job was cancelled"):
        again.wait()
    assert again.pending is not None
    assert again.pending.ticket is None
    again.save(path)
    assert collected(qchess.load(path, trust=True).collect).answers[0].value in (0, 1)
    assert len(list((state / "jobs").iterdir())) == 1  # the question's place is the same; it was tried twice


def test_a_job_of_ibm_that_failed_is_not_found_again() -> None:
    from qchess.backends.ibm.jobs import IbmJobs

    account = Account()
    primitive = Primitive(account)
    source = QueuedSource(IbmJobs(primitive, account, name="ibm:somewhere"), seed=1)
    first = source.submit(half_piece())
    primitive.state = "ERROR"
    second = source.submit(half_piece())
    assert (first["job"], second["job"]) == ("job0", "job1")


@pytest.mark.slow
def test_a_record_keeps_whatever_was_chosen_for_the_device() -> None:
    name = "queued:2:sparse-shots,on_failure=fallback,timeout=None"
    assert backends.get(name).name == name
    assert backends.get("queued:2:sparse-shots", timeout=None, on_failure="fallback").name == name
    source: Any = backends.get("aer-shots,timeout=None").source()
    assert source.timeout is None


@pytest.mark.parametrize("trial", ["preflight", "mitigation"])
def test_a_trial_that_a_job_would_know_nothing_of_is_refused_when_the_backend_is_made(trial: str) -> None:
    with pytest.raises(BackendError, match=rf"aer-noisy takes no {trial}; ask 'aer-noisy' .* with {trial}=40"):
        backends.get(f"queued:9:aer-noisy,{trial}=40")
    assert backends.get(f"queued:sparse-shots,{trial}=0").name == f"queued:sparse-shots,{trial}=0"

"""Measuring a recorded game again: every question once on each device, whatever happens in between."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.backends.devices import adapters
from qchess.backends.devices.sampler import Shots
from qchess.backends.sparse import sampler as sparse_sampler
from qchess.backends.sparse.sampler import SparseSampler
from qchess.circuits.errors import LostJobError
from qchess.circuits.program import Program
from qchess.errors import BackendError, InvalidMoveError
from qchess.playing.foreseeing import foresee
from qchess.playing.measurements import questions
from qchess.playing.measuring import measure
from qchess.playing.record import Record
from qchess.showing.comparing import FAILED, PART, WHOLE, rows
from tests.patience import PATIENCE

SHOTS = "sparse-shots"
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"


class Weak(SparseSampler):
    """A device that is lost in noise with more than so many qubits."""

    name, most = "weak", 2

    def expected_fidelity(self, circuits: Sequence[Program]) -> list[float]:
        return [0.01 if len(circuit.qubits) > self.most else 0.9 for circuit in circuits]


class Doubling(SparseSampler):
    """It gives twice the shots it is asked for, or `times` as many."""

    times = 2

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        return super().run(circuits, self.times * shots, seed)


class Service(Weak):
    """A service with jobs that is in trouble when a job is handed in, or collected, and counts what is paid."""

    name = "service"

    def __init__(self, trouble: Exception | None = None, when: str = "collect") -> None:
        self.trouble, self.when = trouble, when
        self.paid: list[str] = []
        self.there: dict[str, list[Shots]] = {}

    def _in_trouble(self, when: str) -> None:
        if self.trouble and self.when == when:
            raise self.trouble

    def submit(self, circuits: Sequence[Program], shots: int, seed: int | None, key: str) -> dict[str, Any]:
        found = key in self.there
        if not found:
            self.paid.append(key)
            self.there[key] = self.run(circuits, shots, seed)
        self._in_trouble("submit")
        return {"job": key, "found": found}

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Program], shots: int) -> list[Shots]:
        if isinstance(self.trouble, LostJobError):
            self.there.pop(ticket["job"], None)
        self._in_trouble("collect")
        return self.there[ticket["job"]]

    def cancel(self, ticket: Mapping[str, Any]) -> None:
        self.there.pop(ticket["job"], None)


def two_questions() -> Record:
    """A game with questions to a register of two qubits and to one of three."""
    game = qchess.new("quantum-chess", seed=2, fen="4k3/8/8/3p1p2/8/8/8/1N2K1N1 w - - 0 1")
    for move in ("b1^a3c3", "e8-e7", "g1^f3h3", "e7-e8", "c3-d5", "e8-e7", "f3^d4g5", "e7-e8", "d4-f5"):
        game.play(move)
    return Record.from_json(game.record().to_json())


@pytest.fixture
def record() -> Record:
    game = qchess.new("quantum-chess", seed=7, fen=FEN)
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    return Record.from_json(game.record().to_json())


def test_the_questions_are_those_that_were_open(record: Record) -> None:
    [asked] = questions(record)
    assert (asked.ply, asked.move.partition(".")[0], asked.pause.step.name) == (3, "c3-d5", "hit")
    assert asked.pause.odds == pytest.approx({0: 0.5, 1: 0.5})


def test_measuring_again_asks_nothing_and_gives_the_same(record: Record, tmp_path: Path) -> None:
    devices, file = [SHOTS, f"{SHOTS},shots=50"], tmp_path / "m"
    before = rows(measure(record, devices, file))
    text = file.read_bytes()
    assert rows(measure(record, devices, file)) == before
    assert file.read_bytes() == text
    assert [(row.device, row.questions, row.shots) for row in before] == [(SHOTS, 1, 100), (f"{SHOTS},shots=50", 1, 50)]


def without_times(file: Path) -> list[dict[str, Any]]:
    """Return the lines of measurements, without what differs from run to run: seconds, and what a budget has left."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines[1:]:
        [answer] = line["turn"]["answers"]
        assert answer["details"].pop("seconds") > 0
        answer["details"].pop("budget", None)
    return lines


@pytest.mark.slow
def test_workers_give_the_file_that_one_process_gives(tmp_path: Path) -> None:
    """One of the devices stays here, as its budget is for all questions; the order of the devices does not matter."""
    devices = ["aer-noisy,shots=20", "sparse-shots,shots=40", "sparse-shots,shots=30,budget_shots=10000"]
    asked, here, there = two_questions(), tmp_path / "here", tmp_path / "there"
    measure(asked, devices, here, seed=5)
    measure(asked, devices[::-1], there, seed=5, workers=2)
    assert without_times(here) == without_times(there)
    assert len(without_times(here)) == 1 + 3 * 2


def test_a_device_that_has_answered_everything_is_not_opened(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    openings: list[dict[str, Any]] = []

    def counted(**options: Any) -> backends.Backend:
        openings.append(options)
        return adapters.device(SparseSampler(), **options)

    monkeypatch.setattr(sparse_sampler, "sparse_device", counted)
    file = tmp_path / "game.json"
    file.write_text(record.to_json())
    line = ["measure", str(file), "--backend", SHOTS, "--backend", f"{SHOTS},timeout=9,shots=50"]
    assert main([*line, "--seed", "1"]) == 0
    assert len(openings) == 2
    table = capsys.readouterr().out
    for more in ([], ["--dry-run"]):
        assert main([*line, *more]) == 0
    assert len(openings) == 2
    assert capsys.readouterr().out.startswith(table)
    assert main([*line, "--backend", f"{SHOTS},shots=7"]) == 0
    assert openings[2:] == [{"shots": 7}]
    with pytest.raises(InvalidMoveError, match="begun with the seed 1, not 2"):
        measure(record, ["nobody"], tmp_path / "game.measured.jsonl", seed=2)
    assert main([*line, "--backend", f"{SHOTS},50"]) == 2
    assert "options follow a backend's name" in capsys.readouterr().err


def test_one_seed_measures_the_same_in_two_files(record: Record, tmp_path: Path) -> None:
    one, other = (rows(measure(record, [SHOTS], tmp_path / name, seed=3))[0] for name in "ab")
    assert (one.kept, one.distance, one.agreement) == (other.kept, other.distance, other.agreement)


def test_a_question_that_failed_has_a_row_of_its_own(record: Record, tmp_path: Path) -> None:
    [row] = rows(measure(record, [f"{SHOTS},timeout=1e-9"], tmp_path / "m"))
    assert (row.kind, row.questions, row.kept, row.agreement) == (FAILED, 1, None, None)
    assert row.why


def test_a_try_that_failed_is_kept_without_an_answer_and_its_shots_are_costs(record: Record, tmp_path: Path) -> None:
    sampler, file = Doubling(), tmp_path / "m"
    device = backends.of(sampler, surplus="refuse")
    [failed] = rows(measure(record, [device], file, seed=3))
    assert (failed.kind, failed.shots, "returned 200 shots instead of 100" in failed.why) == (FAILED, 200, True)
    line = json.loads(file.read_text().splitlines()[-1])
    assert (line.keys(), line["failed"].keys()) == ({"device", "where", "failed", "lost"}, {"why", "details"})
    sampler.times = 1
    [row] = rows(measure(record, [device], file))
    assert (row.kind, row.questions, row.shots) == (WHOLE, 1, 300)
    assert rows(measure(record, [device], file)) == [row]


def test_a_failure_of_the_first_format_is_read_and_asked_again(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "m"
    measure(record, [f"{SHOTS},timeout=1e-9"], file)
    head, line = map(json.loads, file.read_text().splitlines())
    told = {"shots_run": 7, "fallback": "late"}
    answer = {"name": "hit", "value": 1, "probability": 0.5, "source": "nobody", "details": told}
    turn = {"player": "white", "move": "x", "answers": [answer]}
    old = {"device": line["device"], "where": line["where"], "turn": turn, "failed": True, "lost": False}
    file.write_text("".join(f"{json.dumps(each)}\n" for each in ({**head, "format": "qchess measure 1"}, old)))
    [row] = rows(measure(record, [f"{SHOTS},timeout=1e-9"], file))
    assert (row.kind, row.questions, row.shots, "late" in row.why) == (FAILED, 1, 7, False)


def test_a_device_that_is_added_is_asked_and_the_others_are_not(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "m"
    [before] = rows(measure(record, [SHOTS], file, seed=3))
    text = file.read_bytes()
    added = f"{SHOTS},shots=50"
    both = rows(measure(record, [added, SHOTS], file))
    assert (both[0].device, both[0].shots, both[1]) == (added, 50, before)
    new = file.read_bytes().removeprefix(text).splitlines()
    assert [json.loads(line)["device"] for line in new] == [added]
    assert rows(measure(record, [SHOTS], file)) == [before]


def test_circuits_in_part_have_a_row_of_their_own(tmp_path: Path) -> None:
    record = two_questions()
    found = rows(measure(record, [Weak()], tmp_path / "m", seed=1))
    assert [(row.kind, row.questions, row.shots) for row in found] == [(WHOLE, 1, 100), (PART, 1, 100)]


# -- jobs ------------------------------------------------------------------------------------------------------


def test_a_job_that_is_lost_is_told_and_handed_in_again_by_the_same_command(record: Record, tmp_path: Path) -> None:
    service = Service(LostJobError("the fridge is warm"))
    [lost] = rows(measure(record, [service], tmp_path / "m"))
    assert (lost.kind, lost.questions, "the fridge is warm" in lost.why) == (FAILED, 1, True)
    service.trouble = None
    [row] = rows(measure(record, [service], tmp_path / "m"))
    assert (row.kind, row.shots, len(service.paid)) == (WHOLE, 100, 2)
    assert len(set(service.paid)) == 1, "under the name that was kept"


@pytest.mark.parametrize("when", ["submit", "collect"])
def test_a_job_that_is_there_is_collected_after_a_failure_and_paid_once(
    record: Record, tmp_path: Path, when: str
) -> None:
    service = Service(ConnectionError("no network"), when)
    for _ in range(2):
        [failed] = rows(measure(record, [service], tmp_path / "m"))
        assert (failed.kind, "no network" in failed.why) == (FAILED, True)
    service.trouble = None
    [row] = rows(measure(record, [service], tmp_path / "m"))
    assert (row.kind, row.shots, len(service.paid)) == (WHOLE, 100, 1)


def test_the_job_of_then_is_collected_where_other_circuits_would_be_sent_today(record: Record, tmp_path: Path) -> None:
    service = Service(ConnectionError("no network"))
    measure(record, [service], tmp_path / "m")
    service.trouble, service.most = None, 1
    [row] = rows(measure(record, [service], tmp_path / "m"))
    assert (row.kind, row.shots, len(service.paid)) == (WHOLE, 100, 1)


def test_no_other_answers_for_a_device_that_failed(record: Record, tmp_path: Path) -> None:
    for number, device in enumerate((f"{SHOTS},timeout=1e-9", Service(ConnectionError("away")))):
        replaced = backends.of(device, on_failure="fallback")
        [row] = rows(measure(record, [replaced], tmp_path / str(number)))
        assert (row.kind, row.agreement) == (FAILED, None)


KILLED = """
import os, signal, sys
from pathlib import Path
from qchess.backends.devices.queued import QueuedSource
from qchess.playing.measuring import measure
from qchess.playing.record import Record

submit = QueuedSource.submit

def killed(self, pause):
    ticket = submit(self, pause)
    if "found" in ticket["details"]:
        return ticket
    os.kill(os.getpid(), signal.SIGKILL)

QueuedSource.submit = killed
measure(Record.from_json(Path("game.json").read_text()), sys.argv[1:], Path("m"))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_process_that_is_killed_after_it_handed_a_job_in_finds_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    record, device = two_questions(), f"queued:{SHOTS}"
    (tmp_path / "game.json").write_text(record.to_json())
    told = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for _ in range(2):  # the first hands one question in; the second finds its job, and hands the other in
        ended = subprocess.run([sys.executable, "-c", KILLED, device], cwd=tmp_path, env=told, timeout=PATIENCE)
        assert ended.returncode == -signal.SIGKILL
    [row] = rows(measure(record, [device], tmp_path / "m"))
    assert (row.kind, row.questions, row.jobs, row.shots) == (WHOLE, 2, 2, 200)
    jobs = list((tmp_path / "jobs").iterdir())
    assert [len((job / "paid").read_text().splitlines()) for job in jobs] == [1, 1]


def test_what_cannot_be_measured_is_refused_before_a_file_is_made(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "m"
    for devices, said in ((["sparse"], "takes no shots"), ([SHOTS, SHOTS], "twice"), (["nobody"], "no backend")):
        with pytest.raises(BackendError, match=said):
            measure(record, devices, file)
    assert not file.exists()


def test_another_games_file_is_refused(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "m"
    measure(record, [SHOTS], file)
    other = qchess.new("quantum-chess", seed=7, fen=FEN)
    for move in ("b1^a3c3", "e8-e7", "a3-b5"):
        other.play(move)
    other.play("e7-d6")
    other.play("c3-d5")
    with pytest.raises(InvalidMoveError, match="does not hold measurements"):
        measure(Record.from_json(other.record().to_json()), [SHOTS], file)


def test_the_command_prints_the_table(record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_text(record.to_json())
    assert main(["measure", str(file), "--backend", SHOTS, "--seed", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:4] == [SHOTS, "1", "1.0", "1.000"]
    assert main(["measure", str(file), "--backend", SHOTS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["shots"] == 100
    assert (tmp_path / "game.measured.jsonl").is_file()


def test_a_dry_run_says_what_is_sent_then_and_nothing_is(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    file = tmp_path / "game.json"
    file.write_text(record.to_json())
    queue = "queued:sparse-shots,shots=60,readout_twirling=True"
    line = ["measure", str(file), "--backend", SHOTS, "--backend", queue, "--seed", "1"]
    assert main([*line, "--dry-run"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [
        f"{SHOTS}: questions 1, circuits 1, shots 100",
        f"{backends.get(queue).name}: questions 1, circuits 1, shots 60, jobs 1",
    ]
    assert list(tmp_path.iterdir()) == [file]
    assert main([*line, "--dry-run", "--json"]) == 0
    foreseen = json.loads(capsys.readouterr().out)
    assert main(line) == 0
    assert capsys.readouterr().err.splitlines()[0] == told[1]  # before the first job
    for one, before in zip(measure(record, [SHOTS, queue], tmp_path / "game.measured.jsonl"), foreseen, strict=True):
        [asked], [sent] = one.answered, before["questions"]
        details = asked.answers[0].details
        assert {name: details[name] for name in sent["details"] if name != "figures"} == {
            name: value for name, value in sent["details"].items() if name != "figures"
        }
    assert main([*line, "--dry-run", "--backend", "sparse-shots,shots=7"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{SHOTS}: no questions are left",
        f"{backends.get(queue).name}: no questions are left",
        "sparse-shots,shots=7: questions 1, circuits 1, shots 7",
    ]


def test_a_dry_run_says_what_would_be_refused(record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weak = backends.of(Weak(), parts="refuse")
    [told] = foresee(two_questions(), [weak], tmp_path / "none.jsonl")
    sent, why = (
        "questions 1, circuits 1, shots 100, expected fidelity 0.900 on average, kept as expected",
        "refused 1, the",
    )
    assert re.match(rf"{weak.name}: {sent} [\d.]+% on average; {why} first one since device weak failed ", str(told))
    monkeypatch.setattr(Weak, "most", 0)
    [told] = foresee(record, [weak], tmp_path / "none.jsonl")
    assert str(told).startswith(f"{weak.name}: {why} first one since device weak failed (")
    assert not list(tmp_path.iterdir())


def test_the_command_draws_the_picture(record: Record, tmp_path: Path) -> None:
    file, drawn = tmp_path / "game.json", tmp_path / "drawn.svg"
    file.write_text(record.to_json())
    assert main(["measure", str(file), "--backend", SHOTS, "--seed", "1", "--picture", str(drawn)]) == 0
    assert f"{SHOTS}, 1 question, kept 100.0%, coin flips 50.0%, distance" in drawn.read_text()
    drawn.write_text("mine")
    for again, code in (("--picture", 2), ("-o", 2), ("--force", 0)):
        more = ["--force", "-o"] if again == "--force" else [again]
        assert main(["measure", str(file), "--backend", SHOTS, *more, str(drawn)]) == code
        assert (drawn.read_text() == "mine") == bool(code)
    assert main(["measure", str(file), "--backend", SHOTS, "-o", str(tmp_path / "table.txt")]) == 0
    assert "saved in" in (tmp_path / "table.txt").read_text()
    pytest.importorskip("resvg_py", reason="needs the extra `png`")
    drawn = tmp_path / "drawn.PNG"
    assert main(["measure", str(file), "--backend", SHOTS, "--picture", str(drawn)]) == 0
    head, width = drawn.read_bytes()[:8], int.from_bytes(drawn.read_bytes()[16:20])
    assert (head, width) == (b"\x89PNG\r\n\x1a\n", 1800)


def test_a_picture_that_cannot_be_drawn_is_refused_before_anything_is_asked(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.json"
    file.write_text(record.to_json())
    assert main(["measure", str(file), "--backend", SHOTS, "--picture", str(tmp_path / "none" / "drawn.svg")]) == 2
    assert "cannot be written: the folder" in capsys.readouterr().err
    assert main(["measure", str(file), "--backend", SHOTS, "--picture", str(tmp_path / "drawn.jpg")]) == 2
    assert "expected a file that ends with .svg or .png, got " in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert main(["measure", str(file), "--backend", SHOTS, "--picture", str(tmp_path / "drawn.png")]) == 2
    assert "a PNG needs the package resvg-py" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [file]

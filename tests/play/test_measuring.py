"""Measuring a recorded game again: every question once on each device, whatever happens in between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qchess
from qchess.__main__ import main
from qchess.backends.devices import queued
from qchess.errors import BackendError, InvalidMoveError
from qchess.playing.measuring import measure, questions
from qchess.playing.record import Record
from qchess.showing.comparing import FAILED, rows

SHOTS = "sparse-shots"
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"


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


def test_one_seed_measures_the_same_in_two_files(record: Record, tmp_path: Path) -> None:
    one, other = (rows(measure(record, [SHOTS], tmp_path / name, seed=3))[0] for name in "ab")
    assert (one.kept, one.distance, one.agreement) == (other.kept, other.distance, other.agreement)


def test_a_question_that_failed_has_a_row_of_its_own(record: Record, tmp_path: Path) -> None:
    [row] = rows(measure(record, [f"{SHOTS},timeout=1e-9"], tmp_path / "m"))
    assert (row.kind, row.questions, row.kept, row.agreement) == (FAILED, 1, None, None)
    assert row.why


@pytest.mark.slow
def test_a_process_that_ends_after_it_handed_a_job_in_finds_it_again(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    submit = queued.QueuedSource.submit

    def killed(self: queued.QueuedSource, pause: object) -> object:
        submit(self, pause)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(queued.QueuedSource, "submit", killed)
    with pytest.raises(KeyboardInterrupt):
        measure(record, [f"queued:{SHOTS}"], tmp_path / "m")
    monkeypatch.setattr(queued.QueuedSource, "submit", submit)
    [row] = rows(measure(record, [f"queued:{SHOTS}"], tmp_path / "m"))
    assert (row.questions, row.jobs, row.shots) == (1, 1, 100)
    assert len(list((tmp_path / "jobs").iterdir())) == 1


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
    with pytest.raises(InvalidMoveError, match="something else"):
        measure(Record.from_json(other.record().to_json()), [SHOTS], file)


def test_the_command_prints_the_table(record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_text(record.to_json())
    assert main(["measure", str(file), "--backend", SHOTS, "--seed", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == [SHOTS, "1", "1.000"]
    assert main(["measure", str(file), "--backend", SHOTS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["shots"] == 100
    assert (tmp_path / "game.measured.jsonl").is_file()


def test_the_command_draws_the_picture(record: Record, tmp_path: Path) -> None:
    file, drawn = tmp_path / "game.json", tmp_path / "drawn.svg"
    file.write_text(record.to_json())
    assert main(["measure", str(file), "--backend", SHOTS, "--seed", "1", "--picture", str(drawn)]) == 0
    assert f"{SHOTS}, 1 question, kept 100.0%, coin flips 50.0%, distance" in drawn.read_text()

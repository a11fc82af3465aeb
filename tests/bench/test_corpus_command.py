"""``qchess bench corpus``: listed, written, checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qchess.__main__ import main
from qchess.bench.corpus import checking, folder, listing

SLIDES = ["bench", "corpus", "--size", "small", "--only", "linked-slides"]


@pytest.fixture(autouse=True)
def without_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games need not be played for what is said of two circuits that come from none."""
    monkeypatch.setattr(listing, "listed", lambda only: listing.small_states())


def test_it_lists_each_case_with_its_hash_and_one_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SLIDES) == 0
    head, *rows, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["case", "size", "wires", "ops", "CX", "depth", "peak", "final", "hash"]
    names = ["linked-slides-2-native", "linked-slides-2-heavy-hex"]
    assert [row.split()[:3] for row in rows] == [[names[0], "small", "10"], [names[1], "small", "11"]]
    assert last.startswith("2 cases of the small corpus, hash ")


def test_the_same_as_json_and_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SLIDES, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert main([*SLIDES, "--out", str(tmp_path), "--export", "all"]) == 0
    index = folder.index(tmp_path)
    assert index["hash"] == told["hash"]
    assert [row["hash"] for row in index["cases"]] == [row["hash"] for row in told["cases"]]
    assert {place.name for place in tmp_path.iterdir()} == {
        *("cases", "index.json", "text", "qasm2", "qasm3", "cirq", "qiskit"),
    }
    assert all(len(list(place.iterdir())) == 2 for place in tmp_path.iterdir() if place.is_dir())
    assert main([*SLIDES, "--out", str(tmp_path)]) == 2
    assert "index.json' exists already; add --force" in capsys.readouterr().err


def test_forms_need_a_folder_to_be_written_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SLIDES, "--export", "text"]) == 2
    assert "where to?" in capsys.readouterr().err


def test_it_checks_the_amplitudes_and_tells_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*SLIDES, "--check", "sparse", "--check", "qasm2-qiskit"]
    assert main(command) == 0
    assert "qasm2-qiskit: 2 cases of at most 14 wires, largest error" in capsys.readouterr().out
    right = checking.on_engine
    monkeypatch.setattr(checking, "on_engine", lambda case, name: {k ^ 1: a for k, a in right(case, name).items()})
    assert main(command) == 1
    out = capsys.readouterr().out
    assert "wrong: linked-slides-2-native by sparse, off by 0.5" in out
    assert "by qasm2-qiskit" not in out


def test_a_case_too_wide_to_be_checked_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SLIDES, "--check", "sparse", "--most", "10"]) == 0
    assert "sparse: 1 case of at most 10 wires" in capsys.readouterr().out

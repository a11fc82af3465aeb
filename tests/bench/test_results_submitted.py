"""A result file is what its page says, whoever wrote it; every fault is one sentence with its line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.bench.case import Case
from qchess.bench.corpus.listing import corpus
from qchess.bench.running import results, runner
from qchess.bench.running.measuring import Settings

ROOT = Path(__file__).parents[2]
SETTINGS = Settings(seconds=100.0, warm=0.0, least=2, shots=200)
#: a program that asks, and one that post-selects
TINY = ("move-quantum-checkers-1-asked-native", "move-niels-chess-2-flagged-native")
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def tiny() -> list[Case]:
    """Two cases of the corpus, of two and three wires."""
    return [case for name in TINY for case in corpus("small", name)]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, tiny: list[Case]) -> Path:
    """A file of a real run: two simulators on both cases."""
    out = tmp_path_factory.mktemp("measured") / "out.jsonl"
    runner.run(results.plan_of(tiny, "small, only two", ("sparse", "cirq"), SETTINGS), tiny, out)
    return out


def written(path: Path, lines: Lines) -> Path:
    """The lines as a file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def lines_of(path: Path) -> Lines:
    """What the lines of a file hold."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_start_names_the_adapter_and_files_of_two_adapters_do_not_become_one(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, *lines = lines_of(measured)
    (start,) = [line for line in lines if line["what"] == "start" and line["simulator"] == "cirq"]
    here = hashlib.sha256((ROOT / "qchess/bench/adapters/cirq.py").read_bytes()).hexdigest()
    assert start["adapter"] == here
    start["adapter"] = "f" * 64
    other, out = written(tmp_path / "other.jsonl", [head, *lines]), tmp_path / "both.jsonl"
    assert main(["bench", "merge", str(measured), str(other), "--out", str(out)]) == 2
    assert f"cirq's adapter is {here} in {measured} and {'f' * 64} in {other}" in capsys.readouterr().err
    assert not out.exists()


def test_the_adapter_of_a_file_is_that_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from math import sqrt as simulate\n")
    for name in (str(file), f"{file}:simulate", f"{file}:simulate,depth=3"):
        with runner.station(name, SETTINGS) as made:
            assert made.about["adapter"] == hashlib.sha256(file.read_bytes()).hexdigest()

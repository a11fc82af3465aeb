"""A stranger's simulator: the twenty lines of the page, from a folder that is no part of the project."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.running import results
from qchess.bench.running.measuring import Settings
from qchess.bench.running.runner import station
from qchess.circuits import Program, z
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "add_a_simulator.md"
#: the smallest cases of the corpus
FEW = ["--only", "move-", "--warm", "0", "--shots", "200", "--seed", "7"]


def run(where: Path, *words: str) -> str:
    """What the command line prints in a folder of a stranger."""
    path = os.pathsep.join([str(where), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "qchess", "bench", *words],
        cwd=where, env={**os.environ, "PYTHONPATH": path}, timeout=PATIENCE, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the code of the page, as a file and as an installed package with an entry point."""
    made = tmp_path_factory.mktemp("stranger")
    page = PAGE.read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(code.strip().splitlines()) <= 20
    (made / "mine.py").write_text(code)
    about = made / "mine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (point,) = re.findall(r'(mine = "mine:simulate")', page)
    (about / "entry_points.txt").write_text("[qchess.simulators]\n" + point.replace('"', "") + "\n")
    return made


@pytest.mark.slow
def test_the_twenty_lines_of_the_page_are_a_simulator(folder: Path) -> None:
    """As a file and by the entry point: right on every case, beside ours."""
    printed = run(folder, "run", "mine.py", "mine", "sparse", *FEW, "--out", "mine.jsonl")
    found = results.read(folder / "mine.jsonl")
    assert {run["outcome"] for run in found.runs.values()} <= {"ok", "unsupported"}
    right = {name for (name, _), run in found.runs.items() if run["outcome"] == "ok"}
    assert right == {"mine.py", "mine", "sparse"}
    assert all(run["error"] < 1e-12 for run in found.runs.values() if run["outcome"] == "ok")
    assert re.search(r"^mine.py +\d+ ", printed, re.MULTILINE)
    head, start, *_ = map(json.loads, (folder / "mine.jsonl").read_text().splitlines())
    assert {"processor", "cores", "memory_gb", "system", "python"} <= head["machine"].keys()
    assert head["settings"]["seed"] == 7
    assert all(len(case["hash"]) == 64 for case in head["cases"].values())
    assert all(run["hash"] == head["cases"][run["case"]]["hash"] for run in found.runs.values())
    assert found.starts["sparse"]["versions"]["numpy"]
    assert start["import"]["wall"] > 0


def test_its_objection_and_its_options_are_heard(folder: Path) -> None:
    (folder / "odd.py").write_text(
        "def simulate(circuit, factor=1):\n"
        "    return {circuit.start(): factor}\n"
        "simulate.objection = lambda circuit: 'too few wires' if circuit.wires < 3 else None\n"
        "simulate.precision = 'complex64'\n"
    )
    small, large = (families.cat(n) for n in (2, 3))
    idle = [
        type(circuit)(**{**vars(circuit), "program": Program(*map(z, circuit.wires))}) for circuit in (small, large)
    ]
    with station(f"{folder}/odd.py,factor=2", Settings(warm=0.0, least=1)) as made:
        assert made.about["precision"] == "complex64"
        refused, wrong = (made.run(case) for circuit in idle for case in cases(circuit, {"native": "small"}))
    assert (refused["outcome"], refused["why"]) == ("unsupported", "too few wires")
    assert (wrong["outcome"], wrong["kind"]) == ("wrong", "norm")

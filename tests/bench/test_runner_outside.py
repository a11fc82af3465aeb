"""A stranger's simulator: the twenty lines of the page, from a folder that is no part of the project."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qchess.bench.adapters import Circuit, catalogue
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.running import results, runner
from qchess.bench.running.measuring import Settings
from qchess.bench.running.runner import station
from qchess.circuits import Program, z
from tests.patience import PATIENCE, wait_until

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


def test_a_file_imports_its_neighbours_and_not_those_of_another(tmp_path: Path) -> None:
    """Two folders have a neighbour of the same name; one is needed at once, and again while it runs."""
    for word in ("one", "two"):
        (tmp_path / word).mkdir()
        (tmp_path / word / "our_helper.py").write_text(f"WORD = {word!r}\n")
        (tmp_path / word / "mine.py").write_text(
            "from __future__ import annotations\n"
            "from dataclasses import dataclass\n"
            "import our_helper\n"
            "@dataclass\n"
            "class Kept:\n"
            "    word: str = our_helper.WORD\n"
            "def simulate(circuit):\n"
            "    import our_helper as again\n"
            "    return {0: again.WORD, 1: Kept().word}\n"
        )
    for word in ("one", "two", "one"):
        adapter = catalogue.get(f"{tmp_path}/{word}/mine.py")
        lowered = adapter.lower(Circuit(1, (), ()))
        assert adapter.run(lowered, adapter.desk(lowered))[1] == {0: word, 1: word}


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A simulator with a neighbour that leaves a mark of each process that imports it."""
    (tmp_path / "our_marks.py").write_text(
        "import os\n"
        "with open(os.environ['QCHESS_TEST_MARKS'], 'a') as file:\n"
        "    file.write(f'{os.getpid()}\\n')\n"
    )  # fmt: skip
    (tmp_path / "marked.py").write_text("import our_marks\nsimulate = lambda circuit: {circuit.start(): 1}\n")
    monkeypatch.setenv("QCHESS_TEST_MARKS", str(tmp_path / "marks"))
    return tmp_path


def test_one_process_tells_the_start_and_runs_all_cases(marked: Path) -> None:
    """Its neighbour is found in the process of the simulator too."""
    made = [case for n in (2, 3) for case in cases(families.cat(n), {"native": "small"})]
    plan = results.plan_of(made, "by hand", [f"{marked}/marked.py"], Settings(warm=0.0, least=1))
    found = runner.run(plan, made, marked / "out.jsonl")
    assert {run["outcome"] for run in found.runs.values()} == {"wrong"}
    assert len((marked / "marks").read_text().splitlines()) == 1


@pytest.mark.slow
def test_a_log_has_each_line_as_soon_as_it_is_known(tmp_path: Path) -> None:
    """While the second run waits, the log of the first is there."""
    marks, log = tmp_path / "marks", tmp_path / "log"
    marks.with_suffix(".gate").write_text("1")
    slow = Path(__file__).parent / "faulty_simulators.py"
    words = ["run", f"{slow}:slow", "--only", "move-quantum-chess", "--warm", "0", "--out", str(tmp_path / "out.jsonl")]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "qchess", "bench", *words, "--seconds", "100"], cwd=ROOT, stderr=stream,
            env={**os.environ, "QCHESS_TEST_MARKS": str(marks), "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    try:
        wait_until(lambda: marks.exists() and len(marks.read_text().splitlines()) > 1, "a run waits")
        wait_until(lambda: len(log.read_text().splitlines()) >= 1, "a line is there")
        assert "slow starts: ok" in log.read_text()
    finally:
        process.kill()
        process.wait()

"""Results that others add: which files can be added, and what is said of those that cannot."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.bench.adapters import catalogue
from qchess.bench.case import hash_of
from qchess.bench.running import runner, source
from tests.bench.result_files import PAGE, ROOT, SETTINGS, STORED, TINY, Lines, lines_of, without, written


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
    here = hashlib.sha256(file.read_bytes()).hexdigest()
    for name in (str(file), f"{file}:simulate", f"{file}:simulate,depth=3"):
        assert source.told(name, catalogue.get(name))["adapter"] == here
    with runner.station(name, SETTINGS) as made:
        assert made.about["adapter"] == here


def submitted(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of `qchess bench submit`, and what it prints."""
    code = main(["bench", "submit", str(path)])
    return code, capsys.readouterr().out


def test_a_whole_file_can_be_added(measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of(measured)
    for number, line in enumerate(lines[1:]):
        line["load"] = 0.5 + number
    lines[6]["remarks"] = {"waits": "it waited for 1 of 2 s and did nothing"}
    lines[3]["new"] |= {"wall": 0.25, "low": 0.2, "high": 0.3, "each": [0.15, 0.35]}
    lines[6]["new"] |= {"wall": 0.1, "low": 0.1, "high": 0.1, "each": [0.1, 0.1]}
    code, said = submitted(written(tmp_path / "out.jsonl", lines), capsys)
    assert code == 0
    assert re.search(
        r"^can be added: copy it to benchmarks/results/[a-z0-9_]+small_only_two.jsonl, and add", said, re.MULTILINE
    )
    rows = [re.split(" {2,}", line) for line in said.splitlines()]
    (sparse,), (cirq,) = ([row for row in rows if row[0] == name] for name in ("sparse", "cirq"))
    assert sparse[1:6] == ["2 of 2", "1", "0", "2.5 (1)", "this version's"]
    assert cirq[1:6] == ["2 of 2", "2", "1", "1 (1)", "this version's"]
    assert "load while it ran: median 3.5, from 1.5 to 5.5" in said


def changed_case(lines: Lines, **features: Any) -> None:
    """Another case of that name, in the first line and in its runs."""
    cases = lines[0]["cases"]
    cases[TINY[0]] |= features
    lines[0]["hash"] = hash_of((name, case["size"], case["hash"]) for name, case in cases.items())
    for line in lines[1:]:
        if line.get("case") == TINY[0]:
            line["hash"] = cases[TINY[0]]["hash"]


def renamed(lines: Lines, old: str, new: str) -> Lines:
    """The lines with another name in place of one."""
    found: Lines = json.loads(json.dumps(lines).replace(json.dumps(old), json.dumps(new)))
    return found


def of_no_corpus(lines: Lines) -> None:
    lines[:] = renamed(lines, TINY[0], TINY[0] + "-mine")
    cases = lines[0]["cases"]
    lines[0]["hash"] = hash_of((name, case["size"], case["hash"]) for name, case in cases.items())


def without_reference(lines: Lines) -> None:
    lines[:] = renamed(lines, "cirq", "mine.py")


def from_a_folder(lines: Lines) -> None:
    lines[:] = renamed(lines, "sparse", "/somewhere/mine.py")


VERSION = "in the corpus of this version"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: changed_case(lines, hash="a" * 64), f"other circuits than {VERSION}: {TINY[0]}; measure them"),
        (lambda lines: changed_case(lines, wires=14), f"other features than {VERSION}: {TINY[0]}, in wires"),
        (of_no_corpus, f"not in the corpus of this version: {TINY[0]}-mine"),
        (lambda lines: lines.pop(3), f"sparse has no run of {TINY[1]}; go on with the same call of `qchess bench run`"),
        (lambda lines: lines.__delitem__(slice(1, 4)), f"sparse has no run of {TINY[0]}, {TINY[1]}; go on"),
        (without_reference, "cirq did no case, but its times give the scale of the machine; add it to the file"),
        (without(2, "adapter"), "no hash of the adapter of sparse; measure again with this version"),
        (from_a_folder, "expected files named from the folder that they are in, got /somewhere/mine.py"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Lines], None], said: str
) -> None:
    lines = lines_of(measured)
    change(lines)
    code, printed = submitted(written(tmp_path / "out.jsonl", lines), capsys)
    assert code == 1
    (missing,) = re.findall(r"^missing: (.*)$", printed, re.MULTILINE)
    assert missing.startswith(said)
    assert "can be added" not in printed


def test_another_adapter_of_that_name_is_told_in_the_table(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(measured)
    lines[1]["adapter"] = "ab" * 32
    code, said = submitted(written(tmp_path / "out.jsonl", lines), capsys)
    assert code == 0
    assert "abababababab, not this version's" in said


def test_faults_are_printed_up_to_a_number_and_no_file_is_bad_input(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, *lines = lines_of(measured)
    out = written(tmp_path / "out.jsonl", [head, *lines, *lines * 9])
    code, said = submitted(out, capsys)
    assert code == 1
    assert said.splitlines()[0] == f"{out}, line 8: simulator 'sparse' starts a second time"
    assert said.splitlines()[-1] == "and 34 more"
    assert len(said.splitlines()) == 21
    assert submitted(tmp_path / "nothing.jsonl", capsys)[0] == 2


def test_files_of_the_first_format_are_not_added(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = submitted(Path(__file__).with_name("first_format.jsonl"), capsys)
    assert code == 1
    assert re.findall(r"^missing: (.*)$", said, re.MULTILINE) == [
        "expected a file of 'qchess bench results 2', got 'qchess bench results 1': measure again with this version"
    ]


def test_the_page_lists_the_stored_files() -> None:
    named = re.findall(r"^\| `(\S+\.jsonl)` \|", PAGE, re.MULTILINE)
    assert sorted(named) == [path.name for path in STORED]

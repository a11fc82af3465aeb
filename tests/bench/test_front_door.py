"""`qchess.bench` from Python: what a notebook needs of the benchmark, in a few calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from qchess import bench
from qchess.errors import InvalidMoveError


def test_a_family_gives_the_case_that_the_corpus_has() -> None:
    made = bench.family("cat", 12)
    (listed,) = bench.cases("small", only="cat-12-native")
    assert (made.name, made.hash) == (listed.name, listed.hash)


def test_a_family_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(InvalidMoveError, match=r"expected a family of circuits from cat, clifford, .*, got '_dense'"):
        bench.family("_dense", 3)


def test_simulators_are_measured_on_cases_and_a_file_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    small = bench.family("cat", 3)
    assert "sparse" in bench.installed()
    results = bench.measure([small], ["sparse"], seconds=60, warm=0.001, shots=10, path=file)
    (row,) = bench.rows(results)
    assert (row.simulator, row.case, row.outcome) == ("sparse", small.name, "ok")
    assert "sparse                 1" in bench.table(results)
    before = file.read_bytes()
    bench.measure([small], ["sparse"], seconds=60, warm=0.001, shots=10, path=file)
    assert file.read_bytes() == before

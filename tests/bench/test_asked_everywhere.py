"""Expectations and read-outs under noise, by every simulator that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.bench.adapters import catalogue
from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.questions import measuring as asking
from qchess.bench.questions.cases import NOISE, VALUES, asked
from qchess.bench.questions.noise import noise_of
from qchess.bench.running.measuring import Settings
from qchess.bench.running.runner import station
from qchess.bench.running.schema import checked

pytestmark = pytest.mark.slow
SETTINGS = Settings(warm=0.0, least=2, shots=2000)


def case_of(circuit: Any, question: str) -> Case:
    (plain,) = cases(circuit, {"native": "small"})
    (made,) = asked(plain, [question])
    return made


def measured(adapter: Any, case: Case) -> dict[str, Any]:
    found: dict[str, Any] = {}
    asking.measure(adapter, case, SETTINGS, found.update)
    return found


def test_every_simulator_that_is_here_is_right_or_says_why_not() -> None:
    """All in this process: what a process of its own does to a run is asked of a few."""
    dense, cat = case_of(families.dense(6, 3), VALUES), case_of(families.cat(5), VALUES)
    noisy = case_of(families.clifford(5, 4, 1), NOISE)
    for name in catalogue.names():
        adapter = catalogue.get(name)
        if adapter.absent():
            continue
        adapter.load()
        result = measured(adapter, cat if name == "stim" else dense)
        assert (result["outcome"], result["why"]) == ("ok", ""), name
        if noise_of(adapter) is None:
            assert asking.way_of(adapter, noisy) is None, name
        else:
            assert measured(adapter, noisy)["outcome"] == "ok", name


def test_what_cannot_be_given_is_unsupported() -> None:
    noisy, wide = case_of(families.clifford(5, 4, 1), NOISE), case_of(families.cat(21), VALUES)
    with station("registers", SETTINGS) as made:
        assert made.run(noisy)["outcome"] == "unsupported"
    with station("ddsim", SETTINGS) as made:
        assert not made.ready or made.run(wide)["why"] == "no values of 21 wires; 20 at most"


def test_a_file_of_both_fits(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = ["--family", "dense", "--wires", "5", "--ask", "values", "--ask", "noise", "--warm", "0", "--out", str(out)]
    assert main(["bench", "run", "sparse", "registers", "aer-mps", *words]) == 0
    assert checked(out)[1] == []

"""Expectations and read-outs under noise, by every simulator that is installed, each in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.bench.adapters import catalogue
from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
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


def test_every_simulator_that_is_here_is_right_or_says_why_not() -> None:
    dense, cat = case_of(families.dense(6, 3), VALUES), case_of(families.cat(5), VALUES)
    noisy = case_of(families.clifford(5, 4, 1), NOISE)
    for name in catalogue.names():
        with station(name, SETTINGS) as made:
            if not made.ready:
                continue
            result = made.run(cat if name == "stim" else dense)
            assert (result["outcome"], result["why"]) == ("ok", ""), name
            can = noise_of(catalogue.get(name)) is not None
            assert made.run(noisy)["outcome"] == ("ok" if can else "unsupported"), name
            if name == "ddsim":
                assert made.run(case_of(families.cat(21), VALUES))["why"] == "no values of 21 wires; 20 at most"


def test_a_file_of_both_fits(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = ["--family", "dense", "--wires", "5", "--ask", "values", "--ask", "noise", "--warm", "0", "--out", str(out)]
    assert main(["bench", "run", "sparse", "registers", "cirq", "aer", "aer-mps", *words]) == 0
    assert checked(out)[1] == []

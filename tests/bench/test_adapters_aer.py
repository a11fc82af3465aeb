"""Aer's own options in a simulator's name: they reach Aer, the state stays right, and the row says what Aer told."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qchess.__main__ import main
from qchess.bench.adapters import Circuit, Step, catalogue
from qchess.circuits.errors import BackendError
from tests.bench.faulty_simulators import simulate
from tests.bench.test_adapters_states import apart, circuits, state_of, there


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("aer", {}),
        ("aer-c64", {}),
        ("aer,blocking_qubits=4", {"method": "statevector", "device": "CPU", "blocking_qubits": 4}),
        ("aer,device=CPU", {"method": "statevector", "device": "CPU"}),
        ("aer,method=automatic", {"method": "statevector", "device": "CPU"}),
    ],
)
def test_the_state_is_right_and_the_row_says_what_aer_told(name: str, notes: dict[str, Any]) -> None:
    adapter = there(name)
    for circuit in random.Random(1).sample(list(circuits(adapter, 5)), 8):
        state, wanted = state_of(adapter, adapter.lower(circuit)), simulate(circuit)
        assert apart(np.array(adapter.amplitudes(state, range(32))), wanted) < (1e-5 if name == "aer-c64" else 1e-12)
        assert adapter.notes(state) == notes


def test_where_a_gate_is_wider_than_a_chunk_the_vector_is_whole_and_the_row_does_not_say_otherwise() -> None:
    adapter = there("aer,blocking_qubits=2")
    wide = Circuit(3, (), (Step("H", 1.0, (0,), ((1, 1), (2, 0))),))
    assert adapter.notes(state_of(adapter, adapter.lower(wide))) == {"method": "statevector", "device": "CPU"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("method=mps", "method is statevector, automatic or tensor_network, got 'mps'"),
        ("device=TPU", "device is CPU or GPU, got 'TPU'"),
        ("blocking_qubits=-1", "blocking_qubits is a number of qubits, got -1"),
        ("blocking_qubits=many", "blocking_qubits is a number of qubits, got 'many'"),
    ],
)
def test_an_option_that_aer_has_not_is_refused_in_a_sentence(options: str, said: str) -> None:
    with pytest.raises(BackendError, match=f"^{said}$"):
        catalogue.get(f"aer,{options}")


@pytest.mark.slow
def test_a_file_of_results_and_the_table_of_outcomes_name_the_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there("aer")
    names, file = ["aer", "aer,blocking_qubits=10"], tmp_path / "results.jsonl"
    assert main(["bench", "run", *names, "--only", "cat-1", "--size", "small", "--out", str(file)]) == 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()][1:]
    told = {line["simulator"]: line["notes"] for line in lines if "notes" in line}
    assert told == {"aer": {}, names[1]: {"method": "statevector", "device": "CPU", "blocking_qubits": 10}}
    head, *rows = capsys.readouterr().out.splitlines()[:3]
    assert {len(row) for row in rows} == {len(head)}

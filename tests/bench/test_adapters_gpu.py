"""Simulators on a GPU: one sentence where there is none; and, without one, that they ask for the right things."""

from __future__ import annotations

import random
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from qchess.__main__ import main
from qchess.bench.adapters import Adapter, Circuit, catalogue
from qchess.bench.adapters.gpu import shared as gpu
from tests.bench.faulty_simulators import simulate
from tests.bench.pretended_gpu import pretend
from tests.bench.test_adapters_states import apart, circuits, state_of

NAMES = ("aer-gpu", "custatevec", "qsim-gpu")


def check(adapter: Adapter, error: float, most: int) -> None:
    """Some circuits with every gate, against the definition."""
    found = random.Random(1).sample(list(circuits(adapter, 4)), most)
    for circuit in found:
        state = state_of(adapter, adapter.lower(circuit))
        wanted = simulate(circuit)
        told = np.array(adapter.amplitudes(state, range(len(wanted))))
        assert apart(told, wanted) < error
        assert adapter.touch(state, 5) == pytest.approx(abs(wanted[5]) ** 2, abs=error)
        assert adapter.norm(state) == pytest.approx(1, abs=error)


def test_where_there_is_no_gpu_each_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (gpu.told("import sys; sys.exit('it is not')"), gpu.told("pass")) == ("it is not", "")
    assert gpu.told("raise OSError('broken')") == "OSError: broken"
    real = gpu.no_gpu()
    assert not real or real.startswith("there is no GPU here: ")
    monkeypatch.setattr(gpu, "told", lambda code: "none" if code is gpu.DRIVER else "")
    asked = ("aer,device=GPU", "aer,device=GPU,blocking_qubits=20", "qsim,device=GPU")
    assert {catalogue.get(name).absent() for name in (*NAMES, *asked)} == {"there is no GPU here: none"}
    assert main(["bench", "run", "--list"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith(NAMES)]
    assert len(lines) == len(NAMES)
    assert all(line.endswith(" there is no GPU here: none") for line in lines)


def test_where_there_is_one_the_package_must_be_there_and_built_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "told", lambda code: "" if code is gpu.DRIVER else "it was built without")
    for name in NAMES:
        adapter = catalogue.get(name)
        missing = ", ".join(adapter.missing())
        built = "it was built without" if name != "custatevec" else ""
        assert adapter.absent() == (f"{missing} is not installed" if missing else built)


@pytest.mark.parametrize(("precision", "error"), [("double", 1e-12), ("single", 1e-5)])
def test_custatevec_is_asked_for_every_gate(monkeypatch: pytest.MonkeyPatch, precision: str, error: float) -> None:
    library = pretend(monkeypatch)
    adapter: Any = catalogue.get("custatevec")
    assert not adapter.compute_in(precision)
    adapter.load()
    assert not library.handles, "a process that forks has not begun with the GPU"
    adapter.wake()
    assert adapter.versions() == {"cupy": "13", "cuquantum": "26"}
    check(adapter, error, 25)
    (circuit,) = random.Random(2).sample(list(circuits(adapter, 4)), 1)
    lowered, wanted = adapter.lower(circuit), np.abs(simulate(circuit)) ** 2
    state = state_of(adapter, lowered)
    assert state.vector.dtype == adapter.precision
    counts = Counter(adapter.sample(lowered, state, 4000, 1))
    assert all(abs(counts[key] - 4000 * p) < 6 * (4000 * p) ** 0.5 + 1e-3 for key, p in enumerate(wanted))
    assert not library.samplers
    assert len(library.handles) == 1


@pytest.mark.slow
def test_qsim_on_a_gpu_is_its_other_module_with_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("qsimcirq") is None:
        pytest.skip("needs qsimcirq, of the extra `bench`")
    qsimcirq = import_module("qsimcirq")
    monkeypatch.setattr(qsimcirq, "qsim_gpu", qsimcirq.qsim)
    adapter: Any = catalogue.get("qsim-gpu")
    usual: Any = catalogue.get("qsim")
    adapter.load()
    assert adapter.code is qsimcirq.qsim_gpu
    lowered = adapter.lower(Circuit(2, (), ()))
    assert {"g": True, "gmode": 0}.items() <= adapter._asked(lowered, 1).items()
    assert usual._asked(lowered, 1)["g"] is False
    check(adapter, 1e-5, 4)


@pytest.mark.slow
def test_aer_on_a_gpu_begins_in_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter: Any = catalogue.get("aer-gpu")
    if adapter.missing():
        pytest.skip("needs qiskit_aer, of the extra `bench`")
    adapter.load()
    assert "simulator" not in vars(adapter)
    assert adapter.device == "GPU"
    adapter.device = "CPU"  # the rest of its way is the same
    adapter.wake()
    assert adapter.simulator.options.device == "CPU"
    check(adapter, 1e-12, 4)

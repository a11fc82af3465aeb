"""Adapters of simulators: right on every gate, a fresh state each run, nothing translated inside the clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from qchess.bench.adapters import Adapter, Circuit, Step, catalogue
from qchess.bench.running.verifying import TOLERANCE
from tests.bench.faulty_simulators import simulate

WIRES = 5
#: whose gates the default run tries
QUICK = ("sparse", "cirq", "aer")
GATES = [("ISWAP", 1.0), ("ISWAP", 0.5), ("ISWAP", -0.3), ("SWAP", 1.0), ("H", 1.0), ("X", 1.0), ("X", 0.5),
         ("X", 0.2), ("Z", 1.0), ("Z", 0.25), ("RY", 0.7), ("RZ", -1.1)]  # fmt: skip
NAMES = [row.name for row in catalogue.CATALOGUE]


def there(name: str) -> Adapter:
    """The adapter, loaded; skips where its package is not installed."""
    adapter = catalogue.get(name)
    if missing := adapter.missing():
        pytest.skip(f"needs {', '.join(missing)}, of the extra `bench`")
    if absent := adapter.absent():
        pytest.skip(absent)
    adapter.load()
    return adapter


def circuits(adapter: Adapter, count: int = WIRES) -> Iterator[Circuit]:
    """For each gate under no control and under others, a circuit with it in the middle that the adapter takes."""
    dice = random.Random(3)
    for name, parameter in GATES:
        for values in ((), (1,), (0,), (0, 1), (1, 0, 1)):
            wires = dice.sample(range(count), count)
            targets = tuple([wires.pop() for _ in range(2 if "SWAP" in name else 1)])
            step = Step(name, parameter, targets, tuple(zip(wires, values, strict=False)))
            even = [Step("H", 1.0, (wire,)) for wire in range(count)]
            uneven = [*even, *(Step("RY", 0.3 + wire, (wire,)) for wire in range(count))]
            for around in (even[1:], uneven):
                circuit = Circuit(count, (1, 3), (*around, step, *around[::-1]))
                if adapter.objection(circuit) is None:
                    yield circuit


def apart(found: Any, wanted: Any) -> float:
    """The largest error of an amplitude after one phase."""
    overlap = np.vdot(wanted, found)
    return float(abs(found - wanted * overlap / abs(overlap)).max())


def state_of(adapter: Adapter, lowered: Any) -> Any:
    return adapter.run(lowered, adapter.desk(lowered))


@pytest.mark.parametrize(
    ("name", "wires"),
    [
        *(pytest.param(name, WIRES, marks=() if name in QUICK else pytest.mark.slow) for name in NAMES),
        pytest.param("qulacs", 10, marks=pytest.mark.slow),
    ],
)
def test_every_gate_under_every_control_is_right(name: str, wires: int) -> None:
    """Qulacs' exchanges are folded from ten wires on."""
    adapter = there(name)
    tolerance = TOLERANCE["complex64" if adapter.approximate else adapter.precision]
    made = list(circuits(adapter, wires))
    assert made
    for circuit in made:
        found = np.asarray(adapter.amplitudes(state_of(adapter, adapter.lower(circuit)), range(1 << wires)))
        assert apart(found, simulate(circuit)) <= tolerance, circuit.steps


@pytest.mark.parametrize("name", NAMES)
def test_each_run_has_a_state_of_its_own_made_inside_the_clock(name: str) -> None:
    adapter = there(name)
    assert not adapter.offers("desk"), "what holds a state is made by `run`"
    circuit = next(circuits(adapter))
    lowered = adapter.lower(circuit)
    states = [state_of(adapter, lowered) for _ in range(2)]
    for state in states:
        found = np.asarray(adapter.amplitudes(state, range(1 << WIRES)))
        assert apart(found, simulate(circuit)) <= TOLERANCE["complex64"]


@pytest.mark.parametrize("name", NAMES)
def test_a_touch_reads_the_weight_of_a_basis_state_or_says_that_all_is_done(name: str) -> None:
    adapter = there(name)
    circuit = list(circuits(adapter))[-1]
    wanted = abs(simulate(circuit)) ** 2
    state = state_of(adapter, adapter.lower(circuit))
    for key in (int(wanted.argmax()), int(wanted.argmin()), 6):
        weight = adapter.touch(state, key)
        assert weight is None or weight == pytest.approx(wanted[key], abs=1e-5)


def test_qsim_translates_while_lowering_and_never_in_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = there("qsim")
    circuit = list(circuits(adapter))[-1]
    lowered = adapter.lower(circuit)
    monkeypatch.setattr("qsimcirq.QSimCircuit.translate_cirq_to_qsim", None)
    state = state_of(adapter, lowered)
    keys = list(adapter.sample(lowered, state, 200, 1))
    assert apart(adapter.amplitudes(state, range(1 << WIRES)), simulate(circuit)) <= TOLERANCE["complex64"]
    assert len(keys) == 200
    assert all(abs(simulate(circuit)[key]) > 1e-7 for key in keys)


def test_qulacs_and_qrack_fold_an_exchange_under_controls() -> None:
    """Three gates that turn one wire each, in place of a matrix on two."""
    step = Step("ISWAP", 0.5, (0, 1), ((2, 0), (3, 1)))
    for name, turned in (("qulacs", targets_of_qulacs), ("qrack", targets_of_qrack)):
        adapter = catalogue.get(name)
        if not adapter.absent():
            assert turned(adapter.lower(Circuit(12, (), (step,)))) == [[1], [0], [1]]


def targets_of_qulacs(lowered: Any) -> list[list[int]]:
    made = lowered[1]
    return [made.get_gate(k).get_target_index_list() for k in range(made.get_gate_count())]


def targets_of_qrack(lowered: Any) -> list[list[int]]:
    return [[arguments[1] if name == "mcx" else arguments[2]] for name, arguments in lowered[1]]

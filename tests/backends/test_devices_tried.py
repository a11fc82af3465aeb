"""Qubits are tried before they are used, bad ones are not used, and odds are told without the errors of reading."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qchess import backends
from qchess.backends.devices.preflight import preflight
from qchess.backends.devices.primitive import PrimitiveSampler
from qchess.backends.devices.readout import undone
from qchess.backends.devices.source import DeviceError, DeviceSource
from qchess.circuits import Answer, BackendError, Program, Registers, cnot, h, read, split

IBM = "qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'"
GOOGLE = "cirq-google is not installed: pip install 'qchess[google]'"
CIRCUIT = Program(h("a"), cnot("a", "b"), cnot("b", "c"), read("r", "a", "b", "c"))


def asked(source: Any, *qubits: str) -> Answer:
    board = Registers(backends.engine(), full=["s"]).run(split("s", "a", "b") + split("b", "c", "d")).registers
    return board.run(Program(read("r", *qubits or ("a", "c", "d"))), source).answers[0]


@cache
def guadalupe() -> tuple[Any, Any]:
    """What is told of a chip, and its noise, which takes a third of a second to make."""
    from qiskit_aer.noise import NoiseModel

    from qchess.backends.ibm import vendor

    fake = vendor.fake("guadalupe")
    return fake.target, NoiseModel.from_backend(fake)


def tired(bad_at: int, wrong: tuple[float, float] = (0.4, 0.4)) -> tuple[PrimitiveSampler, int]:
    """A fake of Guadalupe that puts the circuit on a qubit which is read worse than its calibration tells."""
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    from qiskit.primitives import BackendSamplerV2
    from qiskit_aer import AerSimulator
    from qiskit_aer.noise import ReadoutError

    from qchess.backends.devices.targets import TargetCompiler

    target, noise = guadalupe()
    compiler, noise = TargetCompiler(target), deepcopy(noise)
    bad = compiler.compile(CIRCUIT).qubits[bad_at]
    low, high = wrong
    noise.add_readout_error(ReadoutError([[1 - low, low], [high, 1 - high]]), [bad], warnings=False)
    noisy = AerSimulator(noise_model=noise, seed_simulator=3, max_parallel_threads=1)
    return PrimitiveSampler(BackendSamplerV2(backend=noisy), name="tired", compiler=compiler), bad


@pytest.mark.slow
def test_a_preflight_moves_away_from_a_qubit_that_has_gone_bad_since_its_calibration() -> None:
    sampler, bad = tired(1)
    found = preflight(sampler, [CIRCUIT])
    assert found.bad == (bad,)
    assert found.rounds == 2
    assert bad not in sampler.place(CIRCUIT).spots
    assert preflight(sampler, [CIRCUIT]).rounds == 0  # what was found good is not paid for again


def test_the_places_of_the_bits_of_an_answer_are_those_that_are_read() -> None:
    sampler, _ = tired(0)
    place = sampler.place(CIRCUIT)
    assert set(place.reads["r"]) <= set(place.spots)
    assert len(set(place.reads["r"])) == 3
    assert all(set(pair) <= set(place.spots) for pair in place.pairs)


@pytest.mark.slow
def test_a_player_who_wants_a_preflight_has_it_in_the_record() -> None:
    sampler, bad = tired(1)
    details = asked(DeviceSource(sampler, shots=50, preflight=400, seed=1)).details
    assert details["preflight"]["rounds"] >= 1
    assert str(bad) not in map(str, details["machine"][0]["physical"])
    assert json.loads(json.dumps(details)) == details


@pytest.mark.slow
def test_a_preflight_that_finds_no_good_place_says_so() -> None:
    sampler, _ = tired(0)

    class Hopeless(PrimitiveSampler):
        def probe(self, circuits: Any, place: Any, shots: int, seed: int | None) -> Any:
            return [backends.get("sparse-shots").source().sampler.run([Program(  # type: ignore[attr-defined]
                h(q), read("r", *place))], shots, seed)[0] for q in [next(iter(place))] for _ in circuits]  # fmt: skip

    sampler.__class__ = Hopeless
    with pytest.raises(DeviceError, match="still uses bad qubits after 6 tests"):
        asked(DeviceSource(sampler, shots=50, preflight=100))


@pytest.mark.parametrize("option", ["preflight", "mitigation"])
def test_a_machine_that_hides_its_qubits_cannot_be_tried(option: str) -> None:
    with pytest.raises(DeviceError, match="does not report which qubits it uses, so none can be tested"):
        asked(backends.get("sparse-shots", **{option: 100}).source(1))
    with pytest.raises(BackendError, match=rf"a device's {option} is a number of shots, or 0 for none; got -1"):
        backends.get("sparse-shots", **{option: -1})


@given(
    st.dictionaries(st.integers(0, 7), st.floats(0.01, 1), min_size=1),
    st.lists(st.tuples(st.floats(0, 0.3), st.floats(0, 0.3)), min_size=3, max_size=3),
)
def test_reading_errors_that_are_known_are_undone_exactly(
    weights: dict[int, float], errors: list[tuple[float, float]]
) -> None:
    total = sum(weights.values())
    odds = {key: weights.get(key, 0.0) / total for key in range(8)}

    def misread(seen: int, was: int) -> float:
        found = 1.0
        for k, (low, high) in enumerate(errors):
            wrong = high if was >> k & 1 else low
            found *= wrong if (seen ^ was) >> k & 1 else 1 - wrong
        return found

    seen: Any = {key: 10**6 * sum(misread(key, was) * p for was, p in odds.items()) for key in range(8)}
    assert undone(seen, errors) == pytest.approx(odds, abs=1e-9)


@pytest.mark.slow
def test_odds_are_told_nearer_the_exact_ones_and_no_answer_comes_of_them() -> None:
    sampler, bad = tired(0, (0.02, 0.3))
    assert bad in sampler.place(CIRCUIT).spots
    source = DeviceSource(sampler, shots=4000, mitigation=4000, seed=2)
    plain = DeviceSource(sampler, shots=4000, seed=2)
    board = Registers(backends.engine()).run(Program(h("a"), cnot("a", "b"), cnot("b", "c"))).registers
    question = Program(read("m", "a", "b", "c"))
    told, other = board.run(question, source).answers[0], board.run(question, plain).answers[0]
    assert told.value == other.value
    assert "mitigated" not in other.details
    seen = told.details["observed"]["7"] / sum(told.details["observed"].values())
    assert abs(told.details["mitigated"]["7"] - 0.5) < 0.02 < abs(seen - 0.5)
    assert sum(told.details["mitigated"].values()) == pytest.approx(1, abs=1e-3)
    assert json.loads(json.dumps(told.details)) == told.details


@pytest.mark.slow
def test_a_fake_of_ibm_tries_its_qubits_in_its_own_process() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    backend = backends.get("ibm-fake:nairobi,preflight=300,mitigation=1000,shots=300")
    assert backend.name == "ibm-fake:nairobi,mitigation=1000,preflight=300,shots=300"
    details = asked(backend.source(2)).details
    assert details["preflight"]["rounds"] >= 1
    assert len(details["read_out_errors"][0]["shot"]) == 3
    assert all(0 <= e < 0.2 for pair in details["read_out_errors"][0]["shot"] for e in pair)
    assert abs(details["mitigated"]["1"] - 0.5) < 0.15


@pytest.mark.slow
def test_the_virtual_machine_tries_its_qubits_too(nearby: None) -> None:
    pytest.importorskip("cirq_google", reason=GOOGLE)
    details = asked(backends.get("google-qvm:rainbow", preflight=300, mitigation=1000, shots=300).source(2)).details
    assert details["preflight"]["rounds"] >= 1
    assert all(spot.startswith("q(") for spot in details["preflight"]["spots"])
    assert abs(details["mitigated"]["1"] - 0.5) < 0.15


def test_a_qubit_of_a_grid_that_was_found_bad_is_not_used_any_more() -> None:
    pytest.importorskip("cirq_google", reason=GOOGLE)
    from qchess.backends.google.devices import virtual_sampler

    sampler = virtual_sampler("rainbow")
    for circuit in (CIRCUIT, Program(h("a"), read("r", "a")), Program(h("a"), h("b"), read("r", "a", "b"))):
        before = sampler.place(circuit).spots
        sampler.ban(before[:1])
        assert before[0] not in sampler.place(circuit).spots


@pytest.mark.slow
def test_every_shot_that_ran_for_an_answer_is_told_trials_included() -> None:
    sampler, _ = tired(1)
    ran: list[int] = []
    run = sampler._primitive.run

    def counted(circuits: Any, shots: int) -> Any:
        ran.append(len(circuits) * shots)
        return run(circuits, shots=shots)

    sampler._primitive.run = counted
    source = DeviceSource(sampler, shots=50, preflight=400, mitigation=1000, seed=1)
    details = asked(source).details
    assert details["shots_run"] == sum(ran) > 2 * 1000 + details["preflight"]["rounds"] * 2 * 400
    assert details["preflight"]["shots"] == sum(ran) - 2 * 1000 - 50
    assert details["returned"] == 50
    ran.clear()
    assert asked(source).details["shots_run"] == sum(ran) == 2 * 1000 + 50  # what was found good is not tried again
    ran.clear()
    assert asked(DeviceSource(sampler, shots=50, seed=1)).details["shots_run"] == sum(ran) == 50


@pytest.mark.slow
def test_the_trials_of_a_real_machine_are_jobs_that_the_record_names() -> None:
    sampler, _ = tired(1)
    sampler.capabilities = replace(sampler.capabilities, quantum=True)
    details = asked(DeviceSource(sampler, shots=50, preflight=400, seed=1)).details
    assert len(details["preflight"]["jobs"]) == details["preflight"]["rounds"]
    assert not set(details["preflight"]["jobs"]) & set(details["jobs"])

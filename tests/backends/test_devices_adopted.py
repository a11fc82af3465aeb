"""Whatever runs circuits plays a game in one line, and says what it is."""

from __future__ import annotations

import math
from typing import Any

import pytest

from qchess import backends
from qchess.backends.devices.sampler import Capabilities
from qchess.circuits import Answer, BackendError, Program, Registers, full, read, split


def half_piece() -> Registers:
    return Registers(backends.engine(), full=["s"]).run(split("s", "a", "b") + split("b", "c", "d")).registers


def answers(backend: backends.Backend, times: int = 40) -> list[Answer]:
    source = backend.source(seed=5)
    return [half_piece().run(Program(read("r", "a", "c", "d")), source).answers[0] for _ in range(times)]


def stands(found: list[Answer]) -> None:
    """The answers are possible ones, about as often as the exact state says (half, a quarter, a quarter)."""
    values = [answer.value for answer in found]
    assert set(values) <= {1, 2, 4}
    assert abs(values.count(1) - len(values) / 2) < 4 * math.sqrt(len(values) / 4)


def test_a_name_and_a_backend_are_backends() -> None:
    assert backends.of("sparse").name == "sparse"
    mine = backends.get("sparse")
    assert backends.of(mine) is mine


@pytest.mark.parametrize("thing", [None, 7, object(), {"name": "x"}, print], ids=lambda thing: type(thing).__name__)
def test_what_runs_no_circuits_is_refused_with_the_list_of_what_does(thing: Any) -> None:
    with pytest.raises(BackendError, match=r"a cirq\.Sampler, a Qiskit BackendV2, .* got "):
        backends.of(thing)


def test_a_cirq_sampler_is_a_backend() -> None:
    import cirq

    found = answers(backends.of(cirq.Simulator(seed=3), shots=20))
    stands(found)
    assert found[0].source == "device cirq Simulator"
    assert found[0].details["picked"] == "the first valid shot"


def test_a_qiskit_simulator_is_a_backend_and_keeps_the_order_of_shots() -> None:
    aer = pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    found = answers(backends.of(aer.AerSimulator(), shots=20))
    stands(found)
    assert found[0].details["picked"] == "the first valid shot"
    assert [answer.value for answer in answers(backends.of(aer.AerSimulator(), shots=20))] == [a.value for a in found]


def test_a_generic_backend_with_couplings_is_compiled_for() -> None:
    pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    from qiskit.providers.fake_provider import GenericBackendV2

    generic = GenericBackendV2(6, basis_gates=["id", "rz", "sx", "x", "cz"], coupling_map=[(0, 1), (1, 2), (2, 3),
                               (3, 4), (4, 5)], seed=1, noise_info=True)  # fmt: skip
    found = answers(backends.of(generic, shots=30), times=20)
    stands(found)
    assert len(found[0].details["machine"][0]["physical"]) == 3
    assert 0.5 < found[0].details["expected_fidelity"] < 1


@pytest.mark.parametrize("kind", ["statevector", "aer"])
def test_a_sampler_primitive_is_a_backend(kind: str) -> None:
    if kind == "aer":
        primitives = pytest.importorskip("qiskit_aer.primitives", reason="Qiskit Aer is not installed")
        made = primitives.SamplerV2(seed=3)
    else:
        from qiskit.primitives import StatevectorSampler

        made = StatevectorSampler(seed=3)
    found = answers(backends.of(made, shots=10), times=1 if kind == "aer" else 30)
    assert found[0].value in (1, 2, 4)
    assert "seed" not in found[0].details  # its chance is its own


def test_equal_circuits_on_a_seeded_primitive_do_not_agree() -> None:
    from qiskit.primitives import StatevectorSampler

    board = Registers(backends.engine(), full=["s", "t"]).run(split("s", "a", "b") + split("t", "c", "d")).registers
    source = backends.of(StatevectorSampler(seed=1), shots=200).source(3)
    first, second = (board.run(Program(read("r", "a", "c")), source).answers[0].details["observed"] for _ in "12")
    assert all(first[answer] > 20 for answer in "0123")
    assert first != second


def test_a_backend_that_only_counts_says_so() -> None:
    aer = pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    from qiskit.providers import BackendV2, Options
    from qiskit.transpiler import Target

    class Counter(BackendV2):  # type: ignore[misc]
        """Counts only, as older providers do."""

        @property
        def target(self) -> Target:
            return aer.AerSimulator().target

        @property
        def max_circuits(self) -> None:
            return None

        @classmethod
        def _default_options(cls) -> Options:
            return Options()

        def run(self, run_input: Any, **options: Any) -> Any:
            return aer.AerSimulator(seed_simulator=4).run(run_input, **options)

    backend = backends.of(Counter(name="counter"), shots=50)
    [found] = answers(backend, times=1)
    assert found.details["picked"] == "one of the counted valid shots, by a pseudo-random number"
    assert "jobs" not in found.details


def test_a_sampler_of_our_protocol_is_a_backend() -> None:
    from qchess.backends.devices.cirq_sampler import CirqSampler

    stands(answers(backends.of(CirqSampler(), shots=10)))


def test_bravely_named_machines_are_told_from_simulators() -> None:
    aer = pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    sampler: Any = backends.of(aer.AerSimulator()).source()
    assert isinstance(sampler.sampler.capabilities, Capabilities)
    assert sampler.sampler.capabilities.quantum is False
    assert sampler.sampler.capabilities.max_qubits == 24


def test_brakets_local_simulator_is_a_backend_with_the_same_amplitudes() -> None:
    devices = pytest.importorskip("braket.devices", reason="the Braket SDK is not installed")
    stands(answers(backends.of(devices.LocalSimulator(), shots=20), times=10))
    assert full("a")

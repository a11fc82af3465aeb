"""Whatever runs circuits plays a game in one line, and says what it is."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.__main__ import main
from qchess.backends import catalogue
from qchess.backends.devices.adapters import enlist
from qchess.backends.devices.sampler import BaseSampler, Capabilities, complete
from qchess.circuits import Answer, BackendError, Program, Registers, full, read, split
from qchess.playing.record import Record
from qchess.playing.replaying import BackendWarning, replay

NUMBERS = count()


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


class Loose:
    """A sampler made elsewhere, with one method that is optional."""

    name, capabilities, settings = "loose", Capabilities(max_qubits=3, ordered=True), {"gain": 2}

    def __init__(self) -> None:
        self.run = backends.sampler("sparse-shots").run

    def expected_fidelity(self, circuits: list[Program]) -> list[float]:
        return [0.75] * len(circuits)


def test_a_sampler_made_elsewhere_keeps_what_it_offers_and_gets_the_rest() -> None:
    loose, plain, circuits = Loose(), BaseSampler(), [Program(read("r", "a"))]
    whole: Any = complete(loose)
    assert not isinstance(loose, BaseSampler)
    for name in (name for name in dir(BaseSampler) if not name.startswith("_") and not hasattr(loose, name)):
        own, default = getattr(whole, name), getattr(plain, name)
        assert getattr(own, "__func__", own) == getattr(default, "__func__", default), name
    assert (whole.name, whole.settings, whole.run) == ("loose", {"gain": 2}, loose.run)
    assert (whole.expected_fidelity(circuits), whole.shots_given(7)) == ([0.75], 7)
    loose.stop = lambda: "ended"  # type: ignore[attr-defined]
    assert whole.stop() == "ended"
    assert complete(whole) is whole
    assert answers(backends.of(loose, shots=20), times=1)[0].details["expected_fidelity"] == 0.75


def test_a_sampler_is_queued_if_it_submits() -> None:
    class Queue(BaseSampler):
        def submit(self, *asked: Any) -> dict[str, Any]:
            return {}

    assert Queue().queued
    assert complete(type("Other", (), {"submit": print})()).queued
    assert not any(one.queued for one in (BaseSampler(), complete(Loose()), backends.sampler("sparse-shots")))
    assert backends.sampler("queued:sparse-shots").queued


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


# -- a function from a circuit to counts -----------------------------------------------------------


def padded(circuit: Any, shots: int) -> dict[str, int]:
    """Counts of Aer, after two X on every wire that change nothing: as a library of error mitigation would pad."""
    from qiskit import QuantumCircuit, transpile
    from qiskit_aer import AerSimulator

    longer = QuantumCircuit(*circuit.qregs, *circuit.cregs)
    for _ in range(2):
        longer.x(range(circuit.num_qubits))
    counts: dict[str, int] = AerSimulator(seed_simulator=5).run(
        transpile(longer.compose(circuit), basis_gates=["rz", "sx", "x", "cz"]), shots=shots
    ).result().get_counts()  # fmt: skip
    return counts


def test_a_function_from_a_circuit_to_counts_is_a_backend() -> None:
    pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    found = answers(backends.of(padded, shots=20), times=30)
    stands(found)
    assert found[0].source == "device executor padded"
    assert found[0].details["returned"] == 20
    assert "pseudo-random" in found[0].details["picked"]  # counts have no order


def test_an_executor_that_takes_no_shots_decides_their_number() -> None:
    seen: list[Any] = []

    def executor(circuit: Any) -> dict[str, int]:
        seen.append(circuit)
        return {"01": 3, "10": 4}

    board = Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers
    answer = board.run(Program(read("r", "a", "b")), backends.of(executor, shots=50).source(1)).answers[0]
    assert answer.details["kept"] == answer.details["returned"] == 7
    assert answer.details["observed"] == {"1": 3, "2": 4}
    assert [register.size for register in seen[0].cregs] == [2]


def leaning(circuit: Any, shots: int) -> dict[str, int]:
    """Counts of Aer, whose 1 is read as 0 in eight of a hundred shots, and whose 0 as 1 in one."""
    from qiskit_aer import AerSimulator
    from qiskit_aer.noise import NoiseModel, ReadoutError

    noise = NoiseModel()
    noise.add_all_qubit_readout_error(ReadoutError([[0.99, 0.01], [0.08, 0.92]]))
    machine = AerSimulator(noise_model=noise, seed_simulator=5)
    counts: dict[str, int] = machine.run(circuit, shots=shots).result().get_counts()
    return counts


def decoupled(circuit: Any, shots: int) -> dict[str, int]:
    """The same, with pulses of Mitiq's in the circuit."""
    ddd = import_module("mitiq.ddd")
    return leaning(ddd.insert_ddd_sequences(circuit, ddd.rules.xx), shots)


def put_right(circuit: Any, shots: int) -> dict[str, int]:
    """The same, with counts from which Mitiq has taken the wrong readings."""
    mitiq, rem = import_module("mitiq"), import_module("mitiq.rem")
    shown = [[int(bit) for bit in bits] for bits, times in leaning(circuit, shots).items() for _ in range(times)]
    undone = rem.generate_inverse_confusion_matrix(circuit.num_clbits, 0.01, 0.08)
    return dict(rem.mitigate_measurements(mitiq.MeasurementResult(shown), undone).get_counts())


def test_what_mitiq_does_in_between_is_an_executor() -> None:
    pytest.importorskip("mitiq", reason="mitiq is not installed: pip install mitiq")
    pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    kept = {}
    for executor in (leaning, decoupled, put_right):
        game = qchess.new(
            "quantum-chess", backend=backends.of(executor, shots=2000), fen="4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
        )
        for move in ("b1^a3c3", "e8-e7", "c3-d5"):
            game.play(move)
        [answer] = game.history[-1].answers
        assert answer.source == f"device executor {executor.__name__}"
        kept[executor.__name__] = answer.details["kept"] / answer.details["returned"]
    assert kept["leaning"] == pytest.approx(0.91, abs=0.03)  # 0.92 * 0.99 of those with one piece
    assert kept["decoupled"] == pytest.approx(kept["leaning"], abs=0.03)
    assert kept["put_right"] > 0.99


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        (None, "got None"),
        ([0, 1], r"got \[0, 1\]"),
        ({"0": 3}, "got '0': 3"),
        ({3: 3}, "got 3: 3"),
        ({"0b": 3}, "got '0b': 3"),
        ({"01": 0.5}, "got '01': 0.5"),
        ({"01": -1}, "got '01': -1"),
    ],
)
def test_what_is_no_counts_is_one_sentence(gives: Any, told: str) -> None:
    board = Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers
    source = backends.of(lambda circuit: gives).source(1)
    with pytest.raises(BackendError, match=rf"gives counts such as \{{'00': 57, \.\.\.\}}; {told}"):
        board.run(Program(read("r", "a", "b")), source)


# -- code that is named where somebody types -------------------------------------------------------

MINE = """
import cirq
from qchess import backends

simulator = cirq.Simulator(seed=2)
whole = backends.get("sparse-shots")

def made():
    return cirq.Simulator(seed=2)

def executor(circuit, shots):
    return {"0": shots}

def broken():
    raise OSError("no chip here")
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of the user's in the folder they are in; what it added is gone afterwards."""
    name = f"mine{next(NUMBERS)}"
    (tmp_path / f"{name}.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(catalogue.BACKENDS, "registered", {})
    yield name
    sys.modules.pop(name, None)


def test_a_device_of_ones_own_plays_by_its_place_and_its_record_goes_on_where_it_is_named_again(
    mine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fen = ("--option", "fen=4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1")
    device = f"{mine}:made,shots=30"
    play = ("play", "quantum-chess", *fen, "--white", "random", "--black", "random", "--seed", "9", "--plies", "40")
    assert main([*play, "--backend", device, "--record", "game.json"]) == 0
    record = Record.from_json(Path("game.json").read_text(encoding="utf-8"))
    assert record.backend == device
    asked = [answer for entry in record.entries for answer in entry.answers if answer.details]
    assert {answer.source for answer in asked} == {"device cirq Simulator"}
    assert asked[0].details["returned"] == 30
    catalogue.BACKENDS.registered.clear()
    with pytest.warns(BackendWarning, match=f"no backend is called '{mine}:made'"):
        replay(record)  # a record alone runs no code
    assert main(["replay", "game.json", "--backend", device]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("what", ["simulator", "executor"])
def test_an_object_and_an_executor_are_found_by_their_place(mine: str, what: str) -> None:
    assert enlist(f"{mine}:{what},shots=8") == f"{mine}:{what},shots=8"
    assert backends.get(f"{mine}:{what},shots=8").name == f"{mine}:{what},shots=8"
    assert len([row for row in catalogue.rows() if row.name.startswith(mine)]) == 1
    enlist(f"{mine}:{what}")
    assert len([row for row in catalogue.rows() if row.name.startswith(mine)]) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("{}:nothing", "qchess: the module .* has no 'nothing'"),
        ("{}:broken", "could not be made .OSError: no chip here"),
        ("{}:whole,shots=8", "is a whole backend and takes no settings; got shots"),
        ("{}:made,shots=many", "a whole number of shots"),
        ("{}:made,shot=8", "no option of backend .* is called 'shot'"),
        ("no_such_module:made", "no backend is called 'no_such_module:made'"),
        ("no_such.module:made", "no backend is called"),
        ("ibn:least-busy", "no backend is called 'ibn:least-busy'"),
    ],
)
def test_a_place_without_a_backend_is_one_sentence(
    mine: str, name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["moves", "quantum-chess", "--backend", name.format(mine)]) == 2
    said = capsys.readouterr().err
    assert re.search(told, said)
    assert said.count("\n") == 1


def test_a_name_that_was_not_typed_runs_no_code(mine: str) -> None:
    with pytest.raises(BackendError, match="no backend is called"):
        backends.get(f"{mine}:made")
    assert mine not in sys.modules

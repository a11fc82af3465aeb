"""A fake takes the settings of its processor: it does what its sampler does, and says what is not done."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.backends.catalogue import Backend
from qchess.backends.devices.queued import QueuedSource
from qchess.backends.devices.sampler import UNTIMED, fake_line
from qchess.backends.ibm.settings import ON_A_FAKE, Settings, settled
from qchess.circuits import Program, cnot, h, read
from qchess.errors import BackendError
from qchess.playing import jobs
from qchess.showing import report
from tests.backends.test_devices_queued import half_piece

pytestmark = pytest.mark.usefixtures("nearby")
IBM = "qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'"
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
#: whatever `ibm:` takes, and none of it as usual
CHOSEN = {
    "mode": "batch", "decoupling": "XY4", "twirling": True, "placement": False, "max_execution_time": 30,
    "account": "mine", "instance": "open", "region": "us-east",
}  # fmt: skip
NOT_DONE = {"mode", "max_execution_time", "account", "instance", "region"}
BELL = Program(h("a"), cnot("a", "b"), read("r", "a", "b"))


def source_of(backend: str) -> Any:
    return backends.get(backend).source(1)


def fake_sampler(name: str, **chosen: Any) -> Any:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    from qchess.backends.ibm import devices

    return devices.fake_sampler(name, **chosen)


def test_each_setting_is_done_on_a_fake_or_has_its_reason() -> None:
    ours, others = settled("ibm-fake:x", {**CHOSEN, "shots": 50})
    assert others == {"shots": 50}
    told = ours.on_a_fake()
    assert {name for name, said in told.items() if said.startswith("not done: ")} == NOT_DONE
    assert told.keys() == NOT_DONE | {"decoupling"}
    assert ours.chosen() == CHOSEN
    assert {one.name for one in fields(Settings)} == ON_A_FAKE.keys() | {"twirling", "placement"}


def test_settings_that_are_as_usual_are_not_told() -> None:
    assert settled("ibm-fake:x", {one.name: one.default for one in fields(Settings)})[0].on_a_fake() == {}
    for backend in ("sparse-shots", "queued:sparse-shots"):
        assert "on_a_fake" not in source_of(backend).preview(half_piece()).details


def test_the_line_names_settings_of_one_reason_together() -> None:
    told = Settings(mode="batch", account="mine", region="us-east").on_a_fake()
    said = "on a fake: mode (not done: a fake has no other users); account, region (not done: a fake needs no account)"
    assert fake_line(told) == said


def test_a_fake_twirls_and_decouples_by_its_vendors_sampler() -> None:
    sampler = fake_sampler("manila", **{**CHOSEN, "placement": True})
    options = sampler._primitive.options
    assert (options.dynamical_decoupling.enable, options.dynamical_decoupling.sequence_type) == (True, "XY4")
    assert (options.twirling.enable_gates, options.twirling.enable_measure) == (True, True)
    [shots] = sampler.run([BELL], 100, 1)
    assert shots.total == sampler.shots_given(100) == 128  # two twirls of 64 shots
    assert shots.counts[(0,)] + shots.counts[(3,)] > 100
    assert {name: shots.provenance.details.get(name) for name in CHOSEN} == {
        **dict.fromkeys(CHOSEN), "decoupling": "XY4", "twirling": True
    }  # fmt: skip
    assert sampler.run([BELL], 100, 1)[0].sequence == shots.sequence


def waiting(cnots: int) -> Any:
    """A qubit of Manila that is full, and read after others have worked."""
    from qiskit import QuantumCircuit

    circuit = QuantumCircuit(5, 1)
    circuit.x(0)
    circuit.barrier(0, 1, 2)
    for _ in range(cnots):
        circuit.cx(1, 2)
    circuit.barrier(0, 1, 2)
    circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param({}, id="plain"),
        pytest.param({"twirling": True}, id="twirled", marks=pytest.mark.slow),
        pytest.param({"decoupling": "XY4"}, id="decoupled", marks=pytest.mark.slow),
    ],
)
def test_a_fake_gives_the_shots_of_its_vendors_own_runs_and_makes_its_noise_once(
    chosen: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from qiskit_aer.noise import NoiseModel

    with monkeypatch.context() as patch:  # whoever only looks at circuits waits for no noise
        patch.delattr(NoiseModel, "from_backend")
        ours = fake_sampler("manila", **chosen)._primitive
    from qiskit_ibm_runtime.executor_sampler import Sampler

    from qchess.backends.ibm import devices, vendor

    def shots(primitive: Any) -> list[Any]:
        ran = []
        for seed, cnots in enumerate((40, 20)):
            devices.reseed(primitive, seed + 1)
            ran.append(primitive.run([waiting(cnots)], shots=300).result()[0].data.c.get_bitstrings())
        return ran

    own = shots(Sampler(mode=vendor.fake("manila"), options=ours.options))
    first = shots(ours)
    monkeypatch.delattr(NoiseModel, "from_backend")
    if "decoupling" not in chosen:  # the noise of waiting is another in each circuit
        monkeypatch.delattr(NoiseModel, "to_dict")
    assert own == first == shots(ours)


@pytest.mark.slow
def test_a_fakes_qubit_loses_nothing_while_it_waits_unless_decoupling_writes_the_waiting_down() -> None:
    fake_sampler("manila")
    from qchess.backends.ibm import devices, vendor

    fake, ones = vendor.fake("manila"), {}
    for cnots, decoupling in ((0, None), (40, None), (40, "XX"), (40, "XpXm"), (40, "XY4")):
        primitive = vendor.new_sampler(fake)
        Settings(decoupling=decoupling).configure(primitive.options)
        devices.reseed(primitive, 5)
        read_out = primitive.run([waiting(cnots)], shots=2000).result()[0].data.c
        ones[cnots, decoupling] = read_out.get_counts()["1"]
    still = ones.pop((0, None))
    assert ones.pop((40, None)) == still
    assert all(found < still - 60 for found in ones.values())  # half of sqrt(2000 p (1-p)) is below 6


def test_a_queue_hands_the_settings_on_to_its_device(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    sparse = backends.get("sparse-shots")

    def maker(sharp: bool = False, **options: Any) -> Backend:
        given.append({"sharp": sharp, **options})
        return sparse

    monkeypatch.setattr(f"{__name__}.made", maker)
    row = backends.catalogue.Row("lab", "a device with a setting of its own", f"{__name__}:made")
    monkeypatch.setattr(backends.catalogue.BACKENDS, "registered", {"lab": row})
    source = source_of("queued:lab,sharp=True,shots=50")
    assert isinstance(source, QueuedSource)
    assert (given, source.shots) == ([{"sharp": True}], 50)
    queue: Any = source.sampler
    assert (queue.name, queue.device, queue.settings) == ("queued:lab", "lab,sharp=True", {"sharp": True})
    keys = {source_of(name).named("turn").submit(half_piece())["key"]
            for name in ("queued:lab", "queued:lab,sharp=True", "queued:lab,sharp=False")}  # fmt: skip
    assert len(keys) == 3


def made() -> None:
    """Stands where a test puts the maker of a backend."""


class Fake:
    """A sampler that stands for a fake."""

    def __init__(self, **told: str) -> None:
        self.inner = source_of("sparse-shots").sampler
        self.name, self.capabilities, self.on_a_fake = "fake", self.inner.capabilities, told

    def run(self, circuits: Any, shots: int, seed: int | None) -> Any:
        return self.inner.run(circuits, shots, seed)


def test_a_fake_takes_a_budget_of_seconds_and_says_that_it_counts_none() -> None:
    backend = backends.of(Fake(mode="not done"), budget_seconds=40, budget_shots=300)
    details = backend.source(1).draw(half_piece()).details
    assert details["on_a_fake"] == {"mode": "not done", "budget_seconds": UNTIMED}
    assert details["budget"] == {"shots": 300, "left": 200}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"budget_seconds": -1}, "a device's budget_seconds is a number of seconds, or None for no limit; got -1"),
        (
            {"budget_seconds": 4, "preflight": 9},
            "budget_seconds=4 does not cover the tests of preflight and mitigation",
        ),
    ],
)
def test_a_wrong_budget_of_seconds_is_refused_as_on_a_processor(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BackendError, match=said):
        backends.of(Fake(), **options)


@pytest.mark.slow
@pytest.mark.parametrize("queue", ["", "queued:"])
def test_a_game_is_rehearsed_with_the_settings_of_a_processor(queue: str, tmp_path: Path) -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    settings = ",".join(f"{name}={value}" for name, value in {**CHOSEN, "budget_seconds": 40}.items())
    game = qchess.new("quantum-chess", backend=f"{queue}ibm-fake:manila,{settings},budget_shots=300", seed=7, fen=FEN)
    for move in ("b1^a3c3", "e8-e7"):
        game.play(move)
    line = fake_line({**settled("x", CHOSEN)[0].on_a_fake(), "budget_seconds": UNTIMED})
    assert str(game.preview("c3-d5")).endswith(f"; {line}")
    file = tmp_path / "game.json"
    if queue:
        game.begin("c3-d5")
        game.save(file)
        [_] = jobs.wait(jobs.waiting([file]))
        game = qchess.load(file)
    else:
        game.play("c3-d5")
        game.save(file)
    details = game.history[-1].answers[0].details
    assert details["on_a_fake"].keys() == NOT_DONE | {"decoupling", "budget_seconds"}
    assert (details["returned"], details["budget"]["left"]) == (128, 172)
    assert (details["machine"][0]["decoupling"], details["machine"][0]["twirling"]) == ("XY4", True)
    assert report.text(game.record()).count(line) == 1
    assert json.loads(file.read_text())["backend"] == game.backend.name
    assert all(f"{name}={value}" in game.backend.name for name, value in CHOSEN.items())

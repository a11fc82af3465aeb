"""IBM's fakes and Google's virtual machine play; without account, package or processor one sentence says so."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import textwrap
from typing import Any

import pytest

from qchess import backends
from qchess.backends.devices.chips import Chip, Gate
from qchess.circuits import Answer, BackendError, Program, Registers, ask, cnot, full, h, read, slide, split, where
from qchess.games.catalogue import names

IBM = "qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'"
GAMES = names()
MACHINES = ("ibm-fake:nairobi", "google-qvm:rainbow", "google-qvm:willow_pink")
#: each game on one machine, and several games on each
MATCHES = [(MACHINES[0], GAMES[0]), *zip(itertools.cycle(MACHINES), GAMES[1:], strict=False)]
GOOGLE = "cirq-google is not installed: pip install 'qchess[google]'"
pytestmark = pytest.mark.usefixtures("nearby")


def position() -> Registers:
    """Two pieces on six squares, one register."""
    moves = split("b1", "a3", "c3") + split("d4", "d5", "d6") + slide("d5", "h5", ("a3",))
    return Registers(backends.engine(), full=["b1", "d4"]).run(moves).registers


def asked(backend: backends.Backend, seed: int = 3) -> Answer:
    return position().run(Program(ask("m", full("h5") | where(a3=1))), backend.source(seed)).answers[0]


@pytest.fixture(scope="module")
def nairobi() -> backends.Backend:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    return backends.get("ibm-fake:nairobi", shots=200)


@pytest.fixture(scope="module", params=["rainbow", "willow_pink"])
def virtual(request: pytest.FixtureRequest) -> backends.Backend:
    pytest.importorskip("cirq_google", reason=GOOGLE)
    return backends.get(f"google-qvm:{request.param}", shots=200)


# -- IBM ----------------------------------------------------------------------------------------------


def test_a_fake_of_ibm_answers_with_ordered_shots_places_and_a_calibration(nairobi: backends.Backend) -> None:
    details = asked(nairobi).details
    assert details["picked"] == "the first valid shot"
    assert details["calibrated"].startswith("2024-05-27")
    assert details["returned"] == 200
    assert details["kept"] > 120
    assert len(details["machine"][0]["physical"]) >= 5
    assert 0.3 < details["expected_fidelity"] < 1
    assert "jobs" not in details  # a simulator's job ids are noise
    json.dumps(details)


def independent(backend: backends.Backend) -> Answer:
    """What two pieces in two registers, each half on its square, are read as."""
    board = Registers(backends.engine(), full=["s", "t"]).run(split("s", "a", "b") + split("t", "c", "d")).registers
    return board.run(Program(read("r", "a", "c")), backend.source(3)).answers[0]


def test_registers_that_have_nothing_to_do_with_each_other_do_not_agree(nairobi: backends.Backend) -> None:
    observed = independent(nairobi).details["observed"]
    assert all(observed[answer] > 20 for answer in "0123")  # 50 of 200 are expected of each


def test_equal_seeds_give_equal_shots_on_a_fake_of_ibm(nairobi: backends.Backend) -> None:
    first, second, other = asked(nairobi, 3), asked(nairobi, 3), asked(nairobi, 4)
    assert first.details["observed"] == second.details["observed"] != other.details["observed"]


def test_an_unknown_fake_is_named_with_a_guess() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    with pytest.raises(
        BackendError, match=r"no fake of an IBM processor is called 'nairoby'; .* did you mean 'nairobi'"
    ):
        backends.get("ibm-fake:nairoby")


def test_without_an_account_one_sentence_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE", str(tmp_path / "x"))
    for variable in ("TOKEN", "CHANNEL", "INSTANCE", "URL"):
        monkeypatch.delenv(f"QISKIT_IBM_{variable}", raising=False)
    with pytest.raises(BackendError, match="no IBM account is saved on this machine; save one once with"):
        backends.get("ibm:least-busy")


@pytest.mark.parametrize(
    ("error", "cause", "told"),
    [
        (
            "QiskitBackendNotFoundError",
            None,
            r"IBM has no processor 'ibm_x' for this account \(QiskitBackendNotFoundError",
        ),
        ("RequestsApiError", "ConnectionError", r"IBM's service cannot be reached \(RequestsApiError: .*the vendor"),
        ("RequestsApiError", "HTTPError 403", r"IBM does not let this account use the processor 'ibm_x' \(Requests"),
        ("IBMRuntimeError", None, r"IBM's processor 'ibm_x' could not be looked up \(IBMRuntimeError: .*the vendor"),
    ],
)
def test_a_processor_that_ibm_does_not_have_is_told_from_a_service_that_is_away(
    monkeypatch: pytest.MonkeyPatch, error: str, cause: str | None, told: str
) -> None:
    runtime = pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    import requests
    from qiskit.providers.exceptions import QiskitBackendNotFoundError
    from qiskit_ibm_runtime.api.exceptions import RequestsApiError

    from qchess.backends.ibm import vendor

    class Account:
        def backend(self, name: str) -> None:
            if error == "QiskitBackendNotFoundError":
                raise QiskitBackendNotFoundError("the vendor's words")
            if error == "IBMRuntimeError":
                raise runtime.exceptions.IBMRuntimeError("the vendor's words")
            try:
                raise getattr(requests, str(cause).split()[0])("the wire")
            except requests.RequestException as broken:
                raise RequestsApiError("the vendor's words", 403 if "403" in str(cause) else -1) from broken

    monkeypatch.setattr(vendor, "service", lambda **chosen: Account())
    with pytest.raises(BackendError, match=told):
        backends.get("ibm:ibm_x")


def test_the_options_of_a_sampler_are_set_as_asked() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    from qchess.backends.ibm import vendor
    from qchess.backends.ibm.settings import Settings

    options = vendor.new_sampler(vendor.fake("nairobi")).options
    Settings(decoupling="XY4", twirling=True).configure(options)
    assert (options.dynamical_decoupling.enable, options.dynamical_decoupling.sequence_type) == (True, "XY4")
    assert (options.twirling.enable_gates, options.twirling.enable_measure) == (True, True)
    Settings().configure(options)
    assert (options.dynamical_decoupling.enable, options.twirling.enable_gates) == (False, False)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["job", "session", "batch"])
def test_each_mode_of_ibm_runs_locally(mode: str) -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    from qchess.backends.devices.primitive import PrimitiveSampler
    from qchess.backends.ibm import devices, vendor

    backend = vendor.fake("nairobi")
    made = devices.adopted(backend)
    through = PrimitiveSampler(vendor.new_sampler(vendor.open_mode(backend, mode)), name=mode, compiler=made.compiler,
                               capabilities=made.capabilities, reseed=devices.reseed)  # fmt: skip
    [shots] = through.run([Program(h("a"), cnot("a", "b"), read("r", "a", "b"))], 300, 1)
    assert shots.total == 300
    assert shots.counts[(0,)] + shots.counts[(3,)] > 240


def test_a_fake_handed_in_is_one_line(nairobi: backends.Backend) -> None:
    from qiskit_ibm_runtime.fake_provider import FakeManilaV2

    backend = backends.of(FakeManilaV2(), shots=50)
    assert backend.name == "ibm-fake:manila,shots=50"
    assert asked(backend).value in (0, 1)


@pytest.mark.slow
def test_a_fake_with_the_gates_of_newer_processors_answers() -> None:
    """Prague is the smallest of them: the fragment runs on one of 127 qubits, whose noise takes seconds to make."""
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    device = backends.get("ibm-fake:prague", shots=500)
    assert device.source().sampler.capabilities.native_2q == "cz"  # type: ignore[attr-defined]
    assert asked(device).details["kept"] > 400


# -- Google --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_virtual_machine_answers_with_ordered_shots_and_places(virtual: backends.Backend) -> None:
    details = asked(virtual).details
    assert details["picked"] == "the first valid shot"
    assert details["kept"] > 120
    assert all(place.startswith("q(") for place in details["machine"][0]["physical"])
    # Rainbow's calibration tells the angles of its own gates, and none of CZ
    assert details["machine"][0]["undetected_angles"] is (virtual.name == "google-qvm:willow_pink,shots=200")
    assert asked(virtual).details["observed"] == details["observed"]
    assert all(independent(virtual).details["observed"][answer] > 20 for answer in "0123")


@pytest.mark.slow
def test_rainbow_compiles_to_root_iswaps_and_willow_says_that_it_cannot() -> None:
    pytest.importorskip("cirq_google", reason=GOOGLE)
    made = backends.get("google-qvm:rainbow", gate="sqrt_iswap", placement=False, shots=50)
    assert made.name == "google-qvm:rainbow,gate=sqrt_iswap,placement=False,shots=50"  # a record brings it back
    rainbow = made.source().sampler  # type: ignore[attr-defined]
    assert rainbow.capabilities.native_2q == "sqrt_iswap"
    assert not rainbow.capabilities.feed_forward
    [shots] = rainbow.run([Program(h("a"), cnot("a", "b"), read("r", "a", "b"))], 200, 1)
    assert shots.counts[(0,)] + shots.counts[(3,)] > 150
    with pytest.raises(BackendError, match="this processor has no sqrt_iswap gate; it compiles to GoogleCZ"):
        backends.get("google-qvm:willow_pink", gate="sqrt_iswap")


@pytest.mark.parametrize("name", ["google-qvm:willow", "google:willow_pink"])
def test_a_wrong_processor_or_a_missing_project_is_one_sentence(name: str) -> None:
    pytest.importorskip("cirq_google", reason=GOOGLE)
    with pytest.raises(BackendError, match=r"did you mean 'willow_pink'|no Google Cloud project is configured"):
        backends.get(name)


@pytest.mark.slow
@pytest.mark.parametrize(("device", "game"), MATCHES)
def test_every_game_is_played_to_its_end_and_reported(device: str, game: str) -> None:
    pytest.importorskip("qiskit_ibm_runtime" if device.startswith("ibm") else "cirq_google", reason=f"{IBM}, {GOOGLE}")
    import random

    import qchess
    from qchess.games import presets
    from qchess.playing import agents
    from qchess.playing.agents import Budget, Task
    from qchess.playing.record import Record
    from qchess.showing.report import measurements, text

    options = presets.options(game, "short") if game == "piece-qubit-chess" else {}
    played = qchess.new(game, backend=device, seed=1, **options)
    rng, player = random.Random(1), agents.get("greedy")
    while not played.is_over:
        assert len(played.history) < 400
        played.play(player.choose(Task(played.rules, played.position, rng, Budget())).move)
    record = Record.from_json(played.record().to_json())
    found = measurements(record)
    assert found
    assert all(one.kept and one.device == device for one in found)
    assert f"on {device}: {len(played.history)} turns" in text(record)
    assert qchess.replay(record, backend="sparse").result == played.result


# -- placement -----------------------------------------------------------------------------------------------


def line(errors: dict[tuple[int, int], float], read_out: dict[int, float]) -> Chip[int]:
    pairs = {**errors, **{(b, a): e for (a, b), e in errors.items()}}
    return Chip(pairs, read_out, dict.fromkeys(read_out, 0.001), dict.fromkeys(read_out, 1e-4), {})


def test_patches_grow_where_the_figures_are_best_and_avoid_banned_qubits() -> None:
    chip = line({(0, 1): 0.2, (1, 2): 0.01, (2, 3): 0.01, (3, 4): 0.3}, {0: 0.01, 1: 0.01, 2: 0.01, 3: 0.01, 4: 0.4})
    assert set(chip.patches(3, 1)[0]) == {1, 2, 3}
    assert all(2 not in patch for patch in chip.without([2]).patches(2, 9))
    assert chip.patches(6, 3) == []
    assert len({frozenset(patch) for patch in chip.patches(2, 99)}) == len(chip.patches(2, 99))


def test_the_expected_fidelity_is_the_product_of_gates_reading_and_waiting() -> None:
    chip = line({(0, 1): 0.1}, {0: 0.02, 1: 0.05})
    gates = [
        Gate((0,)),
        Gate((0, 1), 1e-6),
        Gate((0,), 0, virtual=True),
        Gate((0,), measures=True),
        Gate((1,), measures=True),
    ]
    assert chip.expected(gates) == pytest.approx(0.999 * 0.9 * 0.98 * 0.95)
    waiting = [Gate((1,), 0.0), Gate((0,), 3e-5), Gate((0, 1), 0.0)]  # qubit 1 waits 30 us of its 100
    import math

    assert chip.expected(waiting) == pytest.approx(0.999**2 * 0.9 * math.exp(-0.3 / 3))


def test_a_circuit_is_placed_no_worse_than_by_default_and_compiled_once() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    from qchess.backends.devices.targets import TargetCompiler
    from qchess.backends.ibm import vendor

    compiler = TargetCompiler(vendor.fake("guadalupe").target)
    circuit = Program(h("a"), cnot("a", "b"), cnot("b", "c"), cnot("c", "d"), read("r", "a", "b", "c", "d"))
    placed = compiler.compile(circuit)
    assert placed.fidelity >= compiler.default(circuit).fidelity
    assert compiler.compile(circuit) is placed
    compiler.ban(placed.qubits[:1])
    moved = compiler.compile(circuit)
    assert placed.qubits[0] not in moved.qubits


# -- packages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("ibm-fake:nairobi", "ibm"),
        pytest.param("ibm:x", "ibm", marks=pytest.mark.slow),
        pytest.param("google-qvm:rainbow", "google", marks=pytest.mark.slow),
    ],
)
def test_a_missing_package_is_one_sentence_that_names_the_extra(name: str, extra: str) -> None:
    code = f"""
        import sys
        for package in ("qiskit_ibm_runtime", "cirq_google"):
            sys.modules[package] = None
        from qchess import backends
        try:
            backends.get({name!r})
        except backends.catalogue.MissingExtraError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert f"pip install 'qchess[{extra}]'" in done.stdout


@pytest.mark.slow
def test_a_family_without_member_or_with_an_unknown_name_is_refused() -> None:
    for name in ("ibm:", "ibm-fake", "imb:torino"):
        with pytest.raises(BackendError, match="no backend is called"):
            backends.get(name)

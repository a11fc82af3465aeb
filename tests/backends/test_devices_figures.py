"""What tells a device from coin flips: the shots that can be kept, and all strings beside their exact odds."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from qchess import backends
from qchess.backends.chance import at_least
from qchess.backends.devices.postselection import GOOD, LEAN, RARE, TOLD, like_coins
from qchess.backends.devices.qiskit_sampler import ChipNoise, aer_sampler
from qchess.backends.devices.recipes import outcomes
from qchess.backends.devices.sampler import Capabilities, Provenance, Sampler, Shots
from qchess.backends.devices.source import DeviceError, DeviceSource, FallbackWarning
from qchess.backends.sparse.sampler import SparseSampler
from qchess.circuits import BackendError, Program, ReadOut, Registers, ask, full, h, partial_split, read, slide, split
from qchess.circuits.operations import cz, ry
from qchess.circuits.sources import FixedAnswers


class Coins:
    """A machine whose every bit is a coin flip, whatever the circuit."""

    name, capabilities = "coins", Capabilities(ordered=True)

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        rng = random.Random(seed)
        return [self._flipped(circuit, shots, rng) for circuit in circuits]

    def _flipped(self, circuit: Program, shots: int, rng: random.Random) -> Shots:
        widths = [len(step.qubits) for step in circuit if isinstance(step, ReadOut)]
        seen = [tuple(rng.getrandbits(width) for width in widths) for _ in range(shots)]
        return Shots.in_order(circuit.answers, seen, Provenance(self.name, shots, shots))


class Telling(SparseSampler):
    """Our own shots, from a machine that says how faithful each circuit will be."""

    name = "telling"

    def __init__(self, faithful: Callable[[Program], float], **capabilities: Any) -> None:
        self.faithful, self.capabilities = faithful, Capabilities(**capabilities)

    def expected_fidelity(self, circuits: Sequence[Program]) -> list[float]:
        return [self.faithful(circuit) for circuit in circuits]


@pytest.fixture(scope="module")
def noisy() -> Sampler:
    pytest.importorskip("qiskit_aer", reason="Qiskit Aer is not installed")
    return aer_sampler(ChipNoise())


def empty() -> Registers:
    return Registers(backends.engine())


#: registers of one, two, four and six qubits, of which a game's question may be asked
BOARDS: dict[int, Registers] = {
    1: empty().apply(ry("a", 0.8)),
    2: Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers,
    4: Registers(backends.engine(), full=["s"])
    .run(split("s", "a", "t") + split("t", "b", "u") + partial_split("u", "c", "d", 0.4))
    .registers,
    6: Registers(backends.engine(), full=["b1", "d4"])
    .run(split("b1", "a", "c3") + split("d4", "d5", "d6") + slide("d5", "h5", ("a",)) + split("c3", "e1", "e2"))
    .registers,
}


def put(board: Registers, source: DeviceSource) -> dict[str, Any]:
    """The details of the answer to whether a is full."""
    details: dict[str, Any] = dict(board.run(Program(ask("m", full("a"))), source).answers[0].details)
    return details


def figures(board: Registers, source: DeviceSource) -> dict[str, Any]:
    """What tells the one circuit of that question from coin flips."""
    [told] = put(board, source)["figures"]
    assert isinstance(told, dict)
    return told


@pytest.mark.parametrize("width", BOARDS)
def test_the_boards_have_their_width(width: int) -> None:
    assert [len(register) for register in BOARDS[width].registers] == [width]


# -- coins are refused, chips are not -------------------------------------------------------------------


@pytest.mark.parametrize("width", [2, 4, 6])
def test_a_device_of_coin_flips_is_refused_and_the_error_says_why(width: int) -> None:
    for seed in range(20):
        with pytest.raises(DeviceError, match=r"no better than coin flips: it kept \d+\.\d% of 100 shots") as failure:
            put(BOARDS[width], DeviceSource(Coins(), seed=seed))
        json.dumps(failure.value.details, allow_nan=False)
        assert failure.value.details["figures"][0]["like_coins"] is True


@pytest.mark.parametrize("width", BOARDS)
def test_a_good_chip_is_told_from_coin_flips_by_its_figures(noisy: Sampler, width: int) -> None:
    for seed in range(5):
        chip, coins = (
            figures(BOARDS[width], DeviceSource(sampler, shots=400, coins="allow", seed=seed))
            for sampler in (noisy, Coins())
        )
        ideal = chip["distance_noise"][1]
        assert chip["distance"] < ideal + 0.05 < ideal + 0.2 < coins["distance"]
        assert coins["distance"] == pytest.approx(chip["distance_coins"], abs=0.1)
        assert coins["fidelity"] + 0.08 < chip["fidelity"]
        if width > 1:  # one qubit that may be read either way is always kept
            assert coins["kept"] == pytest.approx(chip["kept_coins"], abs=0.1)
            assert chip["kept"] > 0.85
            assert (chip["like_coins"], coins["like_coins"]) == (False, True)


def test_coin_flips_on_one_qubit_are_refused_where_its_odds_are_no_coins() -> None:
    """Of 200 shots nearly always, the odds being .85 and .15; a good device next to never, a half by nobody."""
    refused: list[DeviceError] = []
    for seed in range(50):
        try:
            told = figures(BOARDS[1], DeviceSource(Coins(), shots=200, seed=seed))
        except DeviceError as failure:
            refused.append(failure)
        else:
            assert told["likelier"] > told["likelier_coins"] == 0.5
    said = r"no better than coin flips: strings expected in 84\.8% of 200 shots came in \d\d\.\d%, and coin flips"
    assert all(re.search(said, str(failure)) and failure.details["figures"][0]["like_coins"] for failure in refused)
    assert len(refused) >= 48
    for seed in range(100):
        told = figures(BOARDS[1], DeviceSource(SparseSampler(), shots=200, seed=seed))
        assert (told["like_coins"], told["likelier_exact"]) == (False, pytest.approx(math.cos(0.4) ** 2, abs=1e-4))
    wide = empty().apply(ry("a", 0.8), ry("b", 0.9), cz("a", "b"), ry("b", 0.3))
    with pytest.raises(DeviceError, match="no better than coin flips"):  # every string of two qubits is possible
        put(wide, DeviceSource(Coins(), shots=400, seed=1))
    assert not figures(wide, DeviceSource(SparseSampler(), shots=400, seed=1))["like_coins"]


def test_one_qubit_of_a_good_device_is_refused_as_rarely_as_is_said() -> None:
    """Exactly counted: fidelity `GOOD`, or odds that reading moved by `LEAN`, and nothing near a half."""
    for odds in (0.52, 0.6, 0.7, 0.8484, 0.95, 1 - 1e-6):
        for shots in (1, 10, 100, 200):
            refused = [times for times in range(shots + 1) if like_coins(times, shots, 0.5, odds, most=odds - LEAN)]
            assert not refused or odds > 0.5 + LEAN
            for good in (odds, odds - LEAN, GOOD * odds + (1 - GOOD) / 2):
                assert sum(binomial(times, shots, good) for times in refused if good > 0.5) <= RARE
            if odds > 0.84 and shots >= 200:
                assert sum(binomial(times, shots, 0.5) for times in refused) >= 1 - RARE


def test_coin_flips_are_replaced_by_the_fallback_or_taken_on_request() -> None:
    with pytest.warns(FallbackWarning, match="no better than coin flips"):
        [answer] = (
            BOARDS[4].run(Program(ask("m", full("a"))), DeviceSource(Coins(), on_failure="fallback", seed=1)).answers
        )
    assert answer.source == "seed 1, instead of device coins"
    assert put(BOARDS[4], DeviceSource(Coins(), coins="allow", seed=1))["figures"][0]["like_coins"]


def test_where_coin_flips_are_right_too_nothing_is_refused() -> None:
    for board in (empty().apply(h("a")), empty().apply(h("a"), h("b"), ry("a", 0.3))):
        told = figures(board, DeviceSource(Coins(), seed=3))
        assert (told["kept"], told["kept_coins"], told["like_coins"]) == (1.0, 1.0, False)


@pytest.mark.parametrize("shots", [1, 2, 3, 5, 8, 13, 30])
@pytest.mark.parametrize("width", BOARDS)
def test_few_shots_refuse_no_good_device(noisy: Sampler, width: int, shots: int) -> None:
    for sampler in (noisy, SparseSampler()):
        for seed in range(3):
            try:
                told = figures(BOARDS[width], DeviceSource(sampler, shots=shots, seed=seed))
            except DeviceError as failure:  # of one shot or two none may be left
                assert "no valid shot" in str(failure)  # noqa: PT017
            else:
                assert not told["like_coins"]


def test_a_good_device_is_taken_for_coin_flips_as_rarely_as_is_said_and_coins_for_a_device() -> None:
    for coins, ideal in ((1 / 2, 1.0), (1 / 4, 1.0), (5 / 64, 1.0), (0.9, 1.0), (1.0, 1.0), (0.1, 0.5), (0.5, 0.05)):
        for shots in (1, 2, 4, 10, 37, 100, 250):
            refused = [kept for kept in range(shots + 1) if like_coins(kept, shots, coins, ideal)]
            for fidelity in (GOOD, 0.8, 1.0):
                good = fidelity * ideal + (1 - fidelity) * coins
                assert sum(binomial(kept, shots, good) for kept in refused) <= RARE
            if shots >= 100 and coins <= 0.5 and ideal == 1:
                assert sum(binomial(kept, shots, coins) for kept in refused) >= 1 - RARE


def binomial(count: int, tries: int, chance: float) -> float:
    return math.comb(tries, count) * chance**count * (1 - chance) ** (tries - count)


def test_the_binomial_test_is_exact() -> None:
    for tries in (1, 2, 9, 60):
        for chance in (0.0, 0.001, 0.3, 0.5, 0.99, 1.0):
            for count in range(-1, tries + 2):
                exact = sum(binomial(k, tries, chance) for k in range(max(0, count), tries + 1))
                assert at_least(count, tries, chance) == pytest.approx(exact, rel=1e-9, abs=1e-30)
    assert at_least(5 * 10**8, 10**9, 0.5) == pytest.approx(0.5, abs=1e-4)
    assert at_least(6 * 10**8, 10**9, 0.5) == 0


# -- the figures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["reprepare", "replay"])
def test_the_kept_shares_of_coin_flips_and_of_a_device_are_what_they_keep(strategy: str) -> None:
    board = BOARDS[6].project(full("a", "h5") | full("e1"), 0)  # leaves 3/4 of the weight
    board = board.project(full("a", "d6"), 0)
    [register] = board.registers
    share = 1.0 if strategy == "reprepare" else BOARDS[6].probability(~(full("a", "h5") | full("e1") | full("a", "d6")))
    source = DeviceSource(Telling(lambda circuit: 0.8), strategy=strategy, shots=4000, seed=5)
    told = figures(board, source)
    assert told["kept"] == pytest.approx(share, abs=0.04)
    past = 0 if strategy == "reprepare" else 2
    possible = len(board.distribution(*register))
    assert told["kept_coins"] == pytest.approx(possible / 2 ** (len(register) + past), abs=1e-4)
    assert told["kept_expected"] == pytest.approx(0.8 * share + 0.2 * told["kept_coins"], abs=1e-4)
    flips = figures(board, DeviceSource(Coins(), strategy=strategy, shots=4000, coins="allow", seed=5))
    assert flips["kept"] == pytest.approx(told["kept_coins"], abs=0.03)


@pytest.mark.parametrize("width", BOARDS)
def test_an_ideal_device_lies_in_its_band_nineteen_times_in_twenty(width: int) -> None:
    inside = 0
    for seed in range(60):
        told = figures(BOARDS[width], DeviceSource(SparseSampler(), seed=seed))
        low, high = told["distance_noise"]
        inside += low <= told["distance"] <= high
        assert told["kept"] == 1
    assert inside >= 50  # 57 are expected; fewer than 50 come once in a thousand times


def test_the_exact_odds_of_a_circuit_are_those_of_its_strings() -> None:
    circuit = Program(h("a"), ry("b", 0.8), read("r", "b", "a"), read("s", "a"))
    p = math.sin(0.4) ** 2
    assert outcomes(circuit, backends.engine()) == pytest.approx(
        {(0, 0): (1 - p) / 2, (1, 0): p / 2, (2, 1): (1 - p) / 2, (3, 1): p / 2}
    )
    with pytest.raises(BackendError, match="gates and then read-outs"):
        outcomes(Program(read("r", "a"), h("a")), backends.engine())


@pytest.mark.parametrize("make", [Coins, SparseSampler])
@pytest.mark.parametrize("width", BOARDS)
def test_the_strings_in_the_record_are_those_that_the_figures_are_of(width: int, make: Callable[[], Sampler]) -> None:
    details = put(BOARDS[width], DeviceSource(make(), shots=300, coins="allow", seed=5))
    [told] = json.loads(json.dumps(details))["figures"]
    assert (sum(told["strings"].values()), told["other_shots"]) == (300, 0)
    assert sorted(told["read"]) == sorted(BOARDS[width].registers[0])
    exact = BOARDS[width].distribution(*told["read"])
    shares = {int(bits[::-1], 2): times / 300 for bits, times in told["strings"].items()}
    apart = sum(abs(shares.get(key, 0) - exact.get(key, 0)) for key in {*shares, *exact}) / 2
    assert told["distance"] == pytest.approx(apart, abs=1e-4)
    assert details["kept"] == sum(times for bits, times in told["strings"].items() if int(bits[::-1], 2) in exact)
    assert list(told["strings"].values()) == sorted(told["strings"].values(), reverse=True)
    dropped: Counter[str] = Counter()
    for bits, why in told["dropped_strings"].items():
        dropped[why] += told["strings"][bits]
    assert dropped == Counter(details["dropped"])
    odds = {bits: exact[int(bits[::-1], 2)] for bits in told["strings"] if int(bits[::-1], 2) in exact}
    assert told["string_odds"] == pytest.approx(odds, abs=1e-6)


def test_the_strings_of_a_replay_begin_with_the_past_answers() -> None:
    board = BOARDS[4].run(Program(ask("past", full("b"))), FixedAnswers([0])).registers
    details = put(board, DeviceSource(SparseSampler(), shots=400, strategy="replay", seed=5))
    [told] = details["figures"]
    assert told["read"][0] == "m1"  # the first measurement of the history
    other = sum(times for bits, times in told["strings"].items() if bits[0] == "1")
    assert 0 < other == details["dropped"]["history"]
    assert {bits for bits, why in told["dropped_strings"].items() if why == "history"} == {
        bits for bits in told["strings"] if bits[0] == "1"
    }
    assert sum(told["string_odds"].values()) == pytest.approx(1, abs=1e-5)


def test_only_the_commonest_strings_are_in_the_record() -> None:
    qubits = [f"q{k}" for k in range(8)]
    board = empty().apply(*map(h, qubits), *(cz("q0", q) for q in qubits[1:]))
    source = DeviceSource(Coins(), shots=900, coins="allow", seed=5)
    [told] = board.run(Program(read("r", *qubits)), source).answers[0].details["figures"]
    assert (len(told["read"]), len(told["strings"])) == (8, TOLD)
    assert sum(told["strings"].values()) + told["other_shots"] == 900
    assert told["other_shots"] > 300


def test_a_question_about_two_registers_has_figures_of_each_circuit() -> None:
    board = Registers(backends.engine(), full=["s", "t"])
    board = board.run(split("s", "a", "b") + split("t", "c", "u") + split("u", "d", "e")).registers
    source = DeviceSource(Telling(lambda circuit: 1 - len(circuit.qubits) / 10), seed=2)
    details = board.run(Program(read("r", "a", "c")), source).answers[0].details
    assert details["widths"] == [2, 3]
    assert details["expected_fidelity"] == pytest.approx(0.8 * 0.7)
    assert [told["kept_coins"] for told in details["figures"]] == [0.5, 0.375]
    assert [told["kept_expected"] for told in details["figures"]] == pytest.approx([0.9, 0.7 + 0.3 * 0.375], abs=1e-4)
    assert details["agreement"] > 0.95


# -- in part ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sampler",
    [Telling(lambda circuit: 0.9 if len(circuit.qubits) == 1 else 0.01), Telling(lambda circuit: 0.9, max_qubits=3)],
    ids=["lost in noise", "too wide"],
)
def test_a_question_is_answered_in_part_only_where_that_is_allowed(sampler: Sampler) -> None:
    details = put(BOARDS[6], DeviceSource(sampler, seed=1))
    assert (details["made"], details["widths"], details["left_out"]) == ("prepared in part", [1], [5])
    with pytest.raises(DeviceError, match=r"least_fidelity=0\.05|6 qubits could be sent in part only \(1 of them\)"):
        put(BOARDS[6], DeviceSource(sampler, parts="refuse", seed=1))
    for width in (1, 2):
        board = BOARDS[width]
        whole = Program(read("r", *board.registers[0]))
        source = DeviceSource(Telling(lambda circuit: 0.9, max_qubits=3), parts="refuse", seed=1)
        assert "left_out" not in board.run(whole, source).answers[0].details


@pytest.mark.slow
def test_a_register_of_many_branches_whose_qubits_are_all_asked_is_sent_whole() -> None:
    board = Registers(backends.engine(), full=[f"s{k}" for k in range(7)])
    for k in range(7):
        board = board.run(split(f"s{k}", f"a{k}", f"b{k}")).registers
    joined = board.project(full(*(f"a{k}" for k in range(7))), 0)  # 127 branches
    [register] = joined.registers
    source = DeviceSource(SparseSampler(), parts="refuse", seed=1)
    details = joined.run(Program(read("r", *register)), source).answers[0].details
    assert (details["made"], details["widths"]) == ("prepared", [14])
    with pytest.raises(DeviceError, match=r"14 qubits could be sent in part only \(1 of them\)"):
        joined.run(Program(ask("m", full("a0"))), source)


def test_a_refusal_for_too_low_a_fidelity_says_both_figures_and_what_was_to_be_sent() -> None:
    sampler = Telling(lambda circuit: 0.98)
    wanted = r"fidelity 0\.98 is below the limit least_fidelity=0\.99 \(circuits: 1, two-qubit gates: 0\)"
    with pytest.raises(DeviceError, match=wanted):
        put(BOARDS[1], DeviceSource(sampler, least_fidelity=0.99))


def test_the_settings_follow_a_backends_name() -> None:
    made = backends.get("sparse-shots,coins=allow,parts=refuse")
    assert made.name == "sparse-shots,coins=allow,parts=refuse"
    source: Any = made.source(1)
    assert (source.coins, source.parts) == ("allow", "refuse")

"""Random bits are tested, kept, used once, and called what they are."""

from __future__ import annotations

import json
import math
import os
import random
import secrets
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qchess import backends
from qchess.__main__ import main
from qchess.backends.chance import at_least
from qchess.backends.devices.sampler import Capabilities, Provenance, Shots
from qchess.backends.devices.samplers import sampler
from qchess.backends.qrng import HealthError, Pool, QrngSource, QuantumRandom, Supply, coin, dice, die, harvest
from qchess.backends.qrng import extraction as press
from qchess.backends.qrng.harvest import Harvest, shots_for
from qchess.backends.qrng.health import Monitor, alpha_of, proportion_cutoff, repetition_cutoff
from qchess.backends.qrng.source import named, outcomes
from qchess.backends.qrng.supply import MachineStock, PoolStock
from qchess.circuits import BackendError, Program, Registers, ask, full, split
from tests.kills import kills
from tests.patience import wait_until

#: chi-square at which fair dice are called loaded once in a thousand times, five degrees of freedom
FAIR_DICE = 20.52


class Tape:
    """A sampler whose coins follow a rule; it says of itself whatever the test wants."""

    name = "tape"

    def __init__(self, rule: Callable[[np.random.Generator, int], Any], *, quantum: bool = False, ordered: bool = True):
        self.rule, self.ordered = rule, ordered
        self.capabilities = Capabilities(ordered=ordered, quantum=quantum)
        self.rng = np.random.default_rng(7)
        self.jobs = self.shots = 0

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        self.jobs += 1
        self.shots += shots
        return [self._one(circuit, shots) for circuit in circuits]

    def _one(self, circuit: Program, shots: int) -> Shots:
        width = len(circuit.qubits)
        bits = np.asarray(self.rule(self.rng, shots * width), dtype=np.int64).reshape(shots, width)
        numbers = [(int(n),) for n in bits @ (1 << np.arange(width))]
        origin = Provenance(self.name, shots, shots, job=f"job{self.jobs}")
        if self.ordered:
            return Shots.in_order(circuit.answers, numbers, origin)
        return Shots(circuit.answers, Counter(numbers), origin)


def fair(rng: np.random.Generator, count: int) -> Any:
    return rng.integers(0, 2, count)


def biased(rng: np.random.Generator, count: int) -> Any:
    return rng.random(count) < 0.7


def stuck(rng: np.random.Generator, count: int) -> Any:
    return np.zeros(count)


def bits_of(rule: Callable[..., Any], count: int, seed: int = 1) -> Any:
    return np.asarray(rule(np.random.default_rng(seed), count), dtype=np.uint8)


# -- health ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("entropy", "run", "share"), [(1.0, 21, 589), (0.5, 41, 793)])
def test_the_cutoffs_are_those_of_sp_800_90b_at_two_to_the_minus_twenty(entropy: float, run: int, share: int) -> None:
    # C = 1 + ceil(20/H); C = 1 + critbinom(1024, 2^-H, 1 - 2^-20), computed with scipy.stats.binom.ppf
    assert (repetition_cutoff(entropy), proportion_cutoff(entropy)) == (run, share)


@pytest.mark.parametrize("entropy", [0.9, 1.0])
def test_the_proportion_cutoff_is_the_least_whose_false_alarms_are_rare_enough(entropy: float) -> None:
    cut, p = proportion_cutoff(entropy), 2.0**-entropy

    def tail(least: int) -> float:  # the first bit is one of the C: 1 + critbinom
        return math.fsum(math.comb(1024, k) * p**k * (1 - p) ** (1024 - k) for k in range(least, 1025))

    assert tail(cut) <= 2**-20 < tail(cut - 1)


@pytest.mark.parametrize("count", [10**4, 10**6, 10**7])
def test_a_long_fair_harvest_is_lost_by_chance_less_than_once_in_a_thousand(count: int) -> None:
    alpha, p = alpha_of(count), 2.0**-0.9  # what is claimed; fair bits are better
    runs = count * 0.5 ** (repetition_cutoff(0.9, alpha) - 1)
    windows = count / 1024 * at_least(proportion_cutoff(0.9, alpha), 1024, p)
    assert runs + windows < 1e-3


def test_a_stuck_source_is_stopped_within_its_cutoff_and_a_biased_one_within_the_window() -> None:
    alarm = Monitor(0.9).check(bits_of(stuck, 4096))
    assert alarm is not None
    assert (alarm.test, alarm.at) == ("repetition count", repetition_cutoff(0.9) - 1)
    late = []
    for seed in range(50):
        alarm = Monitor(0.9).check(bits_of(biased, 200_000, seed))
        assert alarm is not None
        late.append(alarm.at)
    assert sorted(late)[25] < 4 * 1024  # a window that begins with the rarer bit says nothing


def test_two_hundred_thousand_fair_bits_raise_no_alarm() -> None:
    assert Monitor(0.9).check(bits_of(fair, 200_000)) is None


@given(st.lists(st.integers(0, 1), min_size=1, max_size=400))
def test_the_fast_repetition_test_is_the_plain_count(values: list[int]) -> None:
    bits, monitor = np.array(values, dtype=np.uint8), Monitor(1.0, alpha=2.0**-4)
    run, expected = 0, None
    for at, bit in enumerate(values):
        run = run + 1 if at and bit == values[at - 1] else 1
        if run >= 5 and expected is None:
            expected = at
    alarm = monitor._repetition(bits)
    assert (alarm.at if alarm else None) == expected


@pytest.mark.parametrize("rule", [stuck, biased])
def test_nothing_of_a_failing_source_is_harvested(rule: Callable[..., Any]) -> None:
    with pytest.raises(HealthError, match="tape failed the"):
        harvest(Tape(rule), 50_000)


def test_counts_without_order_are_no_bits() -> None:
    with pytest.raises(BackendError, match="only counts its shots"):
        harvest(Tape(fair, ordered=False), 100)


# -- entropy and extraction ---------------------------------------------------------------------------------


def test_min_entropy_is_nearly_one_for_fair_bits_and_half_for_seventy_percent() -> None:
    assert press.most_common_value(bits_of(fair, 200_000)) > 0.985
    assert press.most_common_value(bits_of(biased, 200_000)) == pytest.approx(-math.log2(0.7), abs=0.01)


def test_bits_that_depend_on_the_one_before_hold_less_than_their_share_tells() -> None:
    sticky = [0]
    rng = random.Random(3)
    for _ in range(50_000):
        sticky.append(sticky[-1] if rng.random() < 0.8 else 1 - sticky[-1])
    bits = np.array(sticky, dtype=np.uint8)
    assert press.most_common_value(bits) > 0.9
    assert press.markov(bits) == pytest.approx(-math.log2(0.8), abs=0.02)


def period_of_four_shots(rng: np.random.Generator, count: int) -> Any:
    return np.resize(rng.integers(0, 2, 4 * 16), count)


def every_shot_twice(rng: np.random.Generator, count: int) -> Any:
    return np.repeat(rng.integers(0, 2, (count // 32 + 1, 16)), 2, axis=0).ravel()[:count]


def told_again(rng: np.random.Generator, count: int) -> Any:
    """The second half is the first half again."""
    return np.resize(rng.integers(0, 2, (count + 1) // 2), count)


def leaning_wires(rng: np.random.Generator, count: int) -> Any:
    """Half of the wires show 1 in 85 of 100 shots, the other half 0; no bit tells anything of the next one."""
    leans = np.random.default_rng(4).permutation(np.repeat([0.85, 0.15], 8))
    return rng.random(count) < np.resize(leans, count)


def twin_wires(rng: np.random.Generator, count: int) -> Any:
    """Each of the last eight wires shows what one of the first eight does, or did in the shot before."""
    shots = rng.integers(0, 2, (count // 16 + 1, 16))
    shots[:, 8:12] = shots[:, :4]
    shots[1:, 12:] = 1 - shots[:-1, 4:8]
    return shots.ravel()[:count]


PATTERNS = [
    (period_of_four_shots, 0.0),
    (every_shot_twice, 0.5),
    (told_again, 0.5),
    (leaning_wires, -math.log2(0.85)),
    (twin_wires, 0.5),
]


@pytest.mark.parametrize(("rule", "true"), PATTERNS)
def test_a_pattern_that_neighbouring_bits_hide_lowers_the_estimate(rule: Callable[..., Any], true: float) -> None:
    bits = bits_of(rule, 2**16)
    assert min(press.most_common_value(bits), press.markov(bits)) > true + 0.2
    assert press.min_entropy(bits, 16) < true + 0.1
    with pytest.raises(BackendError, match=r"tape (claims 0\.9 bits of entropy a bit; 0\.\d+ were|gave the same)"):
        harvest(Tape(rule), 2**16)


@pytest.mark.parametrize(("size", "times"), [(4096, 20), (2**16, 1)])
def test_fair_bits_are_estimated_well_above_what_is_refused(size: int, times: int) -> None:
    estimates = [press.min_entropy(bits_of(fair, size, seed), 16) for seed in range(times)]
    assert 0.84 < min(estimates) <= max(estimates) < 1
    assert min(press.predicted(bits_of(fair, size, seed), 16) for seed in range(times)) > 0.84


@pytest.mark.parametrize(("share", "width"), [(0.6, 1), (0.75, 5), (0.95, 16)])
def test_a_guesser_is_right_as_often_as_the_commoner_bit_comes(share: float, width: int) -> None:
    bits = np.asarray(np.random.default_rng(2).random(2**16) < share, dtype=np.uint8)
    assert press.predicted(bits, width) == pytest.approx(-math.log2(share), abs=0.02)


def test_strings_of_a_source_are_counted_as_sp_800_90b_counts_them() -> None:
    # 6.3.5: of all strings with 35 occurrences or more the largest (Q / (L - t + 1)) ^ (1 / t), bounded at 99 %
    bits = np.asarray(np.random.default_rng(3).random(3000) < 0.6, dtype=np.uint8)
    text, most = "".join(map(str, bits.tolist())), 0.0
    for length in range(1, 65):
        windows = Counter(text[k : k + length] for k in range(len(text) - length + 1))
        often = max(windows.values())
        if often >= 35:
            most = max(most, (often / windows.total()) ** (1 / length))
    bound = most + press.Z * math.sqrt(most * (1 - most) / (len(bits) - 1))
    assert press.tuples(bits) == pytest.approx(-math.log2(bound))


def test_the_first_block_that_comes_again_is_named() -> None:
    bits = bits_of(fair, 2**15)
    assert press.repeated(bits) is None
    bits[7 * 256 : 8 * 256] = bits[3 * 256 : 4 * 256]
    assert press.repeated(bits) == (7, 3)


def test_equal_blocks_are_pressed_by_matrices_of_their_own() -> None:
    block, rng = bits_of(fair, press.BLOCK), np.random.default_rng(8)
    matrices = rng.integers(0, 2, (2, 2 * press.BLOCK)).astype(np.uint8)
    first, second = np.split(press.extract(np.tile(block, 2), 0.5, matrices), 2)
    assert 0.45 < float(np.mean(first != second)) < 0.55
    assert first.tolist() == press.extract(block, 0.5, matrices[0]).tolist()
    assert second.tolist() == press.extract(block, 0.5, matrices[1]).tolist()


def test_each_block_of_a_harvest_is_pressed_by_a_matrix_drawn_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bytes] = []

    def noted(count: int, draw: Callable[[int], bytes] = secrets.token_bytes) -> bytes:
        drawn.append(draw(count))
        return drawn[-1]

    monkeypatch.setattr(secrets, "token_bytes", noted)
    found, again = (harvest(Tape(fair), 20_000, extraction=True) for _ in range(2))
    raw = harvest(Tape(fair), found.provenance["raw"]).bits
    blocks = len(raw) // press.BLOCK
    length = len(found.bits) // blocks
    [matrices, others] = [np.unpackbits(np.frombuffer(one, dtype=np.uint8)).reshape(blocks, -1) for one in drawn]
    assert len({matrix.tobytes() for matrix in (*matrices, *others)}) == 2 * blocks >= 6
    pressed = [
        press.toeplitz(raw[k * press.BLOCK : (k + 1) * press.BLOCK], length, matrices[k][: press.BLOCK + length - 1])
        for k in range(blocks)
    ]
    assert found.bits.tolist() == np.concatenate(pressed).tolist()
    assert found.provenance["matrix"] != again.provenance["matrix"]
    assert found.bits.tolist() != again.bits.tolist()


def test_a_harvest_of_a_narrow_machine_is_guessed_at_its_own_width() -> None:
    leans = np.array([0.15, 0.85, 0.85, 0.15, 0.5])

    class Narrow(Tape):
        capabilities = Capabilities(ordered=True, max_qubits=5)

        def __init__(self) -> None:
            super().__init__(lambda rng, count: rng.random(count) < np.resize(leans, count))
            self.capabilities = Narrow.capabilities

    bits = bits_of(Narrow().rule, 40_000)
    assert min(press.most_common_value(bits), press.markov(bits)) > 0.8
    with pytest.raises(BackendError, match=r"claims 0\.9 bits of entropy a bit; 0\.[34]\d+ were found"):
        harvest(Narrow(), 40_000)


@pytest.mark.parametrize(("count", "extraction"), [(10, False), (5000, False), (200_000, False), (20_000, True)])
def test_a_harvest_takes_as_many_shots_as_it_said_before(count: int, extraction: bool) -> None:
    machine = Tape(fair)
    found = harvest(machine, count, extraction=extraction)
    assert machine.shots == shots_for(machine, count, extraction=extraction) == found.provenance["shots"]


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 2**32))
def test_the_toeplitz_product_by_fft_is_the_product(size: int, length: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    bits, diagonal = fair(rng, size).astype(np.uint8), fair(rng, size + length - 1).astype(np.uint8)
    matrix = [[int(diagonal[i - j + size - 1]) for j in range(size)] for i in range(length)]
    assert press.toeplitz(bits, length, diagonal).tolist() == (np.array(matrix) @ bits % 2).tolist()


def test_a_full_block_by_fft_is_the_product_too() -> None:
    rng = np.random.default_rng(5)
    size, length = press.BLOCK, press.extracted_length(press.BLOCK, 0.51)
    bits, diagonal = fair(rng, size).astype(np.uint8), fair(rng, size + length - 1).astype(np.uint8)
    found = press.toeplitz(bits, length, diagonal)
    for row in (0, 1, 977, length - 1):
        line = diagonal[row : row + size][::-1].astype(np.int64)  # diagonal[row - j + size - 1], j = 0 ...
        assert found[row] == line @ bits % 2


def test_extraction_gives_the_length_that_the_entropy_allows_and_forgets_the_bias() -> None:
    rng = np.random.default_rng(11)
    raw = bits_of(biased, press.BLOCK * 20)
    matrix = fair(rng, 2 * press.BLOCK).astype(np.uint8)
    pressed = press.extract(raw, 0.5, matrix)
    assert len(pressed) == 20 * (press.BLOCK // 2 - 64)
    assert abs(float(np.mean(pressed)) - 0.5) < 4 * 0.5 / math.sqrt(len(pressed))


@pytest.mark.parametrize("count", [5000, pytest.param(900_000, marks=pytest.mark.long)])
def test_an_extracted_harvest_has_enough_bits_and_says_how_it_was_pressed(count: int) -> None:
    found = harvest(Tape(fair), count, extraction=True)
    blocks, told = found.provenance["raw"] // press.BLOCK, found.provenance["min_entropy"]
    length = len(found.bits) // blocks
    assert len(found.bits) == blocks * length >= count
    # the claim of 0.9 a bit is not exceeded, nor what was estimated, which is told to four decimals
    least, most = (press.extracted_length(press.BLOCK, min(0.9, told + off)) for off in (-0.0001, 0.0001))
    assert least <= length <= most
    assert found.provenance["extraction"].startswith(f"Toeplitz 8192 to {length}, ")
    assert found.provenance["raw"] >= max(2 * press.BLOCK, count / 0.9)


def by_chance(size: int, odds: float) -> float:
    """What `tuples` tells of so many fair bits at worst, but for these odds."""
    shares, length = [], 1
    while (often := likely_at_most(size, 2.0**-length, odds / 2**length / 64)) >= 35:
        shares.append((often / size) ** (1 / length))
        length += 1
    return -math.log2(max(shares) + press.Z * 0.5 / math.sqrt(size - 1))


def likely_at_most(size: int, chance: float, odds: float) -> int:
    """How many of so many cases hit a small chance, but for these odds: a Poisson law's tail."""
    mean = size * chance
    number = int(mean)
    while math.exp(number - mean + number * math.log(mean / number)) > odds:  # Chernoff's bound of the tail
        number += 1
    return number


@pytest.mark.long
@pytest.mark.parametrize("name", ["sparse-shots", "aer-noisy"])
def test_many_bits_of_a_simulator_pass_the_tests_the_estimate_and_the_press(name: str) -> None:
    found = harvest(sampler(name), 250_000, seed=5)
    raw = found.bits
    assert found.provenance["min_entropy"] == round(press.min_entropy(raw, 16), 4) >= 0.9
    assert min(press.most_common_value(raw), press.markov(raw), press.predicted(raw, 16)) > 0.98
    blocks = len(raw) // press.BLOCK
    matrices = np.random.default_rng(6).integers(0, 2, (blocks, 2 * press.BLOCK), dtype=np.uint8)
    pressed = press.extract(raw, 0.9, matrices)
    # 64 bits of each block are the price of 2^-32
    assert len(pressed) == blocks * press.extracted_length(press.BLOCK, 0.9) >= 0.87 * len(raw)
    assert abs(float(np.mean(pressed)) - 0.5) < 6 * 0.5 / math.sqrt(len(pressed))
    # of so many fair bits a test at 2^-20 would alarm about once in eight times
    assert Monitor(1.0, alpha=2.0**-40).check(pressed) is None
    assert min(press.most_common_value(pressed), press.markov(pressed), press.predicted(pressed)) > 0.98
    assert press.tuples(pressed) > by_chance(len(pressed), 0.001)


# -- the pool ---------------------------------------------------------------------------------------------


def filled(path: Path, count: int = 4096, seed: int = 1) -> Pool:
    pool = Pool(path)
    pool.add(Harvest(bits_of(fair, count, seed), {"source": "tape", "quantum": False}))
    return pool


def test_a_pool_hands_out_each_bit_once_and_in_order(tmp_path: Path) -> None:
    pool = filled(tmp_path / "bits.pool")
    pool.add(Harvest(bits_of(fair, 1000, 2), {"source": "other"}))
    parts = [part for count in (1, 4000, 7, 500) for part in pool.take(count)]
    told = np.concatenate([part.bits for part in parts])
    assert told.tolist() == np.concatenate([bits_of(fair, 4096, 1), bits_of(fair, 1000, 2)])[:4508].tolist()
    assert [part.provenance["source"] for part in parts] == ["tape", "tape", "tape", "tape", "other"]
    assert pool.available() == 588
    with pytest.raises(BackendError, match="holds 588 bits, 589 were asked for"):
        pool.take(589)
    assert pool.available() == 588
    assert Pool(tmp_path / "bits.pool").available() == 588


def test_what_is_no_pool_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("these are my notes, and no bits\n" * 50)
    before = text.read_bytes()
    with pytest.raises(BackendError, match="is not a pool of random bits"):
        Pool(text)
    assert text.read_bytes() == before
    with pytest.raises(BackendError, match="cannot be opened"):
        Pool(tmp_path / "nowhere" / "bits.pool")


DRAW = """
    import sys
    from qchess.backends.qrng.pool import Pool
    pool, log = Pool(sys.argv[1]), open(sys.argv[2], "a")
    while True:
        for part in pool.take(24):
            log.write(f"{part.batch} {part.start} {''.join(map(str, part.bits.tolist()))}\\n")
            log.flush()
"""


def _killed(pool: Path, log: Path, delay: float) -> None:
    command = [sys.executable, "-c", textwrap.dedent(DRAW), str(pool), str(log)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as drawing:
        before = log.stat().st_size if log.exists() else 0
        wait_until(lambda: drawing.poll() is not None or (log.exists() and log.stat().st_size > before), "it draws")
        time.sleep(delay)
        os.kill(drawing.pid, signal.SIGKILL)
        _, said = drawing.communicate()
        assert not said


@pytest.mark.parametrize("count", [4, pytest.param(kills(12), marks=pytest.mark.long)])
def test_no_bit_is_handed_out_twice_though_the_process_is_killed_again_and_again(tmp_path: Path, count: int) -> None:
    path, log = tmp_path / "bits.pool", tmp_path / "log"
    size = 2**18
    filled(path, size)
    source, rng = bits_of(fair, size, 1), random.Random(count)
    for _ in range(count):
        _killed(path, log, rng.uniform(0, 0.05))
    seen: set[int] = set()
    for line in log.read_text().splitlines():
        if line.count(" ") < 2 or len(line.split()[2]) < 24:
            continue  # the kill fell into the writing of this line
        _, start, bits = line.split()
        places = range(int(start), int(start) + len(bits))
        assert seen.isdisjoint(places)
        seen.update(places)
        assert bits == "".join(map(str, source[places.start : places.stop].tolist()))
    assert len(seen) >= 24 * count
    assert size - Pool(path).available() >= len(seen)
    assert Pool(path).take(Pool(path).available())


# -- dice, coins, and the face of random.Random -------------------------------------------------------------


class Known:
    """A stock of blocks of seven bits, each told by its number."""

    name = "known"

    def __init__(self) -> None:
        self.blocks = 0

    def block(self) -> list[tuple[Any, Mapping[str, Any]]]:
        self.blocks += 1
        return [(np.array([1, 0, 0, 1, 1, 0, self.blocks & 1], dtype=np.uint8), {"block": self.blocks})]


def test_a_supply_hands_out_every_bit_of_its_stock_from_the_first_one_on() -> None:
    drawn = Supply(Known())
    assert [*drawn.bits(4), *drawn.bits(0), *drawn.bits(8)] == [1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1]
    runs = drawn.runs(3)
    assert [(bits.tolist(), told["block"]) for bits, told in runs] == [([0, 0], 2), ([1], 3)]
    assert drawn.drawn == 15


def supply(rule: Callable[..., Any] = fair, **options: Any) -> Supply:
    return Supply(MachineStock(Tape(rule)), **options)


@pytest.mark.parametrize("count", [60_000, pytest.param(600_000, marks=pytest.mark.long)])
def test_dice_are_uniform(count: int) -> None:
    thrown = Counter(dice(supply().bits, count, 6).tolist())
    assert sum((thrown[side] - count / 6) ** 2 / (count / 6) for side in range(1, 7)) < FAIR_DICE
    assert set(thrown) == set(range(1, 7))


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 7, 20])
def test_each_side_is_exactly_as_likely_among_all_strings_of_bits(sides: int) -> None:
    # the chance of each side after one try, over all equally likely bit strings; other tries repeat the same
    width = (sides - 1).bit_length()
    shares: Counter[int] = Counter()
    for number in range(2**width):
        tries = iter([number, 0])
        thrown = die(lambda _, tries=tries: next(tries), sides)  # type: ignore[misc]
        if number < sides:
            shares[thrown] += 1
    assert shares == Counter(dict.fromkeys(range(1, sides + 1), 1))
    assert sum(Fraction(n, 2**width) for n in shares.values()) == Fraction(sides, 2**width)


@pytest.mark.parametrize("sides", [0, -1, 2.5, 2**33])
def test_a_die_without_sides_is_refused(sides: Any) -> None:
    with pytest.raises(BackendError, match="whole number of sides"):
        dice(supply().bits, 1, sides)


def test_a_die_costs_four_bits_on_average() -> None:
    drawn = supply()
    for _ in range(3000):
        die(drawn.integer)
    assert drawn.drawn / 3000 == pytest.approx(3 * 8 / 6, rel=0.05)


def test_it_is_a_random_random_without_seed_or_state() -> None:
    rng = QuantumRandom(supply())
    rng.seed(5)
    assert [rng.randint(1, 6) for _ in range(5)] != [QuantumRandom(supply()).randint(1, 6)] * 5
    assert sorted(rng.sample(range(50), 50)) == list(range(50))
    assert 0 <= rng.random() < 1
    assert rng.getrandbits(200).bit_length() <= 200
    assert rng.getrandbits(0) == 0
    assert isinstance(rng.gauss(0, 1), float)
    with pytest.raises(BackendError, match="no state"):
        rng.getstate()
    with pytest.raises(BackendError, match="no state"):
        rng.setstate(random.Random(1).getstate())


def test_its_numbers_are_the_bits_in_order() -> None:
    first, second = supply(), supply()
    rng = QuantumRandom(first)
    assert rng.getrandbits(10) == int("".join(map(str, second.bits(10).tolist())), 2)
    assert rng.random() == int("".join(map(str, second.bits(53).tolist())), 2) / 2**53


def test_a_prepared_coin_shows_one_with_its_probability() -> None:
    machine = backends.get("sparse-shots").source().sampler  # type: ignore[attr-defined]
    thrown = coin(machine, 0.25, 8000, seed=4)
    assert abs(sum(thrown) / 8000 - 0.25) < 4 * math.sqrt(0.25 * 0.75 / 8000)
    assert set(coin(machine, 0.0, 50)) == {0}
    assert set(coin(machine, 1.0, 50)) == {1}
    with pytest.raises(BackendError, match="between 0 and 1"):
        coin(machine, 1.5)


# -- failure, provenance, and games ---------------------------------------------------------------------------


class Moody:
    """A stock that fails so many times before it gives bits."""

    name = "moody"

    def __init__(self, times: int) -> None:
        self.times = times

    def block(self) -> Any:
        if self.times:
            self.times -= 1
            raise BackendError("the device is being calibrated")
        return [(bits_of(fair, 64), {"source": "moody", "quantum": True})]


def test_when_there_are_no_bits_the_player_chose_what_happens() -> None:
    with pytest.raises(BackendError, match="being calibrated"):
        Supply(Moody(1)).bits(1)
    naps: list[float] = []
    assert len(Supply(Moody(3), on_failure="wait", pause=2, sleep=naps.append).bits(5)) == 5
    assert naps == [2, 2, 2]
    with pytest.raises(BackendError, match="being calibrated"):
        Supply(Moody(99), on_failure="wait", pause=2, patience=10, sleep=naps.append).bits(5)
    drawn = Supply(Moody(1), on_failure="os")
    [(_, origin)] = drawn.runs(8)
    assert origin["source"] == "the operating system"
    assert origin["instead"] == "the device is being calibrated"
    assert named(origin) == "dice of the operating system"
    with pytest.raises(BackendError, match="raise, wait, os"):
        Supply(Moody(0), on_failure="cheat")


def half_piece() -> Registers:
    return Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers


def test_a_game_draws_with_the_exact_odds_and_writes_down_its_bits() -> None:
    source = QrngSource(supply())
    answers = [half_piece().run(Program(ask("m", full("a"))), source).answers[0] for _ in range(600)]
    assert abs(sum(a.value for a in answers) - 300) < 4 * math.sqrt(150)
    details = answers[0].details
    assert len(details["bits"]) == 53
    assert (answers[0].value == 1) == (int(details["bits"], 2) / 2**53 < 0.5)  # yes below P(yes)
    assert details["origins"][0]["start"] == 0
    assert answers[1].details["origins"][0]["start"] == 53
    assert json.loads(json.dumps(details)) == details


@pytest.mark.parametrize(("quantum", "name"), [(False, "dice simulated by tape"), (True, "quantum dice of tape")])
def test_only_a_physical_machine_is_called_quantum(quantum: bool, name: str) -> None:
    source = QrngSource(Supply(MachineStock(Tape(fair, quantum=quantum))))
    assert half_piece().run(Program(ask("m", full("a"))), source).answers[0].source == name


def test_a_pool_is_filled_by_its_machine_when_it_is_empty(tmp_path: Path) -> None:
    machine = Tape(fair)
    drawn = Supply(PoolStock(Pool(tmp_path / "bits.pool"), machine, refill=4096))
    drawn.bits(3000)
    assert machine.jobs == 1
    drawn.bits(3000)
    assert machine.jobs == 2
    with pytest.raises(BackendError, match="fill it first"):
        Supply(PoolStock(Pool(tmp_path / "empty.pool"))).bits(1)


def test_a_game_plays_on_a_pool_named_in_one_word(tmp_path: Path) -> None:
    import qchess

    filled(tmp_path / "bits.pool")
    game = qchess.new("quantum-chess", source=outcomes(f"qrng:{tmp_path / 'bits.pool'}"))
    for move in ("b1^a3c3", "e7-e5", "c3-d5", "e5-e4", "d5-e7"):
        played = game.play(move)
    told = [answer for turn in game.history for answer in turn.answers if answer.source != "certain"]
    assert all(answer.source == "dice simulated by tape" for answer in told)
    del played


def test_a_kept_game_goes_on_with_the_bits_it_was_begun_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import qchess
    from qchess.playing.record import Record
    from qchess.playing.replaying import BackendWarning

    pool = tmp_path / "bits.pool"
    filled(pool)
    monkeypatch.chdir(tmp_path)
    game = qchess.new("quantum-chess", source=outcomes("qrng:bits.pool"), fen="4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1")
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    record = Record.from_json(game.record().to_json())
    assert record.outcomes == f"qrng:{pool}"  # also for a process that is started elsewhere
    monkeypatch.chdir("/")
    again = qchess.replay(record, trust=True)
    assert isinstance(again.source, QrngSource)
    assert again.record().outcomes == record.outcomes
    had = game.history[-1].answers[0].details["origins"][0]
    took = again.source.supply.runs(53)[0][1]
    assert (took["batch"], took["start"]) != (had["batch"], had["start"])  # no bit is used twice
    assert qchess.replay(record, seed=3).record().outcomes is None  # new dice were wanted
    pool.unlink()
    with pytest.warns(
        BackendWarning, match=r"answers were drawn from 'qrng:.*bits\.pool'; they go on from the backend"
    ):
        assert not isinstance(qchess.replay(record, trust=True).source, QrngSource)


@pytest.mark.slow
def test_a_simulators_bits_do_not_begin_anew_when_a_game_goes_on() -> None:
    import qchess

    fen = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
    game = qchess.new("quantum-chess", source=outcomes("qrng:sparse-shots", seed=5), seed=5, fen=fen)
    for move in ("b1^a3c3", "e8-e7", "c3-d5"):
        game.play(move)
    first = game.history[-1].answers[0].details["bits"]
    supply = qchess.replay(game.record()).source.supply  # type: ignore[attr-defined]
    assert "".join(map(str, supply.bits(53))) != first


@pytest.mark.parametrize("text", ["qrng:", "qrng:sparse", "qrng:nobody"])
def test_a_word_that_names_no_bits_is_refused(text: str) -> None:
    with pytest.raises(BackendError):
        outcomes(text)


# -- the command ------------------------------------------------------------------------------------------------


def test_the_command_throws_fills_and_says_where_the_bits_came_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = tmp_path / "bits.pool"
    assert main(["dice", "--fill", "3000", "--outcomes", f"qrng:{pool}@sparse-shots", "--seed", "1"]) == 0
    said = capsys.readouterr()
    assert "bits from sparse-shots added" in said.out
    assert said.err == "sparse-shots is asked for 188 shots\n"
    assert Pool(pool).available() == 188 * 16
    assert main(["dice", "5d6", "--outcomes", f"qrng:{pool}", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["thrown"]) == 5
    assert set(told["thrown"]) <= set(range(1, 7))
    assert told["source"] == "dice simulated by sparse-shots"
    assert main(["dice", "4x", "--coin", "1.0", "--outcomes", "qrng:sparse-shots"]) == 0
    assert capsys.readouterr().out.startswith("1 1 1 1 ")
    assert main(["dice", "six"]) != 0


def test_the_command_goes_on_with_other_settings_or_other_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path))
    filled(tmp_path / "bits.pool")
    file, pool = tmp_path / "game.json", f"qrng:{tmp_path / 'bits.pool'}"

    def told(line: str) -> tuple[str, str | None]:
        assert main([*line.split(), "--white", "random", "--black", "random"]) == 0
        record = json.loads(file.read_text())
        return record["backend"], record.get("outcomes")

    assert told(f"play quantum-checkers --preset small --seed 1 --plies 2 --record {file} --outcomes {pool}") == (
        "sparse",
        pool,
    )
    assert told(f"resume {file} --trust --plies 4") == ("sparse", pool)
    on_shots = f"resume {file} --plies 6 --seed 4 --backend sparse-shots --shots 50"
    assert told(on_shots) == ("sparse-shots,shots=50", None)
    assert told(f"resume {file} --plies 8 --strategy replay") == ("sparse-shots,shots=50,strategy=replay", None)
    assert told(f"play --resume {file} --plies 10 --outcomes {pool}")[1] == pool


def test_a_device_that_fails_says_first_what_it_has_to_say() -> None:
    class Broken(Tape):
        def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
            raise BackendError("the account has no time left")

    with pytest.raises(BackendError, match=r"^the account has no time left; tape gave no bits$"):
        harvest(Broken(fair), 10)


@pytest.mark.parametrize("text", ["qrng:bits.pool", "qrng:folder/bits"])
def test_a_pool_that_is_missing_is_named_as_that(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BackendError, match=rf"there is no pool '{text[5:]}'; qchess dice --fill BITS"):
        outcomes(text)
    assert not list(tmp_path.iterdir())


def test_the_command_says_in_one_sentence_which_pool_is_missing_or_not_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sentences = {
        "3d6 --outcomes qrng:bits.pool": "there is no pool 'bits.pool'; "
        "qchess dice --fill BITS --outcomes qrng:bits.pool@DEVICE makes one",
        "5x --coin 0.5 --outcomes qrng:bits.pool": "--coin wants --outcomes qrng:DEVICE, which prepares the coins; "
        "got 'qrng:bits.pool'",
        "--fill 0 --outcomes qrng:bits.pool@sparse-shots": "expected at least one bit to harvest, got 0",
        "--fill 99 --outcomes qrng:bits.pool": "--fill wants --outcomes qrng:POOL@DEVICE, got 'qrng:bits.pool'",
    }
    for line, told in sentences.items():
        assert main(["dice", *line.split()]) == 2
        assert capsys.readouterr() == ("", f"qchess: {told}\n")
        assert not list(tmp_path.iterdir())


def test_nothing_is_measured_for_a_pool_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    where = f"qrng:{tmp_path / 'nowhere' / 'bits.pool'}@sparse-shots,budget_shots=500"
    assert main(["dice", "--fill", "99", "--outcomes", where]) == 2
    assert backends.get("sparse-shots,budget_shots=500").source().budget.left() == 500  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["2d6 --outcomes qrng:", "9x --coin .5 --outcomes qrng:", "--fill 9 --outcomes qrng:p@"]
)
@pytest.mark.parametrize("setting", ["shots=500", "mitigation=200", "readout_twirling=True", "timeout=None"])
def test_a_setting_that_bits_would_not_heed_is_refused(
    line: str, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"sparse-shots,{setting},budget_shots=90000"
    assert main(["dice", *f"{line}{name}".split()]) == 2
    told = f"leave the other settings out of {name!r}: {setting.partition('=')[0]}\n"
    assert capsys.readouterr().err.endswith(told)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("count", [0, -3])
def test_a_coin_is_thrown_at_least_once(count: int) -> None:
    with pytest.raises(BackendError, match=f"at least one throw, got {count}"):
        coin(Tape(fair), 0.5, count)

"""Bits that pass, and are further from even than chance goes, are remarked wherever they are seen."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qchess import backends
from qchess.__main__ import main
from qchess.backends import catalogue
from qchess.backends.chance import as_far, how_often
from qchess.backends.devices.adapters import device
from qchess.backends.qrng import Pool, QrngSource, Supply, harvest, remark
from qchess.backends.qrng.supply import MachineStock, PoolStock
from qchess.circuits import Program, Registers, ask, full, split
from tests.qrng.test_qrng import Tape, bits_of, fair

COIN = "868 of 1,000 measured bits are ones where 900 were asked: chance does that once in 719 times"


def exact(ones: int, size: int, chance: Fraction = Fraction(1, 2)) -> Fraction:
    """Twice the smaller tail, in whole numbers."""
    p, q = chance.numerator, chance.denominator - chance.numerator
    term, below, at_most = q**size, 0, 0
    for k in range(ones + 1):
        below, at_most = at_most, at_most + term
        term = term * p * (size - k) // (q * (k + 1))
    every = chance.denominator**size
    return min(Fraction(1), 2 * Fraction(min(at_most, every - below), every))


def once_in(likely: Fraction) -> str:
    """The rarity to three figures, with a comma between thousands."""
    times = float(1 / likely)
    digits = 10 ** max(0, math.floor(math.log10(times)) - 2)
    return f"once in {round(times / digits) * digits:,} times"


def showing(share: float, wires: tuple[int, ...] = tuple(range(16))) -> Callable[..., Any]:
    """Coins of sixteen wires, some of which show 1 with this chance."""

    def rule(rng: np.random.Generator, count: int) -> Any:
        chances = np.full(16, 0.5)
        chances[list(wires)] = share
        return rng.random(count) < np.resize(chances, count)

    return rule


def of_a_thousand(rng: np.random.Generator, count: int) -> Any:
    """868 of each 1,000 are ones, in some order."""
    return np.resize(rng.permutation(np.arange(1000) < 868), count)


# -- the law ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chance", [Fraction(1, 2), Fraction(9, 10), Fraction(1, 7)])
@pytest.mark.parametrize("size", [1, 2, 9, 60, 1000])
def test_the_chance_of_a_count_as_far_off_is_twice_the_smaller_tail(size: int, chance: Fraction) -> None:
    for ones in {0, 1, size // 3, size // 2, round(size * chance), size * 7 // 8, size}:
        assert as_far(ones, size, float(chance)) == pytest.approx(float(exact(ones, size, chance)), rel=1e-8, abs=1e-90)


def test_what_cannot_be_chance_is_told_without_a_figure() -> None:
    assert as_far(999, 1000, 1.0) == as_far(1, 1000, 0.0) == 0
    assert as_far(1000, 1000, 1.0) == as_far(0, 1000, 0.0) == 1
    assert how_often(as_far(999, 1000, 1.0)) == how_often(1e-200) == "less than once in 10^12 times"


def test_the_sentence_of_a_coin_has_what_was_counted_what_was_asked_and_how_rare_that_is() -> None:
    thrown = bits_of(of_a_thousand, 1000)
    assert remark(thrown, probability=0.9) == COIN
    assert once_in(exact(868, 1000, Fraction(9, 10))) == "once in 719 times"
    assert remark(thrown, probability=0.87) is None
    assert "where 333.3 were asked" in str(remark(thrown, probability=1 / 3))


@pytest.mark.parametrize("size", [100, 501])
def test_a_coin_is_remarked_exactly_where_chance_is_rarer_than_once_in_two_hundred(size: int) -> None:
    for ones in range(size * 2 // 5, size * 3 // 5):
        thrown = np.array([1] * ones + [0] * (size - ones), dtype=np.uint8)
        assert (remark(thrown) is not None) == (exact(ones, size) < Fraction(1, 200))


@pytest.mark.slow
def test_of_four_hundred_fair_harvests_about_two_are_remarked() -> None:
    machine = Tape(fair)
    found = [harvest(machine, 2000).provenance.get("remark") for _ in range(400)]
    assert 1 <= sum(one is not None for one in found) <= 5


@pytest.mark.parametrize("width", [1, 5])
def test_fair_bits_are_remarked_once_in_two_hundred_times_whatever_the_width(width: int) -> None:
    rng = np.random.default_rng(width)
    found = [remark(rng.integers(0, 2, 240 * width, dtype=np.uint8), width) for _ in range(1000)]
    # at most five are expected, fewer as counts are whole numbers; sixteen and more once in ten thousand times
    assert 1 <= sum(one is not None for one in found) <= 15


@pytest.mark.parametrize("seed", range(40))
def test_the_rarer_of_the_whole_and_of_the_wires_is_remarked_each_at_half_of_the_level(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bits = (rng.random((200, 3)) < rng.uniform(0.46, 0.54) + rng.uniform(-0.08, 0.08, 3)).astype(np.uint8)
    whole = exact(int(bits.sum()), 600)
    wires = [3 * exact(int(bits[:, wire].sum()), 200) for wire in range(3)]
    said, rarest = remark(bits.ravel(), 3), min(whole, *wires)
    assert (said is not None) == (rarest < Fraction(1, 400))
    if said is not None:
        assert said.startswith("wire" if rarest < whole else str(bits.sum()))
        assert said.endswith(once_in(rarest)) or rarest < Fraction(1, 10**12)


# -- harvests -----------------------------------------------------------------------------------------------


def test_a_harvest_that_leans_passes_and_is_remarked_with_its_figures() -> None:
    found = harvest(Tape(showing(0.52)), 16_384)
    ones = int(found.bits.sum())
    rare = once_in(exact(ones, 16_384))
    assert found.provenance["remark"] == (
        f"{ones:,} of 16,384 measured bits are ones where 8,192 were asked: chance does that {rare}"
    )
    assert "passed" in found.provenance["health"]
    assert "remark" not in harvest(Tape(fair), 16_384).provenance


@pytest.mark.parametrize("wire", [0, 2, 15])
@pytest.mark.parametrize("share", [0.4, 0.6])
def test_one_bad_wire_of_sixteen_is_named_though_the_whole_is_even(wire: int, share: float) -> None:
    found = harvest(Tape(showing(share, (wire,))), 16_384)
    ones = int(found.bits[wire::16].sum())
    assert exact(int(found.bits.sum()), 16_384) > Fraction(1, 400)
    rare = once_in(16 * exact(ones, 1024))
    assert found.provenance["remark"] == (
        f"wire {wire + 1} of 16 gave {ones:,} ones of 1,024 where 512 were asked: "
        f"chance does that to one of the wires {rare}"
    )


def test_wires_that_lean_against_each_other_are_seen() -> None:
    halves = np.resize(np.repeat([0.58, 0.42], 8), 16_384)
    found = harvest(Tape(lambda rng, count: rng.random(count) < np.resize(halves, count)), 16_384)
    assert str(found.provenance["remark"]).startswith("wire ")


def test_a_pressed_harvest_remarks_what_was_measured() -> None:
    found = harvest(Tape(showing(0.52)), 10_000, extraction=True)
    assert f"of {found.provenance['raw']:,} measured bits are ones" in found.provenance["remark"]
    assert found.provenance["raw"] > len(found.bits)


# -- wherever they are seen -----------------------------------------------------------------------------------


def test_the_pool_the_supply_and_the_answers_of_a_game_keep_the_remark(tmp_path: Path) -> None:
    pool = Pool(tmp_path / "bits.pool")
    remarks = []
    for rule in (showing(0.53), fair, showing(0.46)):
        found = harvest(Tape(rule), 4096)
        remarks.append(found.provenance.get("remark"))
        pool.add(found)
    assert remarks[1] is None
    supply = Supply(PoolStock(pool))
    board = Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers
    told = board.run(Program(ask("m", full("a"))), QrngSource(supply)).answers[0].details
    assert told["origins"][0]["remark"] == remarks[0]
    assert supply.remarks == [remarks[0]]
    supply.bits(3 * 4096 - 53)
    assert supply.remarks == [remarks[0], remarks[2]]


def leaning() -> Any:
    return device(Tape(showing(0.53, (4,))))


def coins() -> Any:
    return device(Tape(of_a_thousand))


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two devices that the command finds by name, and a state folder of the test's own."""
    made = tuple(catalogue.Row(name, "of a test", f"{__name__}:{name}") for name in ("leaning", "coins"))
    monkeypatch.setattr(catalogue.BACKENDS, "ours", (*catalogue.CATALOGUE, *made))
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("machines")
def test_the_command_prints_the_remark_when_it_fills_and_when_it_throws(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "--fill", "160000", "--outcomes", "qrng:bits.pool@leaning"]) == 0
    added, said = capsys.readouterr().out.splitlines()
    assert added == "160000 bits from tape added to bits.pool; it holds 160000"
    ones = int(Pool("bits.pool").take(160_000)[0].bits[4::16].sum())
    rare = once_in(16 * exact(ones, 10_000))
    assert said == (
        f"remark: wire 5 of 16 gave {ones:,} ones of 10,000 where 5,000 were asked: "
        f"chance does that to one of the wires {rare}"
    )
    assert main(["dice", "--fill", "160000", "--outcomes", "qrng:bits.pool@leaning", "--json"]) == 0
    filled = json.loads(capsys.readouterr().out)
    assert filled["remarks"] == [filled["provenance"]["remark"]]
    assert main(["dice", "3d6", "--outcomes", "qrng:bits.pool"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == f"remark: {filled['remarks'][0]}"
    assert main(["dice", "3d6", "--outcomes", "qrng:bits.pool", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["remarks"] == filled["remarks"]


@pytest.mark.usefixtures("machines")
def test_the_command_remarks_a_coin_of_nine_tenths_that_shows_868_of_a_thousand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["dice", "1000x", "--coin", "0.9", "--outcomes", "qrng:coins"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [f"remark: {COIN}"]
    assert main(["dice", "1000x", "--coin", "0.9", "--outcomes", "qrng:coins", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (sum(told["thrown"]), told["remarks"]) == (868, [COIN])
    assert main(["dice", "1000x", "--coin", "0.87", "--outcomes", "qrng:coins"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_the_command_remarks_nothing_of_a_good_coin(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "1000x", "--coin", "0.9", "--outcomes", "qrng:sparse-shots", "--seed", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["remarks"] == []


# -- budgets --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("machines")
def test_dice_coins_and_fills_keep_to_one_budget_of_their_device(capsys: pytest.CaptureFixture[str]) -> None:
    device, told = "sparse-shots,budget_shots=1500", "the budget of sparse-shots is too small"
    left = iter((1500 - 1024, 1500 - 1024 - 7, 1500 - 1024 - 7 - 200))
    for line in (f"3d6 --outcomes qrng:{device}", f"7x --coin 0.5 --outcomes qrng:{device}",
                 f"--fill 3200 --outcomes qrng:bits.pool@{device}"):  # fmt: skip
        assert main(["dice", *line.split()]) == 0
        assert backends.get(device).source().budget.left() == next(left)  # type: ignore[attr-defined]
    capsys.readouterr()
    for line, needs in ((f"3d6 --outcomes qrng:{device}", 1024), (f"300x --coin 0.5 --outcomes qrng:{device}", 300),
                        (f"--fill 16000 --outcomes qrng:bits.pool@{device}", 1000)):  # fmt: skip
        assert main(["dice", *line.split()]) == 2
        said = capsys.readouterr().err.splitlines()[-1]
        assert said.startswith(f"qchess: {told}: 1231 of 1500 shots are spent or reserved, and this would take {needs}")
    assert Pool("bits.pool").available() == 3200
    assert main(["dice", "3d6", "--outcomes", "qrng:bits.pool"]) == 0  # what was paid for is there


@pytest.mark.usefixtures("machines")
def test_a_harvest_of_several_jobs_is_refused_before_the_first_and_counts_in_full_where_it_fails() -> None:
    machine = Tape(showing(0.7))
    for limit, jobs, left in ((22_499, 0, 22_499), (22_500, 3, 0)):
        budget = backends.budget.Budget(machine.name, limit)
        with pytest.raises(backends.budget.BudgetError if not jobs else backends.qrng.HealthError):
            harvest(machine, 360_000, budget=budget)
        assert (machine.jobs, budget.left()) == (jobs, left)


@pytest.mark.usefixtures("machines")
def test_a_pool_that_is_filled_again_and_a_machine_asked_again_keep_to_the_budget(tmp_path: Path) -> None:
    machine = Tape(fair)
    budget = backends.budget.Budget(machine.name, 2 * 256 + 100)
    for stock in (
        PoolStock(Pool(tmp_path / "bits.pool"), machine, refill=4096, budget=budget),
        MachineStock(machine, size=4096, budget=budget),
    ):
        assert len(stock.block()[0][0]) > 0
    with pytest.raises(backends.budget.BudgetError, match=r"512 of 612 shots .* would take 256 more"):
        MachineStock(machine, size=4096, budget=budget).block()
    assert machine.shots == 512


class Timed(Tape):
    """A machine that would end its jobs in time."""

    job_seconds = (1, 100)


def timed(**options: Any) -> Any:
    return device(Timed(fair), **options)


@pytest.mark.usefixtures("machines")
def test_a_budget_of_seconds_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    row = catalogue.Row("timed", "of a test", f"{__name__}:timed")
    monkeypatch.setattr(catalogue.BACKENDS, "ours", (*catalogue.CATALOGUE, row))
    for line in ("3d6 --outcomes qrng:", "5x --coin 0.5 --outcomes qrng:", "--fill 99 --outcomes qrng:bits.pool@"):
        assert main(["dice", *f"{line}timed,budget_seconds=60".split()]) == 2
        assert capsys.readouterr().err == (
            "qchess: random bits use budget_shots, not budget_seconds=60; leave it out of 'timed,budget_seconds=60'\n"
        )
    assert not Path("bits.pool").exists()

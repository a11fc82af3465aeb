"""Read-out twirling: no answer changes without errors, and no chance of a wrong reading leans with them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from qchess.backends.devices.readout import both, flipped, mixed, unflipped
from qchess.backends.devices.sampler import Capabilities, Provenance, Shots
from qchess.backends.devices.source import DeviceSource
from qchess.backends.sparse.engine import SparseEngine
from qchess.backends.sparse.sampler import SparseSampler
from qchess.circuits import Pause, Program, Registers, ask, cnot, full, h, read, split, x
from qchess.errors import BackendError

#: one piece, half on a and half on b
PAIR = Program(x("b"), h("a"), cnot("a", "b"), read("r", "a", "b"))


def half_piece() -> Pause:
    board = Registers(SparseEngine(), full=["s"]).run(split("s", "a", "b")).registers
    at = board.start(Program(ask("m", full("a"))))
    assert isinstance(at, Pause)
    return at


class Leaning(SparseSampler):
    """A machine that reads the first bit as empty in three of ten shots where it is full, and never the other way."""

    def __init__(self, quantum: bool = True, ordered: bool = True) -> None:
        self.capabilities = Capabilities(quantum=quantum, ordered=ordered, max_qubits=8)
        self.sent: list[tuple[int, int]] = []

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        self.sent.append((len(circuits), shots))
        rng = random.Random(seed)
        return [self._worse(one, rng) for one in super().run(circuits, shots, seed)]

    def _worse(self, run: Shots, rng: random.Random) -> Shots:
        read = [(key & ~1 if rng.random() < 0.3 else key,) for (key,) in run.sequence or ()]
        told = Shots.in_order(run.answers, read, run.provenance)
        return told if self.capabilities.ordered else replace(told, sequence=None)


def test_turning_all_bits_over_is_undone_by_itself_and_only_by_that() -> None:
    assert unflipped(flipped(PAIR)) == PAIR
    assert unflipped(PAIR) is None
    assert unflipped(Program(h("a"), x("b"), read("r", "a", "b"))) is None
    two = Program(h("a"), h("b"), read("r", "a"), read("s", "b"))
    assert unflipped(flipped(two)) == two
    assert both([PAIR]) == [PAIR, flipped(PAIR)]


def test_the_shots_of_both_halves_are_those_of_the_circuit_and_nobody_tells_them_apart_by_their_place() -> None:
    ends = Program(x("a"), read("r", "a"), read("s", "b", "c"))
    runs = SparseSampler().run(both([ends]), 50, 3)
    assert runs[0].counts != runs[1].counts
    [shots] = mixed([ends], runs, random.Random(1))
    assert shots.counts == Counter({(1, 0): 100})
    assert (shots.provenance.asked, shots.provenance.returned) == (100, 100)
    origin = Provenance("m", 50, 50)
    plain, turned = (Shots.in_order(("r",), [(key,)] * 50, origin) for key in (0, 0))
    firsts = []
    for seed in range(200):
        [shots] = mixed([Program(h("a"), read("r", "a"))], [plain, turned], random.Random(seed))
        assert shots.sequence is not None
        firsts.append(shots.sequence[0][0])
    assert 60 < sum(firsts) < 140  # the turned half is first as often as the other


def test_a_lean_of_the_readings_is_gone_from_all_shots_and_from_the_one_that_answers() -> None:
    shares = {}
    for setting in (False, True):
        source = DeviceSource(Leaning(), shots=6_000, readout_twirling=setting, seed=4)
        details = source.draw(half_piece()).details
        shares[setting] = details["observed"]["1"] / details["kept"]
        assert details.get("readout_twirling", False) is setting
        assert details["returned"] == details["asked"] == details["shots_run"] == 6_000
    assert abs(shares[False] - 0.5) > 0.05
    assert abs(shares[True] - 0.5) < 0.03
    short = DeviceSource(Leaning(), shots=20, coins="allow", seed=5)
    answers = [short.draw(half_piece()).value for _ in range(400)]
    assert 150 < sum(answers) < 250


def test_twirling_is_on_for_machines_with_an_even_number_of_shots_and_where_it_is_asked_for() -> None:
    for quantum, shots, setting, sent in (
        (True, 100, None, (2, 50)), (True, 101, None, (1, 101)), (False, 100, None, (1, 100)),
        (True, 100, False, (1, 100)), (False, 100, True, (2, 50)),
    ):  # fmt: skip
        machine = Leaning(quantum)
        draw = DeviceSource(machine, shots=shots, readout_twirling=setting, coins="allow", seed=1).draw(half_piece())
        assert machine.sent == [sent]
        assert ("readout_twirling" in draw.details) is (sent[0] == 2)
    counting = DeviceSource(Leaning(ordered=False), shots=100, coins="allow", seed=1).draw(half_piece())
    assert "counted" in counting.details["picked"]


def test_a_wrong_setting_is_one_error() -> None:
    with pytest.raises(BackendError, match="even; got 101"):
        DeviceSource(SparseSampler(), shots=101, readout_twirling=True)
    with pytest.raises(BackendError, match=r"read-out twirling is True, False, or None .*; got 'on'"):
        DeviceSource(SparseSampler(), readout_twirling="on")  # type: ignore[arg-type]

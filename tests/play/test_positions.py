"""Positions are values: they travel to another process whole, however long the game."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from qchess import backends
from qchess.circuits import Registers, Seeded, h, split
from qchess.games import rules as rules_of
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
AGAIN = """
import sys; sys.path.insert(0, {root!r})
import pickle
position, other = pickle.load(sys.stdin.buffer)
assert position == other and hash(position) == hash(other)
sys.stdout.buffer.write(pickle.dumps((position, position.key(), position.registers.registers)))
"""


def after(plies: int, name: str = "quantum-chess", seed: int = 0, **options: Any) -> Any:
    rules, rng, dice = rules_of(name, **options), random.Random(seed), Seeded(seed)
    position = rules.start(backends.engine())
    while position.ply < plies:
        position, _ = rules.step(position, rng.choice(rules.moves(position)), dice)
    return position


LONG = {"max_ply": 5000, "sandbox": True}


@pytest.mark.slow
@pytest.mark.parametrize("options", [LONG, LONG | {"repetition": 3}], ids=["plain", "repetitions counted"])
def test_a_position_after_a_thousand_plies_goes_to_another_process_and_back(options: dict[str, Any]) -> None:
    position = after(1000, seed=2, **options)
    sent = pickle.dumps((position, pickle.loads(pickle.dumps(position))))
    code = AGAIN.format(root=str(ROOT))
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr.decode()
    back, key, registers = pickle.loads(done.stdout)
    assert back == position
    assert (key, registers) == (position.key(), position.registers.registers)
    assert back.registers.circuit() == position.registers.circuit()


def test_the_past_is_forgotten_where_nothing_is_uncertain_any_more() -> None:
    board = Registers(backends.engine(), ["b1"]).run(split("b1", "a3", "c3")).registers
    assert board.past is not None
    assert board.apply(h("q"), h("q")).past is not None
    from qchess.circuits import Program, read

    assert board.run(Program(read("where", "a3")), Seeded(1)).registers.past is None


def test_the_past_keeps_only_what_made_the_present() -> None:
    """A lamp that is switched a thousand times besides leaves no trace of most of it."""
    board = Registers(backends.engine(), ["b1"]).run(split("b1", "a3", "c3")).registers
    made = board.circuit("a3")
    for _ in range(500):
        board = board.apply(h("lamp")).apply(h("lamp"))
    assert board.past is not None
    assert board.past.length < 200
    assert board.circuit("a3") == made


def test_a_register_is_a_value() -> None:
    def made() -> Registers:
        return Registers(backends.engine(), ["b1"]).run(split("b1", "a3", "c3")).registers

    (one,), (other,) = made().each, made().each
    assert one == other
    assert hash(one) == hash(other)
    assert one == pickle.loads(pickle.dumps(one))
    assert one != made().apply(h("a3")).each[0]
    assert one.odds == {"a3": pytest.approx(0.5), "c3": pytest.approx(0.5)}
    assert one.branches == 2
    assert made().register("a3") == one
    assert made().register("b1") is None
    numbers = count(1)
    assert [one.worked_out("once", lambda register: next(numbers)) for _ in range(3)] == [1, 1, 1]

"""Memory of large states is used again, but never while somebody holds what lies in it."""

import random
import threading
from typing import Any

import numpy as np

from qchess.backends.sparse import arena
from qchess.backends.sparse.engine import SparseEngine
from qchess.circuits import Operation, cz, h, iswap, where, x, z

ENGINE = SparseEngine(compiled=True)
NAMES = [f"q{k}" for k in range(17)]


def address(array: Any) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


def test_a_block_is_taken_again_once_nobody_holds_any_view_of_it() -> None:
    arena._ARENA.blocks.clear()
    first = arena.empty((2, 2**13), np.uint64)
    place, view = address(first), first[1, 5:9]
    del first
    other = arena.empty((2**14,), np.uint64)
    assert address(other) != place  # a part of it is still held
    del view
    second = arena.empty((7000,), np.complex128)
    assert address(second) == place
    assert address(arena.copied(second)) != place
    small, large = arena.empty((8,), np.uint64), arena.empty((arena.MOST,), np.uint64)
    assert small.flags.owndata
    assert large.flags.owndata
    held = [arena.empty((2**22,), np.uint8) for _ in range(40)]
    assert sum(block.size for block in arena._ARENA.blocks) <= arena.BYTES
    held += [arena.empty((2**16,), np.uint8) for _ in range(40)]
    assert len(arena._ARENA.blocks) <= arena.BLOCKS
    assert len({address(array) for array in held}) == len(held)


def test_states_that_are_held_are_never_written_over() -> None:
    """Programs, questions and products, on states in a thread's workspace and beyond it; half of them are let go."""
    faults: list[str] = []
    threads = [threading.Thread(target=hold_and_let_go, args=(seed, faults)) for seed in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def hold_and_let_go(seed: int, faults: list[str]) -> None:
    choose = random.Random(seed)
    start = ENGINE.run(None, [h(q) for q in NAMES[: 13 + 4 * seed]], dict.fromkeys(NAMES, 0))
    held = [(start, contents(start))]
    for _ in range(30):
        state, _ = choose.choice(held)
        a, b = choose.sample(NAMES[:13], 2)
        operations: list[list[Operation]] = [[cz(a, b)], [z(a, 0.3), cz(a, b)], [iswap(a, b, 0.5)], [x(a).when({b: 1})]]
        kind = choose.randrange(6)
        if kind < 4:
            state = ENGINE.run(state, operations[kind])
        elif kind == 4 and 0.1 < ENGINE.probability(state, where({a: 1})) < 0.9:
            state = ENGINE.project(state, where({a: 1}), choose.randint(0, 1))
        else:
            state = max(ENGINE.factor(state).blocks, key=len, default=state)
            state = start if not {*NAMES[:13]} <= state.bit.keys() else state
        held.append((state, contents(state)))
        if len(held) > 8:
            del held[choose.randrange(1, len(held))]
        faults += [f"thread {seed}: {kept}" for kept, then in held if contents(kept) != then]


def contents(state: Any) -> int:
    return hash((state.columns.keys.tobytes(), state.columns.amplitude.tobytes()))

"""Branches that several processes share: the state is that of one process, and the model counts what travels."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import numpy as np
import pytest

from benchmarks.capacity import MERGE, SPLIT, Model, Share, heard, measured, on_paper, shares, state_of
from qchess import backends
from qchess.backends.sparse.state import SparseState, columns_of
from qchess.circuits import Program, h, merge, slide, split

BRANCHES = 64


def whole(states: list[SparseState], outer: tuple[str, ...]) -> tuple[tuple[str, ...], dict[int, complex]]:
    """The state that the processes hold together: its qubits, and its amplitudes."""
    names, found = (*states[0].bit, *outer), {}
    for number, state in enumerate(states):
        for key, amplitude in backends.engine("sparse").amplitudes(state).items():
            found[key | number << len(state.bit)] = amplitude / len(states) ** 0.5
    return names, found


def together(group: list[Share], work: Callable[[Share], None]) -> None:
    with ThreadPoolExecutor(len(group)) as pool:
        list(pool.map(work, group))


@pytest.mark.parametrize("processes", [1, 2, 4, 8])
def test_shares_hold_the_state_that_one_process_holds(processes: int) -> None:
    """A game of splits, slides and merges on all qubits; an outer one is exchanged for a random inner one first."""
    outer, links = shares(processes)
    states = [state_of(BRANCHES // processes, number) for number in range(processes)]
    names, amplitudes = whole(states, outer)
    engine: Any = backends.engine("sparse", branch_limit=2**20)
    rng = random.Random(processes)
    state = engine.prepare(names, amplitudes)
    group = [Share(one, number, outer, links[number]) for number, one in enumerate(states)]
    exchanged = 0
    for _ in range(10):
        a, b, c = rng.sample(sorted({"s", "t1", "q0", *group[0].outer}), 3)
        program = rng.choice([split(a, b, c), merge(a, b, c), Program(*slide(a, b)), Program(h(a))])
        needed = {qubit for operation in program.operations for qubit in operation.qubits}
        for qubit in sorted(needed.intersection(group[0].outer)):
            inner = rng.choice(sorted(set(group[0].state.bit) - needed))
            together(group, lambda share, q=qubit, i=inner: share.exchange(q, i))  # type: ignore[misc]
            exchanged += 1
        together(group, lambda share, p=program: share.run(p.operations))  # type: ignore[misc]
        state = engine.run(state, program.operations)
    found = {key: a / processes**0.5 for share in group for key, a in share.amplitudes(names).items()}
    wanted = engine.amplitudes(state, names)
    assert max(abs(found.get(key, 0) - wanted.get(key, 0)) for key in found.keys() | wanted.keys()) < 1e-12
    assert (exchanged > 4) == (processes > 1)


@pytest.mark.parametrize("top", [True, False])
def test_an_exchange_sends_half_of_what_a_process_holds_and_keeps_its_branches_in_order(top: bool) -> None:
    outer, links = shares(2)
    group = [Share(state_of(4096, number), number, outer, links[number]) for number in (0, 1)]
    held = [len(share.state) for share in group]
    names = list(group[0].state.bit)
    together(group, lambda share: share.exchange("o0", names[-1 if top else 5]))
    for share, before in zip(group, held, strict=True):
        assert share.outer == [names[-1 if top else 5]]
        assert abs(len(share.state) - before) < 400  # about as many come as go
        assert np.all(np.diff(columns_of(share.state).keys[0].astype(np.int64)) > 0)


def test_the_model_shares_the_work_among_cores_and_the_sending_among_links() -> None:
    model = Model(split=10e-9, merge=20e-9, sorting=5e-9, byte=1e-9, latency=1e-3)
    alone, two, four = (model.turn(1e6, processes, cores=2) for processes in (1, 2, 4))
    assert alone == pytest.approx((0.010, 0, 0.020))
    assert two == pytest.approx((0.005, 1e6 * 5e-9 + 0.5e6 * 24e-9 + 1e-3, 0.010))
    assert four.split == pytest.approx(two.split)  # four processes on two cores
    assert model.turn(1e6, 4, cores=4).split == pytest.approx(0.0025)
    paper = on_paper(model, machines=10, cores=10, network=1e9, held=3)
    assert paper["state_gb"] == pytest.approx(320)
    assert paper["memory_gb_a_machine"] == pytest.approx(2 * 3 * 32)
    assert paper["exchange_s"] == pytest.approx(1 + 32)


@pytest.mark.slow
def test_processes_share_a_state_and_say_what_each_part_took() -> None:
    found = measured(2, 20_000)
    assert set(found) == {"split", "exchange", "merge", "turn", "bytes"}
    assert all(found[name] > 0 for name in ("split", "exchange", "merge", "turn"))


def test_a_process_that_ends_without_a_word_ends_the_others_whichever_it_is() -> None:
    context = multiprocessing.get_context("spawn")
    results, tellings = zip(*(context.Pipe(duplex=False) for _ in range(3)), strict=True)
    tellings[2].send("done")
    workers = [context.Process(target=time.sleep, args=(600,)) for _ in range(3)]
    workers[1] = context.Process(target=os._exit, args=(3,))
    for worker in workers:
        worker.start()
    with pytest.raises(RuntimeError, match="ended with 3"):
        heard(results, workers)
    for worker in workers:
        worker.join(300)
    assert [worker.exitcode for worker in workers] == [-signal.SIGKILL, 3, -signal.SIGKILL]


def test_the_piece_of_a_turn_splits_in_every_branch_and_comes_back() -> None:
    share = Share(state_of(BRANCHES, 1), 0, (), {})
    before = dict(islice(share.amplitudes(tuple(share.state.bit)).items(), BRANCHES))
    share.run(SPLIT)
    assert len(share.state) == 2 * BRANCHES
    share.run(MERGE)
    after = share.amplitudes(tuple(share.state.bit))
    assert len(before) == BRANCHES
    assert {key: abs(a) for key, a in after.items()} == pytest.approx({key: abs(a) for key, a in before.items()})

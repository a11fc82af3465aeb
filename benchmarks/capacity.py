"""What states too large for one process would cost: ``python -m benchmarks.capacity [--branches N] [--json]``.

A register's branches are shared out by some of its qubits, the *outer* ones: process k holds the branches in which they
are k in binary. A gate on the other qubits is done by each process alone. Before a gate on an outer qubit, its place is
exchanged with that of an inner one, and each process sends half of its branches to a partner. (Simulators of dense
vectors share them out in the same way.)

The costs of a gate, of sorting out the halves and of sending them are measured in one and two processes. From these a
model says what a turn takes with 1, 2 and 4 processes, and the same turns are run. The last table is on paper: what a
state of 10^10 branches would take on a cluster. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from multiprocessing.connection import Connection, wait
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from benchmarks.engine import resident_mb
from benchmarks.machine import machine
from qchess import backends
from qchess.backends.sparse.columns import Columns, in_order
from qchess.backends.sparse.state import SparseState, columns_of
from qchess.circuits import merge, split

#: how many branches are shared out, the numbers of processes, and how often each turn is run
BRANCHES, PROCESSES, TURNS = 2**21, (1, 2, 4), 7
#: qubits of a register beside those that move and the outer ones; all keys fit into a word
IDLE = 30
SPLIT, MERGE = split("s", "t1", "t2").operations, merge("t1", "t2", "s").operations
#: what a branch takes: its amplitude, and a key of so many 64-bit words
AMPLITUDE, WORD = 16, 8
#: the paper's clusters: a number of machines, and of each the cores and what its network sends, in bytes a second
CLUSTERS = ((8, 64, 1.25e9), (8, 64, 25e9), (64, 64, 25e9))
#: the branches and the words of a key of the state on paper
LARGE, WORDS = 10**10, 2


# -- shared branches ------------------------------------------------------------------------------------------


class Share:
    """The branches of one process, and its connections to partners by number."""

    def __init__(self, state: SparseState, number: int, outer: Sequence[str], links: Mapping[int, Connection]) -> None:
        self.state, self.number, self.outer, self.links = state, number, list(outer), links
        self.engine: Any = backends.engine("sparse", branch_limit=2**30, compiled=True)

    def run(self, operations: Any) -> None:
        """Do gates on inner qubits."""
        self.state = self.engine.run(self.state, operations)

    def exchange(self, outer: str, inner: str) -> None:
        """Let two qubits change places: branches whose inner qubit is not as the outer one here go to a partner."""
        at, place = self.outer.index(outer), self.state.bit[inner]
        here = self.number >> at & 1
        kept, sent = parted(columns_of(self.state), place, here)
        got = sent_and_got(self.links[self.number ^ 1 << at], sent)
        got.keys[place // 64] ^= np.uint64(1 << place % 64)  # in what comes the outer qubit is not what it is here
        columns = joined(kept, got, here) if place == self.state.width - 1 else in_order(joined(kept, got, 0))
        bit = {outer if qubit == inner else qubit: k for qubit, k in self.state.bit.items()}
        self.state, self.outer[at] = SparseState(bit, None, columns, self.state.width), inner

    def amplitudes(self, order: Sequence[str]) -> dict[int, complex]:
        """The amplitudes of its branches; bit k of a key is ``order[k]``, be it an inner or an outer qubit."""
        inner = [qubit for qubit in order if qubit in self.state.bit]
        places = [order.index(qubit) for qubit in inner]
        fixed = sum((self.number >> at & 1) << order.index(qubit) for at, qubit in enumerate(self.outer))
        found = self.engine.amplitudes(self.state, inner)
        return {sum((key >> k & 1) << at for k, at in enumerate(places)) | fixed: a for key, a in found.items()}


def parted(columns: Columns, place: int, value: int) -> tuple[Columns, Columns]:
    """The branches whose bit at a place has a value, and the others."""
    bits = columns.keys[place // 64] >> np.uint64(place % 64) & np.uint64(1)
    chosen = bits == value
    return tuple(Columns(columns.keys[:, rows], columns.amplitude[rows]) for rows in (chosen, ~chosen))  # type: ignore[return-value]


def joined(kept: Columns, got: Columns, place: int) -> Columns:
    """Both, the second one first if `place` is 1."""
    first, second = (got, kept) if place else (kept, got)
    return Columns(np.hstack([first.keys, second.keys]), np.concatenate([first.amplitude, second.amplitude]))


def sent_and_got(link: Connection, sent: Columns) -> Columns:
    """Send branches to a partner, and return the partner's, both at once."""
    sender = Thread(
        target=lambda: [link.send_bytes(np.ascontiguousarray(part).reshape(-1).view(np.uint8)) for part in sent]
    )
    sender.start()
    keys = np.frombuffer(bytearray(link.recv_bytes()), np.uint64).reshape(len(sent.keys), -1)
    amplitude = np.frombuffer(bytearray(link.recv_bytes()), np.complex128)
    sender.join()
    return Columns(keys, amplitude)


def shares(processes: int) -> tuple[tuple[str, ...], list[dict[int, Connection]]]:
    """The outer qubits of so many processes, and the connections of each."""
    outer = tuple(f"o{k}" for k in range(processes.bit_length() - 1))
    links: list[dict[int, Connection]] = [{} for _ in range(processes)]
    for number in range(processes):
        for partner in (number ^ 1 << k for k in range(len(outer))):
            if number < partner:
                links[number][partner], links[partner][number] = multiprocessing.Pipe()
    return outer, links


def state_of(branches: int, number: int) -> SparseState:
    """So many random branches; `s` is occupied in each, and the piece may be split."""
    rng = np.random.default_rng(number)
    drawn = np.unique(rng.integers(0, 2**IDLE, branches + branches // 8, dtype=np.uint64))
    keys = np.sort(rng.permutation(drawn)[:branches]) << np.uint64(3) | np.uint64(1)
    amplitude = rng.normal(size=len(keys)) + 1j * rng.normal(size=len(keys))
    amplitude /= np.linalg.norm(amplitude)
    bit = {name: k for k, name in enumerate(("s", "t1", "t2", *(f"q{k}" for k in range(IDLE))))}
    return SparseState(bit, None, Columns(keys.reshape(1, -1), amplitude), len(bit))


# -- what a turn takes ----------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """Seconds of a split and a merge, and of an exchange between them."""

    split: float
    exchange: float
    merge: float


def turn(share: Share) -> Turn:
    """Split the piece; let an outer qubit change places with an inner one, if there is any; merge the piece."""
    times = [perf_counter()]
    share.run(SPLIT)
    times.append(perf_counter())
    if share.outer:
        place = share.state.width - 1
        share.exchange(share.outer[0], next(qubit for qubit, k in share.state.bit.items() if k == place))
    times.append(perf_counter())
    share.run(MERGE)
    times.append(perf_counter())
    return Turn(*(end - begin for begin, end in pairwise(times)))


def _process(
    number: int, branches: int, outer: tuple[str, ...], links: dict[int, Connection], together: Any, told: Any
) -> None:
    before = resident_mb("VmHWM")
    share, turns = Share(state_of(branches, number), number, outer, links), []
    for _ in range(TURNS + 1):  # the first one warms up
        together.wait()
        turns.append(turn(share))
    norm = float(np.sum(np.abs(columns_of(share.state).amplitude) ** 2))
    told.send((turns[1:], norm, 2**20 * (resident_mb("VmHWM") - before)))


def heard(results: Sequence[Connection], workers: Sequence[Any]) -> list[Any]:
    """What each process tells in the end; if one ended without a word, the others end too."""
    found: dict[int, Any] = {}
    while len(found) < len(workers):
        open_ones = [k for k in range(len(workers)) if k not in found]
        ready = wait([*(results[k] for k in open_ones), *(workers[k].sentinel for k in open_ones)])
        for k in open_ones:
            if results[k].poll():
                found[k] = results[k].recv()
            elif workers[k].sentinel in ready:
                for worker in workers:
                    worker.kill()
                workers[k].join()
                raise RuntimeError(f"a process that held a share of the state ended with {workers[k].exitcode}")
    return [found[k] for k in range(len(workers))]


def measured(processes: int, branches: int) -> dict[str, float]:
    """The median seconds of a turn that all processes begin together, until the last has done each part."""
    context = multiprocessing.get_context("spawn")
    outer, links = shares(processes)
    together, results, workers = context.Barrier(processes), [], []
    for k in range(processes):
        result, told = context.Pipe(duplex=False)
        results.append(result)
        workers.append(
            context.Process(target=_process, args=(k, branches // processes, outer, links[k], together, told))
        )
        workers[-1].start()
    found = heard(results, workers)
    norm = sum(norm for _, norm, _ in found) / processes
    assert abs(norm - 1) < 1e-9, norm
    last = [Turn(*map(max, zip(*turns, strict=True))) for turns in zip(*(turns for turns, _, _ in found), strict=True)]
    parts = {name: median(getattr(one, name) for one in last) for name in Turn._fields}
    return {**parts, "turn": median(sum(one) for one in last), "bytes": max(size for _, _, size in found)}


# -- the model ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """What a branch costs, in seconds: a split and a merge for each branch before the split, and an exchange."""

    split: float
    merge: float
    #: sorting the halves out and joining them, a branch held
    sorting: float
    #: a byte sent to a partner that sends at the same time
    byte: float
    #: a message
    latency: float

    def turn(self, branches: float, processes: int, cores: int, words: int = 1) -> Turn:
        """The seconds of a turn on so many branches; processes without a core of their own take turns."""
        each, waiting = branches / processes, max(1.0, processes / cores)
        held = 2 * each  # after the split
        sending = held / 2 * (AMPLITUDE + WORD * words) * self.byte + self.latency
        exchange = (held * self.sorting + sending) * waiting if processes > 1 else 0.0
        return Turn(each * self.split * waiting, exchange, each * self.merge * waiting)


def constants(branches: int) -> Model:
    """Measure what the model needs: a turn and the sorting in one process, and the sending between two."""
    alone = measured(1, branches)
    share = Share(state_of(branches, 0), 0, (), {})
    share.run(SPLIT)
    columns, place = columns_of(share.state), share.state.width - 1
    sorting = middle(lambda: joined(*parted(columns, place, 0), 0))
    block, message = _sent(2**24), _sent(1)
    return Model(alone["split"] / branches, alone["merge"] / branches, sorting / len(columns), block / 2**24, message)


def middle(action: Callable[[], Any], times: int = TURNS) -> float:
    """The median seconds of an action, after once that warms up."""
    taken = []
    for _ in range(times + 1):
        begin = perf_counter()
        action()
        taken.append(perf_counter() - begin)
    return median(taken[1:])


def _echo(link: Connection, size: int) -> None:
    mine = Columns(np.zeros((1, size // WORD + 1), np.uint64), np.zeros(0, np.complex128))
    for _ in range(TURNS + 1):
        link.recv_bytes()
        sent_and_got(link, mine)


def _sent(size: int) -> float:
    """The seconds until two processes have sent each other so many bytes."""
    here, there = multiprocessing.Pipe()
    partner = multiprocessing.get_context("spawn").Process(target=_echo, args=(there, size))
    partner.start()
    mine = Columns(np.zeros((1, size // WORD + 1), np.uint64), np.zeros(0, np.complex128))

    def once() -> float:
        here.send_bytes(b"begin")
        begin = perf_counter()
        sent_and_got(here, mine)
        return perf_counter() - begin

    taken = [once() for _ in range(TURNS + 1)]
    partner.join()
    return median(taken[1:])


def on_paper(model: Model, machines: int, cores: int, network: float, held: float) -> dict[str, float]:
    """What a turn on the large state would take on a cluster whose machines send so many bytes a second."""
    branch = AMPLITUDE + WORD * WORDS
    inside = model.turn(LARGE, machines * cores, machines * cores, WORDS)
    sending = 2 * LARGE / machines / 2 * branch / network  # of all processes of a machine, after the split
    sorting = 2 * LARGE / (machines * cores) * model.sorting
    return {
        "machines": machines, "cores": cores, "network_gb": network / 1e9,
        "state_gb": LARGE * branch / 1e9, "memory_gb_a_machine": 2 * LARGE * held * branch / machines / 1e9,
        "split_s": inside.split, "merge_s": inside.merge, "exchange_s": sorting + sending,
    }  # fmt: skip


# -- tables ---------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---", *["---:"] * (len(head) - 1)], *rows))


def ms(seconds: float) -> str:
    """Milliseconds."""
    return f"{1e3 * seconds:.3g}"


def main(arguments: list[str] | None = None) -> int:
    """Measure, run, compare, and write it on paper."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    parser.add_argument("--branches", type=int, default=BRANCHES, help="branches that are shared out")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    model = constants(given.branches)
    runs = {processes: measured(processes, given.branches) for processes in PROCESSES}
    said = {processes: model.turn(given.branches, processes, cores) for processes in PROCESSES}
    # what a process holds at most, in times of the branches after a split
    held = runs[1]["bytes"] / (2 * given.branches * (AMPLITUDE + WORD))
    paper = [on_paper(model, *cluster, held) for cluster in CLUSTERS]
    if given.json:
        told = {"machine": machine(), "branches": given.branches, "cores": cores, "model": asdict(model), "held": held,
                "measured": runs, "said": {k: turn._asdict() for k, turn in said.items()}, "paper": paper}  # fmt: skip
        print(json.dumps(told, indent=1))
        return 0
    ns = {name: f"{1e9 * value:.3g} ns" for name, value in asdict(model).items()}
    print(f"{given.branches:,} branches, {cores} cores. " + ", ".join(f"{name} {value}" for name, value in ns.items()))
    parts = (*Turn._fields, "turn")
    head = ("processes", *(f"{part}, ms: {how}" for part in parts for how in ("said", "run")), "run / said")
    rows = []
    for processes, turn_said in said.items():
        pairs = [(getattr(turn_said, name), runs[processes][name]) for name in Turn._fields]
        pairs.append((sum(turn_said), runs[processes]["turn"]))
        cells = [ms(seconds) for pair in pairs for seconds in pair]
        rows.append([str(processes), *cells, f"{pairs[-1][1] / pairs[-1][0]:.2f}"])
    print(f"\n{table(head, rows)}\n\nOn paper: {LARGE:.0e} branches with keys of {WORDS} words.\n")
    keys = tuple(paper[0])
    print(table(keys, [[f"{row[key]:.3g}" for key in keys] for row in paper]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How time and memory grow: ``python -m benchmarks.growth [AXIS ...] [--quick] [--json]``.

`branches`: one register of up to 2^22 branches. `qubits`: 8,192 branches in a register of up to 1,024 qubits.
`registers`: a register of 64 branches beside up to 640 of two. `turns`: a game that goes on for up to 10,000 turns.
`wide`: 400 turns of a game, each of which changes a register of so many branches, every position kept.

Each size has fresh processes, and a time is the median of theirs. An exponent tells the growth from a size to the
largest one, at least eight times as large: with 1 the time doubles when the size does, with 0 it stays.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from statistics import median
from typing import Any

import qchess
from benchmarks.engine import LIMIT, MOVES, engine_actions, follow, registers_actions, resident_mb, world
from benchmarks.machine import machine, timings
from benchmarks.play import load_kernels
from qchess import backends
from qchess.circuits import Program, slide

SIZES = {
    "branches": tuple(2**k for k in range(10, 23, 2)),
    "qubits": (32, 64, 96, 128, 192, 256, 384, 512, 1024),
    "registers": (10, 40, 160, 640),
    "turns": (100, 1000, 10_000),
    "wide": (1024, 8192, 65_536),
}
BRANCHES = 8192
WIDE_TURNS = 400
#: knights go out and come back; no rule of Niel's Chess ends such a game
SHUTTLE = ("g1f3", "g8f6", "f3g1", "f6g8")
Row = dict[str, float]


def times(actions: dict[str, Callable[[], Any]]) -> Row:
    """The median microseconds of each action."""
    return {f"{name}, µs": 1e6 * median(timings(action)) for name, action in actions.items()}


def of_branches(size: int) -> Row:
    """One move's work on one large register."""
    return times(engine_actions(backends.engine("sparse", branch_limit=4 * LIMIT), size))


def of_qubits(size: int) -> Row:
    """The same on a register of many qubits."""
    rng = random.Random(1)
    engine = backends.engine("sparse")
    names = ["s", "p0", "p1", *(f"q{k}" for k in range(size - 3))]
    keys = {rng.getrandbits(size) for _ in range(BRANCHES)}
    state = engine.prepare((*names, "t1", "t2"), dict.fromkeys(sorted(keys), len(keys) ** -0.5))
    return times(
        {name: partial(follow, engine, state, MOVES[name].operations) for name in ("split", "jump", "controlled slide")}
    )


def of_registers(size: int) -> Row:
    """One move's work on a register that lies beside many."""
    return times(registers_actions(backends.engine("sparse"), 64, idle=size))


def of_turns(size: int) -> Row:
    """A game of many turns: its last turns, taking one back, its record, and what it keeps."""
    game = qchess.new("niels-chess", seed=1)
    before = resident_mb()
    moves = cycle(SHUTTLE)
    for text in islice(moves, size):
        game.play(text)
    kept = resident_mb() - before

    def turns() -> None:
        for text in islice(moves, len(SHUTTLE)):
            game.moves()
            game.play(text)

    def back() -> None:
        game.undo()
        game.redo()

    record = 1e3 * median(timings(lambda: game.record().to_json()))  # first: what follows makes the game longer
    found = times({"undo and redo": back, "list and play four times": turns})
    return {"record, ms": record, "kept, MB": kept, **found}


def of_wide(size: int) -> Row:
    """A game of turns that each change a wide register; like a game, it keeps every position."""
    registers = world(backends.engine("sparse"), size)
    names = cycle([("s", "t1"), ("t1", "s")])
    before = resident_mb()
    positions = [registers]
    for here, there in islice(names, WIDE_TURNS):
        positions.append(positions[-1].run(Program(*slide(here, there))).registers)
    kept = resident_mb() - before
    del positions[:-1]
    return {"kept, MB": kept, "a state, MB": size * 24 / 2**20, "after the game, MB": resident_mb() - before}


AXES = {"branches": of_branches, "qubits": of_qubits, "registers": of_registers, "turns": of_turns, "wide": of_wide}


def measured(axis: str, size: int, processes: int) -> Row:
    """The medians of several fresh processes."""
    command = [sys.executable, "-m", "benchmarks.growth", "--of", axis, str(size)]
    found = [
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(processes)
    ]
    return {name: median(row[name] for row in found) for name in found[0]}


def exponents(rows: dict[int, Row]) -> Row:
    """How each figure grows towards the largest size."""
    largest = max(rows)
    smaller = [size for size in rows if size * 8 <= largest]
    if not smaller:
        return {}
    first, last = rows[max(smaller)], rows[largest]
    ratio = math.log(largest / max(smaller))
    return {name: math.log(last[name] / first[name]) / ratio for name in last if min(first[name], last[name]) > 0}


def main() -> None:
    """Measures what is asked for and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("axis", nargs="*", help=f"{', '.join(SIZES)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="one process a size, and half of the sizes")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--of", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.of:
        load_kernels()
        print(json.dumps(AXES[options.of[0]](int(options.of[1]))))
        return
    if unknown := set(options.axis) - set(SIZES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose among {', '.join(SIZES)}")
    report: dict[str, Any] = {"machine": machine()}
    for axis in options.axis or SIZES:
        sizes = SIZES[axis][: (len(SIZES[axis]) + 1) // 2] if options.quick else SIZES[axis]
        rows = {size: measured(axis, size, 1 if options.quick else 3) for size in sizes}
        report[axis] = {"rows": rows, "exponents": exponents(rows)}
        if not options.json:
            print(_table(axis, rows), flush=True)
    if options.json:
        print(json.dumps(report, indent=1))


def _table(axis: str, rows: dict[int, Row]) -> str:
    grown = exponents(rows)
    lines = [f"{axis:>24}" + "".join(f"{size:>12,}" for size in rows) + "    exponent"]
    for name in next(iter(rows.values())):
        figures = "".join(f"{row[name]:>12,.1f}" for row in rows.values())
        lines.append(f"{name:>24}{figures}" + (f"{grown[name]:>12.2f}" if name in grown else ""))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

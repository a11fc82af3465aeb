"""What the spine adds to the engine: `outcomes` beside bare projections, a greedy move, a position on its way.

    python -m benchmarks.spine [--json]

Each figure is a median; ratios are taken within one run, so that a machine's mood cancels out.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
from collections.abc import Callable
from itertools import pairwise
from statistics import median
from typing import Any

from benchmarks.machine import machine, timings
from qchess import backends
from qchess.circuits import Program, Registers, Seeded, cz, h, read, where
from qchess.circuits.chances import explore
from qchess.games import rules as rules_of
from qchess.playing.agents import value


def milliseconds(work: Callable[[], Any]) -> float:
    """The median time of some work."""
    return 1e3 * median(timings(work, least=9))


def read_out(qubits: int) -> dict[str, float]:
    """A read-out of so many entangled qubits: every answer, and the sum of their projections alone."""
    names = [f"q{k}" for k in range(qubits)]
    links = [cz(a, b) for a, b in pairwise(names)]
    board = Registers(backends.engine()).run(Program(*(h(name) for name in names), *links)).registers
    program = Program(read("all", *names))
    wanted = [where({name: key >> k & 1 for k, name in enumerate(names)}) for key in range(2**qubits)]
    explored = milliseconds(lambda: list(explore(board, program)))
    projected = milliseconds(lambda: [board.project(predicate) for predicate in wanted])
    return {"outcomes ms": explored, "projections ms": projected, "ratio": explored / projected}


def middle_game(plies: int, **options: Any) -> tuple[Any, Any]:
    """Quantum Chess after random play."""
    rules, rng, dice = rules_of("quantum-chess", **options), random.Random(2), Seeded(2)
    position = rules.start(backends.engine())
    while position.ply < plies:
        position, _ = rules.step(position, rng.choice(rules.moves(position)), dice)
    return rules, position


def weighing() -> dict[str, float]:
    """What agents ask of a middle game, a move."""
    rules, position = middle_game(30, sandbox=True)
    listed = list(rules.moves(position))
    moves = random.Random(1).sample(listed, min(60, len(listed)))
    asking = [move for move in rules.moves(position) if rules.compile(position, move).answers][:40]
    return {
        "value ms": milliseconds(lambda: [value(rules, position, move) for move in moves]) / len(moves),
        "chances ms": milliseconds(lambda: [rules.chances(position, move) for move in asking]) / len(asking),
    }


def travelling() -> dict[str, float]:
    """A position after a thousand random plies, written and read back."""
    _, position = middle_game(1000, max_ply=5000, sandbox=True)
    text = pickle.dumps(position)
    return {
        "pickle ms": milliseconds(lambda: pickle.dumps(position)),
        "unpickle ms": milliseconds(lambda: pickle.loads(text)),
        "kilobytes": len(text) / 1e3,
    }


def main(arguments: list[str] | None = None) -> int:
    """Measures all of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spine", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    found = {
        "16 answers": read_out(4),
        "128 answers": read_out(7),
        "a middle game": weighing(),
        "a position after 1,000 plies": travelling(),
    }
    if args.json:
        print(json.dumps({"machine": machine(), **found}, indent=1))
        return 0
    for name, row in found.items():
        print(f"{name}: " + ", ".join(f"{what} {number:.3g}" for what, number in row.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Times quantum checkers: ``python -m benchmarks.checkers [--json] [--games N]``.

Random games a second, by board and level, through the compiled core and through the rules; batches of 800 playouts
with a cap of 100 plies, as one search move of that many iterations makes; the odds of a piece that was split twelve
times; and how long a process waits for its first batch. Nothing is timed before the core's first games were replayed
by the rules, outcome by outcome. Everything runs on one core; rates are by the processor's time.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.machine import machine, summary, timings
from qchess import backends
from qchess.games.quantum_checkers import Position, QuantumCheckers
from qchess.games.quantum_checkers.core import Packed, kernels

BOARDS = ((5, 1), (8, 1), (8, 3))
LEVELS = range(4)
#: one search move: so many playouts, each cut after so many plies
ROLLOUTS, CUT = 800, 100
SPLITS = 12
#: seconds from the start of a process to its first batch of playouts
FIRST = (
    "import time; began = time.perf_counter(); from qchess import backends; from qchess.games import rules; "
    "game = rules('quantum-checkers'); core = game.core(); packed = core.pack(game.start(backends.engine('sparse'))); "
    "core.playouts(packed, 1, 1, 100); print(time.perf_counter() - began)"
)


def start(rules: QuantumCheckers) -> Packed:
    """The packed start."""
    return rules.core().pack(rules.start(backends.engine("sparse")))


def check(rules: QuantumCheckers, games: int = 2) -> None:
    """The core's outcomes are the rules' ones in a few random games; if not, nothing is timed."""
    core = rules.core()
    for seed in range(games):
        rng = random.Random(seed)
        position = rules.start(backends.engine("sparse"))
        packed = core.pack(position)
        while rules.result(position) is None:
            move = rng.choice(rules.moves(position))
            ways = list(zip(core.outcomes(packed, move), rules.outcomes(position, move), strict=True))
            if any(core.differs(mine.state, true.position) for mine, true in ways):
                raise SystemExit(f"the core differs from the rules after {rules.write(position, move)}")
            mine, true = rng.choice(ways)
            packed, position = mine.state, true.position


def cpu_seconds(action: Callable[[], Any], runs: int = 5) -> float:
    """The processor's seconds for an action, the median of some runs: a busy machine tells the same."""
    action()
    taken = []
    for _ in range(runs):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def batch(rules: QuantumCheckers, games: int) -> dict[str, Any]:
    """Random games a second of processor time through the core."""
    core, packed = rules.core(), start(rules)
    mean = float(core.games(packed, games, 1, 10_000)[:, kernels.PLIES].mean())
    rate = games / cpu_seconds(lambda: core.games(packed, games, 1, 10_000))
    return {"games_per_second": round(rate), "plies_per_second": round(rate * mean), "mean_plies": round(mean, 2)}


def by_rules(rules: QuantumCheckers, games: int = 5) -> dict[str, Any]:
    """Random games a second through the rules themselves."""
    source = backends.Seeded(1)
    rng = random.Random(1)
    plies, began = 0, time.process_time()
    for _ in range(games):
        position = rules.start(backends.engine("sparse"))
        while rules.result(position) is None:
            position, _ = rules.step(position, rng.choice(rules.moves(position)), source)
            plies += 1
    taken = time.process_time() - began
    return {"games_per_second": round(games / taken, 1), "plies_per_second": round(plies / taken)}


def rollouts(rules: QuantumCheckers) -> dict[str, float]:
    """The seconds of one move's playouts, and of the same asked for one at a time, as a tree search does."""
    core, packed = rules.core(), start(rules)
    together = cpu_seconds(lambda: core.playouts(packed, ROLLOUTS, 1, CUT))
    singly = cpu_seconds(lambda: [core.playouts(packed, 1, seed, CUT) for seed in range(ROLLOUTS)], runs=3)
    return {"one_batch_s": round(together, 4), "one_at_a_time_s": round(singly, 4)}


def split_often() -> tuple[QuantumCheckers, Position]:
    """A king that was split twelve times, while the other side walks to and fro."""
    rules = QuantumCheckers(3, 12, position="W:WKf6:BKl12")
    position = rules.start(backends.engine("sparse"))
    rng = random.Random(4)
    for text in ["l12-k11", "k11-l12"] * (SPLITS // 2):
        splits = [m for m in rules.moves(position) if m.is_split and all(to // 12 < 9 for to in m.targets)]
        position, _ = rules.step(position, rng.choice(splits))
        position, _ = rules.step(position, rules.read(position, text)[0])
    return rules, position


def odds() -> dict[str, Any]:
    """Microseconds for all odds of such a piece, and for the whole view with phases and groups."""
    rules, position = split_often()
    parts = position.pieces[0].squares
    return {
        "parts": len(parts),
        "odds": summary(timings(lambda: [position.probability(square) for square in parts])),
        "view": summary(timings(lambda: rules.view(position))),
        "total": round(sum(position.probability(square) for square in parts), 12),
    }


def first_batch() -> dict[str, Any]:
    """Seconds that a new process needs from its first import to its first playout."""
    taken = [float(subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True).stdout)
             for _ in range(3)]  # fmt: skip
    return {"seconds": round(statistics.median(taken), 3), "way": kernels.random_games.way}


def main() -> None:
    """Runs the benchmark and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--games", type=int, default=500, help="games in a batch")
    options = parser.parse_args()
    report: dict[str, Any] = {"machine": machine()}
    for size, rows in BOARDS:
        for level in LEVELS:
            rules = QuantumCheckers(level, size, rows)
            check(rules)
            report[f"{size}x{size}, {rows} rows, level {level}"] = {
                **batch(rules, options.games),
                "through_the_rules": by_rules(rules),
                "800_playouts": rollouts(rules),
            }
    report["split twelve times"] = odds()
    report["first playout of a process"] = first_batch()
    print(json.dumps(report, indent=1) if options.json else _table(report))


def _table(report: dict[str, Any]) -> str:
    where = report["machine"]
    lines = [f"quantum checkers on {where['processor']}, Python {where['python']}"]
    lines += [f"{name}: {value}" for name, value in report.items() if name != "machine"]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

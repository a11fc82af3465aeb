"""Times the compiled core of Quantum Chess: ``python -m benchmarks.core [--json]``.

Random games in batches of one call, with quantum moves and without; the same through the rules, one move at a time;
two threads beside one; how late a batch returns after its deadline. Nothing is timed before a few games were
replayed by the rules and by the core with the same lists, odds and positions. Rates are medians of several batches,
in seconds of the core that played them, so that a busy machine does not count.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import threading
import time
from typing import Any

from benchmarks.machine import machine, summary, timings
from benchmarks.play import one_game
from qchess import backends
from qchess.games.quantum_chess import QuantumChess

PLIES = 200
#: the games of a batch, by whether it is a classical one
GAMES = {False: 200, True: 2000}
#: measures a first playout in a process that has just begun
FIRST = """
import time
began = time.perf_counter()
from qchess import backends
from qchess.games.quantum_chess import QuantumChess
rules = QuantumChess()
core = rules.core()
core.playouts(core.pack(rules.start(backends.engine("sparse"))), 1, 1, 200)
print(time.perf_counter() - began)
"""


def check(rules: QuantumChess, games: int = 3) -> int:
    """Replays random games by the rules and by the core; stops where they differ. Gives the plies compared."""
    core, compared = rules.core(), 0
    if core is None:
        raise SystemExit("the core has no machine code here; see `qchess backends --verbose`")
    for seed in range(games):
        rng = random.Random(seed)
        position = rules.start(backends.engine("sparse"))
        packed = core.pack(position)
        for _ in range(60):
            moves = list(rules.moves(position))
            if rules.result(position) or core.moves(packed) != moves:
                break
            move = rng.choice(moves)
            outcomes, ways = list(rules.outcomes(position, move)), core.outcomes(packed, move)
            k = rng.randrange(len(outcomes))
            position, packed = outcomes[k].position, ways[k].packed
            if core.differs(packed, position) or abs(outcomes[k].probability - ways[k].probability) > 1e-9:
                break
            compared += 1
        if core.result(packed) != rules.result(position) or core.moves(packed) != list(rules.moves(position)):
            raise SystemExit(f"the core differs from the rules in game {seed}: {core.differs(packed, position)}")
    return compared


def playouts(rules: QuantumChess, batches: int, plies: int = PLIES) -> dict[str, Any]:
    """Plies of random games from the start in a second of one core's time, in batches."""
    core = rules.core()
    assert core is not None
    packed = core.pack(rules.start(backends.engine("sparse")))
    games = GAMES[not rules.book.quantum]
    core.playouts(packed, games, 0, plies)
    rates, plies_a_game, broken_off = [], [], []
    for seed in range(1, batches + 1):
        began = time.thread_time()
        batch = core.batch(packed, games, seed, plies)
        rates.append(batch.playouts.plies / (time.thread_time() - began))
        plies_a_game.append(batch.playouts.plies / games)
        broken_off.append(batch.too_large / games)
    return {
        "plies_per_second": round(statistics.median(rates)),
        "slowest": round(min(rates)),
        "fastest": round(max(rates)),
        "plies_a_game": round(statistics.mean(plies_a_game), 1),
        "outgrown": round(statistics.mean(broken_off), 4),
        "batches": batches,
        "games_a_batch": games,
    }


def by_rules(rules: QuantumChess, games: int) -> dict[str, Any]:
    """Plies of random games through the rules in a second of one core's time, a move at a time."""
    one_game(rules, 0)
    began = time.thread_time()
    plies = sum(one_game(rules, seed).plies for seed in range(1, games + 1))
    return {"plies_per_second": round(plies / (time.thread_time() - began)), "games": games, "plies": plies}


def threads(rules: QuantumChess, rounds: int) -> dict[str, Any]:
    """How much two threads with a batch each get done beside one, turn and turn about."""
    core = rules.core()
    assert core is not None
    packed = core.pack(rules.start(backends.engine("sparse")))
    count = 4 * GAMES[not rules.book.quantum]

    def batch() -> None:
        core.playouts(packed, count, 1, PLIES)

    ratios = []
    for _ in range(rounds):
        began = time.perf_counter()
        batch()
        alone = time.perf_counter() - began
        both = [threading.Thread(target=batch) for _ in range(2)]
        began = time.perf_counter()
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        ratios.append(2 * alone / (time.perf_counter() - began))
    return {"rate_of_two": round(statistics.median(ratios), 2), "best": round(max(ratios), 2), "rounds": rounds}


def lateness(rules: QuantumChess, rounds: int) -> dict[str, float]:
    """How long after its deadline a batch returns, in milliseconds."""
    core = rules.core()
    assert core is not None
    packed = core.pack(rules.start(backends.engine("sparse")))
    late = []
    for seed in range(rounds):
        began = time.perf_counter()
        core.batch(packed, 10**6, seed, seconds=0.1)
        late.append(1000 * (time.perf_counter() - began - 0.1))
    return {"median_ms": round(statistics.median(late), 1), "worst_ms": round(max(late), 1)}


def first_playout(rounds: int) -> float:
    """Seconds from nothing but the interpreter to the end of the first playout, the median of several processes."""
    done = [subprocess.run([sys.executable, "-c", FIRST], capture_output=True, check=True) for _ in range(rounds)]
    return round(statistics.median(float(process.stdout) for process in done), 3)


def questions(rules: QuantumChess) -> dict[str, Any]:
    """Microseconds of single questions at the start."""
    core = rules.core()
    assert core is not None
    position = rules.start(backends.engine("sparse"))
    packed = core.pack(position)
    split = next(move for move in core.moves(packed) if move.is_split)
    asked = {
        "moves": lambda: core.moves(packed),
        "outcomes of a split": lambda: core.outcomes(packed, split),
        "result": lambda: core.result(packed),
        "evaluate": lambda: core.evaluate(packed),
        "one playout": lambda: core.playouts(packed, 1, 1, PLIES),
        "pack": lambda: core.pack(position),
    }
    return {name: summary(timings(action, seconds=0.3)) for name, action in asked.items()}


def main() -> None:
    """Runs the benchmark and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=15, help="batches per rate")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    laws = {
        "quantum moves": QuantumChess(),
        "quantum moves off": QuantumChess(quantum=False),
        "sdk-0.2.2": QuantumChess("sdk-0.2.2"),
    }
    report: dict[str, Any] = {
        "machine": machine(),
        "plies compared first": sum(check(rules) for rules in laws.values()),
    }
    report["plies a game at most"] = PLIES
    for name, rules in laws.items():
        report[f"playouts, {name}"] = playouts(rules, options.batches)
    report["playouts to the end of the game"] = playouts(laws["quantum moves"], options.batches, 500)
    report["through the rules"] = by_rules(laws["quantum moves"], 10)
    report["two threads"] = threads(laws["quantum moves"], max(3, options.batches // 3))
    report["after a deadline"] = lateness(laws["quantum moves"], options.batches)
    report["first playout of a process, seconds"] = first_playout(5)
    report["single questions"] = questions(laws["quantum moves"])
    sys.stdout.write((json.dumps(report, indent=1) if options.json else _table(report)) + "\n")


def _table(report: dict[str, Any]) -> str:
    where = report["machine"]
    lines = [f"the core of quantum-chess on {where['processor']}, Python {where['python']}"]
    lines += [f"{name}: {value}" for name, value in report.items() if name != "machine"]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

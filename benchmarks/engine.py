"""Times one move's work on one register: ``python -m benchmarks.engine [--json] [--quick]``.

A register of 1, 64, 1k ... branches is asked to split, jump, slide past two squares, merge and answer
a question. `engine` rows call the engine alone; `registers` rows go through `Registers.run`, with
joining, history and exact factoring, as a game does. Every timed result is checked first: norm 1, and
the dense engines give the sparse one's amplitudes.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import machine, summary, timings
from qchess import backends
from qchess.circuits import Program, Registers, ask, merge, slide, split, where
from qchess.circuits.operations import Operation
from qchess.circuits.sources import FixedAnswers

SIZES = (1, 64, 1024, 16384, 262144, 1048576)
LIMIT = 2**22
ASKED = where({"s": 1, "p0": 0})
#: dense engines are asked no further once one operation takes this long
PATIENCE = 2.0

MOVES: dict[str, Program] = {
    "split": split("s", "t1", "t2"),
    "jump": Program(*slide("s", "t1")),
    "controlled slide": slide("s", "t1", ("p0", "p1")),
    "merge": merge("t1", "t2", "s"),
}


def amplitudes(branches: int, seed: int = 1) -> tuple[tuple[str, ...], dict[int, complex]]:
    """A register with so many random branches: s (to be moved), p0, p1 (its path), and more squares."""
    rng = np.random.default_rng(seed)
    width = max(3, math.ceil(math.log2(branches)) + 3) if branches > 1 else 3
    keys = [1] if branches == 1 else rng.choice(2**width, branches, replace=False).tolist()
    values = rng.normal(size=branches) + 1j * rng.normal(size=branches)
    values /= np.linalg.norm(values)
    names = ("s", "p0", "p1", *(f"q{k}" for k in range(width - 3)))
    return (*names, "t1", "t2"), dict(zip(keys, values.tolist(), strict=True))


def follow(engine: Any, state: Any, operations: Sequence[Operation]) -> Any:
    """The state after some operations: at once, as a move hands them over, if the engine does that."""
    if at_once := getattr(engine, "run", None):
        return at_once(state, operations)
    for operation in operations:
        state = engine.apply(state, operation)
    return state


def engine_actions(engine: Any, branches: int) -> dict[str, Callable[[], Any]]:
    """The timed actions on an engine alone; the merge starts from a split state of so many branches."""
    state = engine.prepare(*amplitudes(branches))
    parted = follow(engine, engine.prepare(*amplitudes(_before_split(branches))), MOVES["split"].operations)
    actions: dict[str, Callable[[], Any]] = {}
    for name, program in MOVES.items():
        before = parted if name == "merge" else state
        actions[name] = lambda b=before, o=program.operations: follow(engine, b, o)
    actions["question"] = lambda: (engine.probability(state, ASKED), engine.project(state, ASKED, 1))
    return actions


def _before_split(branches: int) -> int:
    """Half of the branches hold the piece and are doubled, so a split makes three of every two."""
    return max(1, round(branches * 2 / 3))


def world(engine: Any, branches: int, idle: int = 0) -> Registers:
    """Registers with one large register, and some idle ones of two branches beside it."""
    names, values = amplitudes(branches)
    held = names[:-2]
    made = Registers.prepared(engine, [(held, values)]) if branches > 1 else Registers(engine, ["s"])
    for k in range(idle):
        made = made.run(Program(*split(f"i{k}", f"j{k}", f"k{k}"))).registers if made.known(f"i{k}") else _idle(made, k)
    return made


def _idle(registers: Registers, k: int) -> Registers:
    from qchess.circuits import x

    return registers.apply(x(f"i{k}")).run(split(f"i{k}", f"j{k}", f"k{k}")).registers


def registers_actions(engine: Any, branches: int, idle: int = 0) -> dict[str, Callable[[], Any]]:
    """The timed actions through `Registers.run`."""
    registers = world(engine, branches, idle)
    parted = world(engine, _before_split(branches), idle).run(MOVES["split"]).registers
    actions: dict[str, Callable[[], Any]] = {}
    for name, program in MOVES.items():
        before = parted if name == "merge" else registers
        actions[name] = lambda b=before, p=program: b.run(p)
    question = Program(ask("m", ASKED))
    actions["question"] = lambda: registers.run(question, FixedAnswers([1]))
    return actions


def measure(actions: dict[str, Callable[[], Any]], **labels: Any) -> list[dict[str, Any]]:
    """One row an action."""
    return [{**labels, "move": name, **summary(timings(action))} for name, action in actions.items()]


def dense_rows(name: str, sizes: Sequence[int], patience: float) -> list[dict[str, Any]]:
    """A dense engine as far as it goes, its amplitudes checked against the sparse engine's."""
    rows: list[dict[str, Any]] = []
    engine, sparse = backends.engine(name, branch_limit=2**26), backends.engine("sparse", branch_limit=LIMIT)
    for branches in sizes:
        names, values = amplitudes(branches)
        ours = follow(sparse, sparse.prepare(names, values), MOVES["split"].operations)
        theirs = follow(engine, engine.prepare(names, values), MOVES["split"].operations)
        _require_equal(sparse.amplitudes(ours, names), engine.amplitudes(theirs, names), name)
        found = measure(engine_actions(engine, branches), backend=name, level="engine", branches=branches)
        rows.extend(found)
        if max(row["median_us"] for row in found) > patience * 1e6:
            rows.append(
                {"backend": name, "level": "engine", "branches": "more", "status": f"stopped: over {patience} s a move"}
            )
            break
    return rows


def _require_equal(ours: dict[int, complex], theirs: dict[int, complex], name: str) -> None:
    worst = max(abs(ours.get(key, 0) - theirs.get(key, 0)) for key in ours.keys() | theirs.keys())
    if worst > 1e-9:
        raise SystemExit(f"{name} differs from sparse by {worst:.3g}; nothing is timed")


def memory_mb(branches: int) -> dict[str, Any]:
    """The peak that holding such a state, splitting, merging and asking it adds to a warm process."""
    out = subprocess.run(
        [sys.executable, "-m", "benchmarks.engine", "--memory-of", str(branches)],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(out.stdout)
    return found


def _memory_of(branches: int) -> None:
    engine = backends.engine("sparse", branch_limit=LIMIT)
    for action in engine_actions(engine, 1024).values():
        action()
    keys = np.arange(0, 2**23, 2**23 // branches, dtype=np.uint64)[:branches] ^ np.uint64(1)
    base = resident_mb()
    from qchess.backends.sparse.columns import Columns
    from qchess.backends.sparse.state import SparseState

    names = ("s", "p0", "p1", *(f"q{k}" for k in range(20)), "t1", "t2")
    amplitude = np.full(len(keys), 1 / math.sqrt(len(keys)), np.complex128)
    state = SparseState({q: k for k, q in enumerate(names)}, None, Columns(keys[None], amplitude))
    peaks = {}
    for name in ("jump", "controlled slide", "split"):
        peaks[name] = _peak_mb(lambda o=MOVES[name].operations: follow(engine, state, o)) - base
    peaks["question"] = _peak_mb(lambda: engine.project(state, ASKED, 1)) - base
    peaks["merge"] = _peak_mb(lambda: follow(engine, state, merge("q0", "q1", "t1").operations)) - base
    found = {"branches": len(keys), "state_mb": len(keys) * 24 / 2**20, "peak_mb": peaks}
    print(json.dumps(found, default=float))


def _peak_mb(action: Callable[[], Any]) -> float:
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
    action()
    return round(resident_mb("VmHWM"), 1)


def resident_mb(field: str = "VmRSS") -> float:
    """What this process holds, or held at most (`VmHWM`)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return float(next(line for line in lines if line.startswith(field)).split()[1]) / 1024


def idle_ratio() -> dict[str, float]:
    """What twelve idle registers beside the touched one cost: the ratio of medians, interleaved."""
    engine = backends.engine("sparse", branch_limit=LIMIT)
    ratios = {}
    for branches in (64, 16384):
        alone, beside = registers_actions(engine, branches), registers_actions(engine, branches, idle=12)
        pairs = [
            (summary(timings(alone["jump"]))["median_us"], summary(timings(beside["jump"]))["median_us"])
            for _ in range(5)
        ]
        ratios[str(branches)] = round(sorted(b / a for a, b in pairs)[2], 3)
    return ratios


def slope(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The exponent of time against branches between 16k and 1M: 1 is linear."""
    found = {}
    for move in ("split", "jump", "controlled slide", "merge", "question"):
        mine = {
            r["branches"]: r["median_us"]
            for r in rows
            if r["backend"] == "sparse" and r["level"] == "engine" and r["move"] == move
        }
        if {16384, 1048576} <= mine.keys():
            found[move] = round(math.log(mine[1048576] / mine[16384]) / math.log(64), 3)
    return found


def main() -> None:
    """Runs the benchmark and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--quick", action="store_true", help="up to 16k branches, and no dense engine")
    parser.add_argument("--memory-of", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory_of:
        return _memory_of(options.memory_of)
    sizes = SIZES[:4] if options.quick else SIZES
    engine = backends.engine("sparse", branch_limit=LIMIT)
    rows: list[dict[str, Any]] = []
    for branches in sizes:
        rows += measure(engine_actions(engine, branches), backend="sparse", level="engine", branches=branches)
        rows += measure(registers_actions(engine, branches), backend="sparse", level="registers", branches=branches)
    if not options.quick:
        for name in ("cirq", "aer"):
            rows += dense_rows(name, sizes, PATIENCE)
    report = {"machine": machine(), "rows": rows, "slope_16k_to_1M": slope(rows), "idle_registers_ratio": idle_ratio(),
              "memory": memory_mb(sizes[-1])}  # fmt: skip
    print(json.dumps(report, indent=1) if options.json else _table(report))
    return None


def _table(report: dict[str, Any]) -> str:
    lines = [f"{report['machine']['processor']}, Python {report['machine']['python']}; median microseconds"]
    for row in report["rows"]:
        timing = row.get("status") or f"{row['median_us']:>12.1f}"
        lines.append(f"{row['backend']:8}{row['level']:11}{row['branches']!s:>8}  {row.get('move', ''):18}{timing}")
    lines.extend(f"{name}: {report[name]}" for name in ("slope_16k_to_1M", "idle_registers_ratio", "memory"))
    return "\n".join(lines)


if __name__ == "__main__":
    main()

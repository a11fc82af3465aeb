"""Times every answer of the compatible board in the twelve programs: ``python -m benchmarks.compat [--json]``.

An answer is one call of a public method. Each program runs several times; a row has the median of all its
answers and the median over runs of its slowest answer, in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import runpy
import statistics
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from qchess.compat import AsciiBoard, CirqBoard

PROGRAMS = sorted((Path(__file__).parent.parent / "tests" / "compat" / "programs").glob("*.py"))
RUNS = 9
PROMISED_MS = 50.0


def timed(board: type[Any], taken: list[float], **options: Any) -> type[Any]:
    """The class with every public method timed; calls from within a timed call are part of it."""
    depth = [0]

    def clocked(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            depth[0] += 1
            start = time.perf_counter()
            try:
                return method(*args, **kwargs)
            finally:
                depth[0] -= 1
                if not depth[0]:
                    taken.append(1e3 * (time.perf_counter() - start))

        return call

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        board.__init__(self, *args, **options, **kwargs)

    methods = {name: clocked(m) for name, m in vars(board).items() if callable(m) and not name.startswith("_")}
    circuit = vars(board).get("circuit")
    if isinstance(circuit, property) and circuit.fget:
        methods["circuit"] = property(clocked(circuit.fget))  # type: ignore[assignment]
    return type(board.__name__, (board,), {**methods, "__init__": clocked(start)})


def answers_of(program: Path, seed: int) -> list[float]:
    """The milliseconds of each answer in one run of a program."""
    taken: list[float] = []
    main = runpy.run_path(str(program))["main"]
    main.__globals__["CirqBoard"] = timed(CirqBoard, taken, seed=seed)
    main.__globals__["AsciiBoard"] = timed(AsciiBoard, taken)
    main()
    return taken


def row(program: Path) -> dict[str, Any]:
    """What the answers of one program took; a first run, which loads Cirq where it is used, is not counted."""
    answers_of(program, 0)
    runs = [answers_of(program, seed) for seed in range(1, RUNS + 1)]
    return {
        "program": program.stem,
        "answers": len(runs[0]),
        "median_ms": round(statistics.median(t for run in runs for t in run), 3),
        "slowest_ms": round(statistics.median(map(max, runs)), 3),
        "worst_of_all_runs_ms": round(max(map(max, runs)), 3),
    }


def main() -> None:
    """Runs the programs and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    options = parser.parse_args()
    rows = [row(program) for program in PROGRAMS]
    report: dict[str, Any] = {"machine": machine(), "promised_ms": PROMISED_MS, "rows": rows}
    if options.json:
        print(json.dumps(report, indent=1))
        return
    print(f"{report['machine']['processor']}, Python {report['machine']['python']}; milliseconds an answer")
    for found in rows:
        times = f"median {found['median_ms']:>7.3f}, slowest {found['slowest_ms']:>7.3f}"
        worst = f"worst of {RUNS} runs {found['worst_of_all_runs_ms']:>7.3f}"
        print(f"{found['program']:24}{found['answers']:>4} answers, {times}, {worst}")


if __name__ == "__main__":
    main()

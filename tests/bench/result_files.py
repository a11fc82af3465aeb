"""Result files for tests: what a real run writes, and changes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qchess.bench.case import Case
from qchess.bench.corpus.listing import corpus
from qchess.bench.running import results, runner
from qchess.bench.running.measuring import Settings

ROOT = Path(__file__).parents[2]
STORED = sorted((ROOT / "benchmarks" / "results").glob("*.jsonl"))
PAGE = (ROOT / "docs" / "bench_results.md").read_text(encoding="utf-8")
SETTINGS = Settings(seconds=100.0, warm=0.0, least=2, shots=200)
#: a program that asks, and one that post-selects; of one game, which is soon played
TINY = ("move-quantum-checkers-1-asked-native", "move-quantum-checkers-1-flagged-native")
Lines = list[dict[str, Any]]


def tiny() -> list[Case]:
    """Two cases of the corpus, of two and three wires."""
    return [case for name in TINY for case in corpus("large", name)]


def measure(out: Path) -> Path:
    """A file of a real run: two simulators on both cases."""
    made = tiny()
    runner.run(results.plan_of(made, "small, only two", ("sparse", "cirq"), SETTINGS), made, out)
    return out


def written(path: Path, lines: Lines) -> Path:
    """The lines as a file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def lines_of(path: Path) -> Lines:
    """What the lines of a file hold."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def at(line: int, *path: str | int, to: Any) -> Callable[[Lines], None]:
    """Sets a value in a line."""

    def change(lines: Lines) -> None:
        place: Any = lines[line - 1]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return change


def without(line: int, *path: str) -> Callable[[Lines], None]:
    """Takes a field of a line away."""

    def change(lines: Lines) -> None:
        place: Any = lines[line - 1]
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change

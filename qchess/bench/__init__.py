"""The benchmark of simulators: circuits from games, adapters, the runner and its report.

These functions run it from Python; `qchess bench` has all its features.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qchess.bench.case import Case
    from qchess.bench.report.rows import Row
    from qchess.bench.running.results import Results

__all__ = ["cases", "family", "installed", "measure", "rows", "table"]


def installed() -> tuple[str, ...]:
    """Return the names of the simulators that can run here.

    >>> {'sparse', 'cirq', 'aer'} <= set(installed())
    True
    """
    from qchess.bench.adapters import catalogue

    return tuple(name for name in catalogue.names() if not catalogue.get(name).missing())


def cases(size: str = "standard", only: str = "") -> list[Case]:
    """Return the cases of the corpus ``small``, ``standard`` or ``large``; with `only`, those with it in the name."""
    from qchess.bench.corpus.listing import corpus

    return list(corpus(size, only))


def family(name: str, *numbers: int) -> Case:
    """Return one circuit of a growing family, with these numbers.

    >>> family('linked_slides', 2).name
    'linked-slides-2-native'
    """
    from qchess.bench.corpus import families
    from qchess.bench.corpus.cases import cases as cases_of
    from qchess.bench.corpus.tracks import on
    from qchess.errors import InvalidMoveError

    known = sorted(
        each
        for each, thing in vars(families).items()
        if getattr(thing, "__annotations__", {}).get("return") == "Circuit"
    )
    if name not in known:
        raise InvalidMoveError(f"expected a family of circuits from {', '.join(known)}, got {name!r}")
    (made,) = cases_of(getattr(families, name)(*numbers), on("small"), "small")
    return made


def measure(
    cases: Iterable[Case],
    simulators: Sequence[str],
    *,
    seconds: float = 20.0,
    warm: float = 0.2,
    shots: int = 1000,
    path: str | Path | None = None,
    workers: int = 1,
    cluster: str | None = None,
) -> Results:
    """Run the simulators on the cases, each in a separate process, and return all results.

    A run is stopped after `seconds`; it is repeated for `warm` seconds, and `shots` are sampled. A file at `path` keeps
    all runs, and is continued if it exists. On a cluster each worker runs one case at a time.
    """
    from qchess.bench.running.measuring import Settings
    from qchess.bench.running.results import plan_of
    from qchess.bench.running.runner import machine_of, run
    from qchess.playing.spread import team

    chosen, settings = list(cases), Settings(seconds=seconds, warm=warm, shots=shots)
    with team(workers, cluster) as found, TemporaryDirectory() as folder:
        plan = plan_of(chosen, "some", simulators, settings, machine=machine_of(found))
        return run(plan, chosen, Path(path or Path(folder, "results.jsonl")), team=found)


def table(results: Results) -> str:
    """Return how the runs ended, as text: a line per simulator, a column per outcome."""
    from qchess.bench.report.outcomes import outcomes

    return outcomes(results)


def rows(results: Results) -> list[Row]:
    """Return every run, with its time and its error."""
    from qchess.bench.report.rows import rows as rows_of

    return rows_of(results)

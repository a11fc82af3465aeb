"""A report for the terminal: how the runs ended, and ranks by time and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qchess.bench.report import tables
from qchess.bench.report.outcomes import outcomes
from qchess.bench.report.rows import MEMORY, RANKINGS, TIMES, rankings, rows
from qchess.bench.report.scores import SIZES, sized
from qchess.bench.running.results import Results


def text(results: Results) -> str:
    """Return the outcomes, and a table of ranks for each size of cases that has one."""
    ranked = {
        by: [row for row in rows(results, by) if row.outcome != "missing"] for by in rankings(results) or RANKINGS[-1:]
    }
    parts = [outcomes(results)]
    for small, told in SIZES.items():
        table = tables.rankings({by: sized(found, small=small) for by, found in ranked.items()})
        if table.rows:
            head = (*table.head[:3], *ranked, MEMORY)
            cells = [(row[0].strip("*"), *row[1:3], *map(_place, row[3::2], row[4::2])) for row in table.rows]
            parts.append("\n".join([f"cases of {told}", *aligned([head, *cells])]))
    if len(parts) > 1:
        times = ", ".join(f"{by} are {TIMES[by]}" for by in ranked)
        parts.append(
            f"{times}; memory is that of the first run beyond the import.\n"
            "Each is the median, over all cases that anybody of the class did, of how many times the best of the class "
            "it takes;\nbehind it, cases won and tied."
        )
    return "\n\n".join(parts)


def _place(middle: str, counts: str) -> str:
    return f"{middle} ({counts})" if middle else ""


def aligned(cells: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield rows of text, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

"""The contents of a report's pictures in words and figures, for those who do not see them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from qchess.bench.report.findings import errors, profile
from qchess.bench.report.plots import ALT, medians, megabytes, milliseconds
from qchess.bench.report.rows import Row, short
from qchess.bench.report.scores import SMALL, sized


def spoken(found: Sequence[Row], says: Mapping[str, str]) -> dict[str, str]:
    """Return a text for each picture: its subject and its figures."""
    exact = [row for row in found if row.kind in ("exact", "single", "tableau")]
    near = profile(sized(found, small=False), "approximate", (1.0, 10.0))
    told = {
        "branches": says["branches"],
        "qubits": _ends(exact, milliseconds, "ms"),
        "profile": says["profile"],
        "profile-approximate": f"On more than {SMALL} wires, the fastest and within ten times the fastest: "
        + "; ".join(f"{name} {first:.0%}, {ten:.0%}" for name, (first, ten) in near.items()),
        "wins": f"{says['wins']} {says['wins-small']}",
        "memory": _ends(exact, megabytes, "MB"),
        "errors": "; ".join(f"{name} {error:.0e}" for name, error in errors(found).items()),
        "crossover": says["crossover"],
    }
    return {name: f"{ALT[name]}. {text}" for name, text in told.items()}


def _ends(found: Sequence[Row], value: Callable[[Row], float | None], unit: str) -> str:
    """Return the end of each line of medians: the most wires on which a simulator did every case that any did."""
    ends = {
        name: next((x, y) for x, y in reversed(line) if not math.isnan(y))
        for name, line in medians(found, "wires", value).items()
    }
    return "The last median of each: " + "; ".join(
        f"{name} {short(y)} {unit} on {x:.0f} wires" for name, (x, y) in ends.items()
    )

"""The files of an experiment: figures as JSON and CSV, a table, a short text."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def write(
    folder: Path, name: str, data: Mapping[str, Any], table: str, text: str, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Write ``NAME.json``, ``NAME.csv``, and ``NAME.txt`` with the text above the table."""
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    (folder / f"{name}.txt").write_text(f"{text}\n\n{table}\n", encoding="utf-8")
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)

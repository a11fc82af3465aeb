"""Runs the notebooks from top to bottom and stores them with their outputs.

    python tools/run_notebooks.py [NAME ...]

Needs the extra `notebooks`. What an output owes to the machine or the moment is left out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"


def main(names: list[str]) -> None:
    """Runs and stores each."""
    os.environ["PYTHONPATH"] = str(ROOT)
    for path in sorted(FOLDER.glob("*.ipynb")):
        if names and path.stem not in names:
            continue
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(
            notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
        )
        client.execute()
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        notebook.metadata.pop("widgets", None)  # a board is drawn anew by whoever runs the notebook
        notebook.metadata.get("language_info", {}).pop("version", None)
        nbformat.write(notebook, path)
        print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])

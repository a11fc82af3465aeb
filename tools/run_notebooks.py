"""Runs the notebooks from top to bottom and stores them with their outputs.

    python tools/run_notebooks.py [NAME ...]

Needs the extra `notebooks`. What an output owes to the machine or the moment is left out. A picture is stored as SVG,
as PNG for readers who have not said that they trust the notebook, and in words.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

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
            for output in cell.get("outputs", ()):
                keep_picture(output.get("data", {}), path.name)
        notebook.metadata.pop("widgets", None)  # a board is drawn anew by whoever runs the notebook
        notebook.metadata.get("language_info", {}).pop("version", None)
        nbformat.write(notebook, path)
        print(path.name)


def keep_picture(data: NotebookNode, name: str) -> None:
    """Lets a picture stand for a live board, and refuses one without pixels."""
    if "image/svg+xml" in data:
        data.pop("application/vnd.jupyter.widget-view+json", None)  # it would be an error message without a kernel
        if "image/png" not in data:
            raise SystemExit(f"a picture in {name} has no PNG: pip install 'qchess[notebooks]'")


if __name__ == "__main__":
    main(sys.argv[1:])

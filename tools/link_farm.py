"""Builds ``build/typing/qchess``: the tree of links in which type checkers find ``qchess.circuits``.

Run it before mypy or pyright. It starts afresh each time, since the link of a removed module would
stop the checker. Nothing but type checking depends on these links.
"""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FARM = ROOT / "build" / "typing" / "qchess"


def plant() -> None:
    """Links every entry of ``qchess/``, and ``circuits/`` and ``backends/`` beside them."""
    shutil.rmtree(FARM, ignore_errors=True)
    FARM.mkdir(parents=True)
    for entry in [*(ROOT / "qchess").iterdir(), ROOT / "circuits", ROOT / "backends"]:
        if entry.name != "__pycache__":
            (FARM / entry.name).symlink_to(entry, target_is_directory=entry.is_dir())


if __name__ == "__main__":
    plant()

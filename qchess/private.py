"""Files and folders that only their owner may read, since they hold the seeds of games.

Where the system knows no such rights, as on Windows, they are as any others.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

#: what a file allows its owner, and a folder
FILE, FOLDER = 0o600, 0o700


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are not there."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file; one that is there stays as it is."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))


def write(path: Path, text: str) -> None:
    """Write a file that is new, and wait until the disk has it."""
    make_file(path)
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def close_to_others(path: Path) -> None:
    """Take what is ours from everybody else, as older versions did not."""
    with suppress(OSError):
        path.chmod(FOLDER if path.is_dir() else FILE)

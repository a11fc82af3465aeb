"""File locks between processes: a lock lasts until the file is closed, even if the process is killed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


def taken(file: IO[Any]) -> bool:
    """Lock an open file if no other process holds it; returns whether it did."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def in_turn(path: Path, patience: float) -> Iterator[IO[Any]]:
    """Wait until no other process holds this lock file, at most `patience` seconds; yields the open lock file.

    A child that inherits the file keeps the lock after its parent ends.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        end = time.monotonic() + patience
        while not taken(file) and time.monotonic() < end:
            time.sleep(0.05)
        yield file

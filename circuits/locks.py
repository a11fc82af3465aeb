"""Locks on open files, between processes: one lasts until the file is closed, however its process ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


def taken(file: IO[Any]) -> bool:
    """Takes the lock on an open file, unless another process holds it; says whether it did."""
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
    """Waits until no other process holds this lock file, at most `patience` seconds; gives the file that holds it now.

    A child that inherits the file goes on holding it after its parent.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        end = time.monotonic() + patience
        while not taken(file) and time.monotonic() < end:
            time.sleep(0.05)
        yield file

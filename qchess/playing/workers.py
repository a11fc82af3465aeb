"""Worker processes that end when this process does, even if it is killed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


def pool(count: int) -> ProcessPoolExecutor:
    """Return a pool of `count` worker processes; spawned, as a compiled kernel's threads do not survive a fork."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=follow_parent)


def follow_parent() -> None:
    """End this worker when its parent process is gone, since a killed parent cannot say so."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait
    from threading import Thread

    parent = parent_process()
    assert parent is not None, "a worker has a parent"

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True, name="follow parent").start()

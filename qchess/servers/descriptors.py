"""The number of connections a process can hold: each needs a file descriptor, and the system limits them."""

from __future__ import annotations

import sys
from pathlib import Path

#: reserved for files, workers, and connections being opened or closed
KEPT = 128
#: with fewer a server is useless
LEAST = 64


def left(wanted: int) -> int | None:
    """Return how many connections are possible beside what is open now; None without a system limit.

    If that is less than `wanted`, the limit is raised first, if possible.
    """
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    used = KEPT + sum(1 for _ in Path("/dev/fd").iterdir())
    more = wanted + used if hard == resource.RLIM_INFINITY else min(wanted + used, hard)
    if more > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    return max(more, soft) - used

"""How many connections a process can hold: each takes a descriptor, and the system gives only so many."""

from __future__ import annotations

import sys
from pathlib import Path

#: kept for files that are read, workers, and connections that are looked at the first time or on their way out
KEPT = 128
#: with fewer a server is of no use
LEAST = 64


def left(wanted: int) -> int | None:
    """How many connections there may be beside what is open now; None where the system sets no limit.

    Where that is less than what is wanted, the system is asked for more first.
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

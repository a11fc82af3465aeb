"""How many connections a process can hold: each takes a descriptor, and the system gives only so many."""

from __future__ import annotations

import sys
from pathlib import Path

#: kept for files that are read, workers, and connections that are looked at the first time or on their way out
KEPT = 128
#: with fewer a server is of no use
LEAST = 64


def more(wanted: int) -> None:
    """Has the system give so many, or as many more as it lets this process have."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def left() -> int | None:
    """How many connections there may be beside what is open now; None where the system sets no limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft - sum(1 for _ in Path("/dev/fd").iterdir()) - KEPT

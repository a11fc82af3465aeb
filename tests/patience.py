"""How long a test waits: for an event, with a limit that only a hang reaches. No test judges by the clock."""

from __future__ import annotations

import time
from collections.abc import Callable

#: seconds that anything may take, however busy the machine is
PATIENCE = 120.0


def wait_until(condition: Callable[[], object], what: str, pause: Callable[[float], object] = time.sleep) -> None:
    """Wait until the condition holds, with pauses between two looks; fail with what was awaited if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"not within {PATIENCE:g} s: {what}"
        pause(0.01)

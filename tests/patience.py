"""How long a test waits: for an event, with a limit that only a hang reaches. No test judges by the clock."""

from __future__ import annotations

import time
from collections.abc import Callable

#: seconds that anything may take, however busy the machine is
PATIENCE = 120.0


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until the condition holds; fail with what was awaited if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"not within {PATIENCE:g} s: {what}"
        time.sleep(0.01)

"""A deadline for long work: an error in time, with nothing half-changed.

A kernel cannot be interrupted, so those that may run long return after a budget of work. In between, their caller
looks at the clock, and Python sees an interrupt.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from qchess.circuits.errors import BackendError

_ENDS: ContextVar[float | None] = ContextVar("qchess_deadline", default=None)


class OutOfTimeError(BackendError):
    """The deadline that was set has passed; nothing was changed."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Ends long work inside the block with `OutOfTimeError`; of deadlines within each other the first one counts."""
    ends, outer = time.monotonic() + seconds, _ENDS.get()
    token = _ENDS.set(ends if outer is None else min(ends, outer))
    try:
        yield
    finally:
        _ENDS.reset(token)


def check_deadline() -> None:
    """Raises `OutOfTimeError` where a deadline is set and has passed."""
    ends = _ENDS.get()
    if ends is not None and time.monotonic() > ends:
        raise OutOfTimeError("the deadline has passed; nothing was changed")

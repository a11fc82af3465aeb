"""A deadline for long work, which ends with an error and changes nothing.

A kernel cannot be interrupted, so long ones return after a budget of work. In between, their caller checks the
clock, and Python handles interrupts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from qchess.circuits.errors import BackendError

_ENDS: ContextVar[float | None] = ContextVar("qchess_deadline", default=None)


class OutOfTimeError(BackendError):
    """The deadline has passed; nothing was changed."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """End long work in the block with `OutOfTimeError`; of nested deadlines the earliest counts."""
    ends, outer = time.monotonic() + seconds, _ENDS.get()
    token = _ENDS.set(ends if outer is None else min(ends, outer))
    try:
        yield
    finally:
        _ENDS.reset(token)


def check_deadline() -> None:
    """Raise `OutOfTimeError` if a deadline is set and has passed."""
    ends = _ENDS.get()
    if ends is not None and time.monotonic() > ends:
        raise OutOfTimeError("the deadline has passed; nothing was changed")

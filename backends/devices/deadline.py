"""Deadlines: a call that must end in time, or is stopped, or is left behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Result = TypeVar("Result")


def in_time(seconds: object) -> bool:
    """Whether this is a number of seconds for which a call can be waited for."""
    return type(seconds) in (int, float) and 0 < seconds <= threading.TIMEOUT_MAX  # type: ignore[operator]


class Clock:
    """How much time is left; long work looks at it and stops by itself."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self) -> None:
        """TimeoutError once the time is over."""
        if self._end is not None and time.monotonic() > self._end:
            raise TimeoutError(f"no answer within {self.seconds} s")


class LeftError(RuntimeError):
    """A job tried to end the whole program instead of answering."""


class Worker(Generic[Result]):
    """Makes one call at a time on a thread of its own, and waits no longer than `seconds`.

    Nothing can stop a thread from outside. So a job that is late is told by `stop`, which a caller
    hands in if it can stop what the job waits for; and is left behind on a daemon thread, which does not keep
    the interpreter from ending. Until it ends, no further call is made.
    """

    def __init__(self, seconds: float | None, stop: Callable[[], object] | None = None) -> None:
        self.seconds = seconds
        self._stop = stop
        self._thread: threading.Thread | None = None

    def call(self, job: Callable[[], Result]) -> Result:
        """What the job returns or raises; TimeoutError if it is late, or a late one still runs."""
        if self._thread is not None and self._thread.is_alive():
            raise TimeoutError(f"an earlier call passed its {self.seconds} s and is still running")
        answer: Future[Result] = Future()
        self._thread = threading.Thread(target=_work, args=(job, answer), name="qchess device", daemon=True)
        self._thread.start()
        try:
            result = answer.result(self.seconds)
        except TimeoutError:
            if answer.done():
                raise
            self._end()
            raise TimeoutError(f"no answer within {self.seconds} s") from None
        except KeyboardInterrupt:  # the player has had enough; the job is not left running
            self._end()
            raise
        self._thread.join()
        return result

    def _end(self) -> None:
        """Stops the late job, and gives its thread a moment to notice."""
        if self._stop is not None and self._thread is not None:
            self._stop()
            self._thread.join(1.0)


def _work(job: Callable[[], Result], answer: Future[Result]) -> None:
    try:
        answer.set_result(job())
    except Exception as error:  # noqa: BLE001 (not swallowed: it is raised where the call was made)
        answer.set_exception(error)
    except BaseException as error:  # noqa: BLE001 (SystemExit in a thread would end it without a word)
        answer.set_exception(LeftError(f"it tried to end the program ({type(error).__name__}: {error})"))

"""Deadlines: calls that end in time, are stopped, or are abandoned."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from queue import SimpleQueue
from typing import Generic, TypeVar

Result = TypeVar("Result")


def in_time(seconds: object) -> bool:
    """Tell whether this is a valid number of seconds to wait."""
    return type(seconds) in (int, float) and 0 < seconds <= threading.TIMEOUT_MAX  # type: ignore[operator]


class Clock:
    """The time left; long work checks it and stops by itself."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self) -> None:
        """Raise TimeoutError once the time is over."""
        if self._end is not None and time.monotonic() > self._end:
            raise TimeoutError(f"no answer within {self.seconds} s")


class LeftError(RuntimeError):
    """A call tried to end the whole program instead of answering."""


class Worker(Generic[Result]):
    """Makes one call at a time on another thread, and waits at most `seconds`.

    A thread cannot be stopped from outside. So a late call is told by `stop`, if the caller gives one, and otherwise
    abandoned on a daemon thread, which does not keep the interpreter alive. Until it ends, no further call is made.
    """

    def __init__(self, seconds: float | None, stop: Callable[[], object] | None = None) -> None:
        self.seconds = seconds
        self._stop = stop
        self._latest: Future[Result] | None = None

    @property
    def busy(self) -> bool:
        """Tell whether a late call is still running."""
        return self._latest is not None and not self._latest.done()

    def call(self, work: Callable[[], Result]) -> Result:
        """Return or raise what the call gives; TimeoutError if it is late, or a late one is still running."""
        if self.busy:
            raise TimeoutError(f"an earlier call exceeded its {self.seconds} s and is still running")
        self._latest = answer = Future[Result]()
        _on_a_thread(partial(_answer, work, answer))
        try:
            return answer.result(self.seconds)
        except TimeoutError:
            if answer.done():
                raise
            self._end(answer)
            raise TimeoutError(f"no answer within {self.seconds} s") from None
        except KeyboardInterrupt:  # the player has had enough; it is not left running
            self._end(answer)
            raise

    def _end(self, answer: Future[Result]) -> None:
        """Stop the late call, and give it a moment to end."""
        if self._stop is not None:
            self._stop()
            wait([answer], 1.0)


#: threads waiting for work, each by its queue. None of them ever ends: Qiskit crashes the interpreter
#: once the thread that imported it is gone, and a device may import it on its first call
_IDLE: list[SimpleQueue[Callable[[], None]]] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # the child has none of the threads


def _on_a_thread(work: Callable[[], None]) -> None:
    """Run something on an idle daemon thread."""
    try:
        queue = _IDLE.pop()
    except IndexError:
        queue = SimpleQueue()
        threading.Thread(target=_run_all, args=(queue,), name="qchess device", daemon=True).start()
    queue.put(work)


def _run_all(queue: SimpleQueue[Callable[[], None]]) -> None:
    """Run what comes in a queue, one after the other."""
    while True:
        queue.get()()  # nothing of it is held while the next is waited for
        _IDLE.append(queue)


def _answer(work: Callable[[], Result], answer: Future[Result]) -> None:
    try:
        answer.set_result(work())
    except Exception as error:  # noqa: BLE001 (not swallowed: it is raised where the call was made)
        answer.set_exception(error)
    except BaseException as error:  # noqa: BLE001 (SystemExit in a thread would end it without a word)
        answer.set_exception(LeftError(f"it tried to end the program ({type(error).__name__}: {error})"))

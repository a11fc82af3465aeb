"""Deadlines: a call that must end in time, or is left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Worker(Generic[Result]):
    """Makes one call at a time on a thread of its own, and waits no longer than `seconds`.

    Nothing can stop a thread from outside. A call that is late is left behind on a daemon thread, which
    does not keep the interpreter from ending; until it ends, no further call is made.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
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
            raise TimeoutError(f"no answer within {self.seconds} s") from None
        self._thread.join()
        return result


def _work(job: Callable[[], Result], answer: Future[Result]) -> None:
    try:
        answer.set_result(job())
    except Exception as error:  # noqa: BLE001 (not swallowed: it is raised where the call was made)
        answer.set_exception(error)

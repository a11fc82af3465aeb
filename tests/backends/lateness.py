"""Devices that take long: late once something has happened, not after so many seconds, and collected in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import pytest

from qchess.backends import deadline
from tests.patience import wait_until


@contextmanager
def late_once(happened: Callable[[], object], what: str) -> Iterator[None]:
    """Inside, a device's time is over as soon as this has happened, however long it takes."""

    class Late(Future[Any]):
        def result(self, timeout: float | None = None) -> Any:
            assert timeout is not None, "it would be waited for without end"
            wait_until(happened, what)
            return super().result(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deadline, "Future", Late)
        yield


def collected(collect: Callable[[], Any]) -> Any:
    """What is collected in the end."""
    answers: list[Any] = []

    def came() -> bool:
        answers.append(collect())
        return answers[-1] is not None

    wait_until(came, "the job is done")
    return answers[-1]

"""Samplers in this process: what a vendor's package loads is loaded once for all tests, and not once for each device.

Orders and answers are those that go to a process of its own and back; other tests are about that process.
"""

from __future__ import annotations

import pickle
from io import BytesIO

from qchess.backends.devices import apart


class Nearby:
    """Stands for the process of a sampler, its input and its output."""

    def __init__(self) -> None:
        self.stdin = self.stdout = self
        self.orders: list[bytes] = []
        self.answers = apart.answered(iter(lambda: pickle.loads(self.orders.pop(0)) if self.orders else None, None))
        self.answer = BytesIO()
        self.code: int | None = None

    def write(self, order: bytes) -> None:
        self.orders.append(order)

    def flush(self) -> None:
        """An order is done when its answer is read."""

    def readline(self) -> bytes:
        self._work()
        return self.answer.readline()

    def read(self, count: int) -> bytes:
        self._work()
        return self.answer.read(count)

    def _work(self) -> None:
        if self.answer.tell() == len(self.answer.getbuffer()):
            told = next(self.answers, None)
            if told is None:
                self.code = 0
            self.answer = BytesIO(b"" if told is None else pickle.dumps(told))

    def poll(self) -> int | None:
        return self.code

    def kill(self) -> None:
        self.code = -9

    def wait(self) -> int:
        return 0

    def close(self) -> None:
        """Nothing is open."""

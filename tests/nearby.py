"""Samplers in this process: what a vendor's package loads is loaded once for all tests, and not once for each device.

Questions and answers are pickled as those that go to a process of its own and back; other tests are about that process.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any


class Nearby:
    """Stands for the process of a sampler."""

    def __init__(self, target: str, *arguments: Any) -> None:
        self._order = pickle.dumps((target, arguments))
        self._answer: Callable[[Any], Any] | None = None
        self.ended = False

    def ask(self, question: Any) -> Any:
        if self._answer is None:
            target, arguments = pickle.loads(self._order)
            try:
                self._answer = resolve_name(target)(*arguments)
            except Exception:
                self.ended = True
                raise
        assert self._answer is not None
        return pickle.loads(pickle.dumps(self._answer(pickle.loads(pickle.dumps(question)))))

    def kill(self, why: str) -> None:
        self.ended = True

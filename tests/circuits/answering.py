"""What children of the tests answer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qchess.circuits.child import Child


class LocalError(Exception):
    """Cannot be copied: it needs two arguments and hands on one."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)


def refusing() -> Callable[[Any], Any]:
    """Makes nothing."""
    raise ValueError("not today")


def echoing(beside: str = "") -> Callable[[Any], Any]:
    """Answers with the question, unless that is the name of something to do and what it needs."""

    def answer(question: Any) -> Any:
        if isinstance(question, tuple):
            return DOES[question[0]](*question[1:])
        return question

    def sleep() -> None:
        Path(beside).touch()
        time.sleep(1000)

    DOES["sleep"] = sleep
    return answer


def _compute() -> None:
    while True:
        pass


def _raise(message: str) -> None:
    raise ValueError(message)


def _raise_what_cannot_be_copied() -> None:
    raise LocalError("one", "other")


def _write() -> str:
    sys.stdout.write("noise on the output\n")
    sys.stdout.flush()
    os.write(1, b"and more\n")
    return "written"


def _own() -> int:
    KEPT.append(Child(f"{__name__}:echoing"))
    KEPT[-1].ready()
    return KEPT[-1].pid


KEPT: list[Child] = []
DOES: dict[str, Callable[..., Any]] = {
    "exit": os._exit,
    "signal": lambda number: os.kill(os.getpid(), number),
    "add": lambda count: sum(range(count)),
    "compute": _compute,
    "raise": _raise,
    "raise what cannot be copied": _raise_what_cannot_be_copied,
    "answer what cannot be copied": lambda: lambda: None,
    "write": _write,
    "read": lambda: input(),
    "a child of its own": _own,
    "environment": lambda: os.environ.get("CHILD"),
}

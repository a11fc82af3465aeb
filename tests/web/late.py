"""Answers that are late until a test lets them come: the shots of a device, and the jobs of a queue.

A server and its workers that have this module among their plugins hold back what a device answers at once
while the file is there that `GATE` names. They know a device whose work is done in a process of its own, as `APART`.
"""

from __future__ import annotations

import functools
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qchess.backends.catalogue import Backend, Row, register
from qchess.backends.devices.adapters import device
from qchess.backends.devices.subprocess_sampler import SubprocessSampler
from qchess.backends.sparse.sampler import SparseSampler
from qchess.web.questions import QUESTIONS
from qchess.web.seeds import is_quick
from tests.patience import wait_until

#: the environment variable with the name of the file
GATE = "QCHESS_TEST_GATE"
#: a backend whose answers come tomorrow
TOMORROW = "queued:86400:sparse-shots"
#: a device with a process of its own, as vendors' simulators are, which starts sooner
APART = "apart-shots"


class Apart(SparseSampler):
    """Our own shots under another name."""

    name = APART


def apart_device() -> Backend:
    """Our exact engine, answered from another process."""
    return device(SubprocessSampler(f"{__name__}:Apart"))


register(Row(APART, "a device with a process of its own", f"{__name__}:apart_device"))


def let_through(jobs: Path) -> None:
    """Makes every job due now; whoever sleeps over one is ended, and the next look starts another at once."""
    for order in jobs.glob("*/order.json"):
        values = json.loads(order.read_text(encoding="utf-8"))
        beside = order.with_name("order.now")
        beside.write_text(json.dumps({**values, "due": 0}), encoding="utf-8")
        beside.replace(order)
    end_workers(jobs)


def end_workers(jobs: Path) -> None:
    """Ends the processes that are at work on jobs."""
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            last = command.read_bytes().rstrip(b"\0").rpartition(b"\0")[2].decode()
            if last and Path(last).parent == jobs:
                os.kill(int(command.parent.name), signal.SIGKILL)
        except (OSError, ValueError):  # it has ended by itself
            continue


def _held_back(begin: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(begin)
    def later(game: Any, *asked: Any, **more: Any) -> Any:
        if (gate := os.environ.get(GATE)) and not is_quick(game.backend):
            wait_until(lambda: not Path(gate).exists(), "the device may answer")
        return begin(game, *asked, **more)

    return later


QUESTIONS["begin"] = _held_back(QUESTIONS["begin"])

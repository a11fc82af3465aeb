"""A server none of whose limits a busy machine reaches; tests of a limit set it.

``python -m tests.web.patient`` is ``qchess web`` with these limits.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from qchess.__main__ import main
from qchess.commands import web
from qchess.web.limits import DOORS
from qchess.web.settings import Settings
from tests.patience import PATIENCE

#: beyond what a test waits for, so that no refusal hides what hangs
SECONDS = 2 * PATIENCE
LIMITS: dict[str, Any] = {
    "messages": (10_000.0, 10_000),
    "looks": (10_000.0, 10_000),
    "moves": (10_000.0, 10_000),
    "tables_per_hour": 100_000,
    "request_seconds": SECONDS,
    "hello_seconds": SECONDS,
    "work_seconds": SECONDS,
    "opening_seconds": SECONDS,
    "agent_seconds": SECONDS,
    "device_seconds": SECONDS,
    "odds_seconds": SECONDS,
}
PATIENT = Settings(**LIMITS)

if __name__ == "__main__":
    usual = web._settings
    web._settings = lambda args: replace(usual(args), **LIMITS)
    for door, (_, _, what) in DOORS.items():
        DOORS[door] = (1e9, 10**9, what)
    raise SystemExit(main(["web", *sys.argv[1:]]))

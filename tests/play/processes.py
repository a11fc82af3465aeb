"""Processes of the tests that are ended by signals."""

from __future__ import annotations

import signal
import sys


def usual_signals() -> None:
    """Signals mean what they mean at a terminal; tests that run under `nohup` would hand on that HUP is ignored."""
    if sys.platform != "win32":
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)

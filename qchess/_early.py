"""The first thing that is loaded: while the command loads the rest, Ctrl-C ends it at once, without a traceback."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import PurePath


def _is_the_command() -> bool:
    """Tell whether this process was started as ``qchess`` or ``python -m qchess``."""
    started = PurePath(sys.argv[0]).stem if sys.argv else ""
    return started == "qchess" or (started == "-m" and sys.orig_argv[-len(sys.argv) :][:1] == ["qchess"])


def usual_interrupt() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again."""
    if QUIET and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


QUIET = (
    _is_the_command()
    and threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
)
if QUIET:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

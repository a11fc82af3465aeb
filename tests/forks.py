"""Processes that begin with a vendor's packages loaded: one process imports them, and forks for each that is asked for.

They may be killed, and know nothing of each other. Nothing of qchess is loaded before they begin.

    python tests/forks.py PACKAGES...      # orders come on standard input, one a line
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

#: seconds after which a process that is waited for is ended, which only a hang reaches
MOST = 120


class Forks:
    """Runs code as ``python -c`` would, once these packages were imported."""

    def __init__(self, folder: Path, *packages: str) -> None:
        self.folder = folder
        command = [sys.executable, __file__, *packages]
        self._at = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, code: str, *arguments: str, **told: Any) -> int:
        """Start a process that lasts until it ends, or these forks do; return its number."""
        order = {"code": code, "arguments": arguments, "env": dict(os.environ), **told}
        assert self._at.stdin is not None
        self._at.stdin.write(json.dumps(order) + "\n")
        self._at.stdin.flush()
        return self._said()

    def run(self, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a process to its end."""
        out, err = (self.folder / name for name in ("out", "err"))
        self.start(code, *arguments, out=str(out), err=str(err))
        return subprocess.CompletedProcess(arguments, self._said(), out.read_text(), err.read_text())

    def _said(self) -> int:
        assert self._at.stdout is not None
        return int(self._at.stdout.readline())

    def close(self) -> None:
        """End, and whatever was started here with it."""
        self._at.communicate()


def main(*packages: str) -> None:
    """Import the packages and fork for each order, until standard input is closed."""
    import gc
    from contextlib import suppress
    from importlib import import_module

    sys.path[0] = ""  # as for `python -c`
    for name in packages:
        with suppress(ImportError):  # whoever needs it says so
            import_module(name)
    gc.freeze()
    started = []
    for line in sys.stdin:
        if (process := os.fork()) == 0:
            become(**json.loads(line))
            break
        say(process)
        if "out" in json.loads(line):
            say(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
        else:
            started.append(process)
    else:
        for process in started:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def say(number: int) -> None:
    """Answer whoever gives the orders."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def become(code: str, arguments: list[str], env: dict[str, str], out: str = os.devnull, err: str = "") -> None:
    """Be the process that was asked for."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    if err:  # somebody waits for it
        os.dup2(os.open(err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        signal.alarm(MOST)
    os.environ.clear()
    os.environ.update(env)
    sys.argv[:] = ["-c", *arguments]
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    main(*sys.argv[1:])

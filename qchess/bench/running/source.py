"""The hash of the file that a simulator's adapter is written in."""

from __future__ import annotations

import hashlib
import inspect
from contextlib import suppress
from pathlib import Path

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.function import Function


def told(name: str, adapter: Adapter) -> dict[str, str]:
    """Return what a start line says of the adapter; empty if it has no file.

    >>> from qchess.bench.adapters import catalogue
    >>> len(told("cirq", catalogue.get("cirq"))["adapter"])
    64
    """
    with suppress(OSError, TypeError):
        return {"adapter": hashlib.sha256(_file(name, adapter).read_bytes()).hexdigest()}
    return {}


def _file(name: str, adapter: Adapter) -> Path:
    """Return the named file, or else the one of the adapter's class or function."""
    named = name.partition(",")[0].partition(":")[0]
    if named.endswith(".py"):
        return Path(named)
    made = inspect.unwrap(adapter.function) if isinstance(adapter, Function) else adapter
    return Path(inspect.getfile(made if inspect.isroutine(made) else type(made)))

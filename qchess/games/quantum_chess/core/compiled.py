"""The kernels, compiled: each function of this room, and what it calls, goes through numba once a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

ROOM = __name__.rpartition(".")[0]


@cache
def kernel(name: str) -> Callable[..., int]:
    """The kernel of this name, compiled."""
    from qchess.games.quantum_chess.core import kernels

    made: Callable[..., int] = _compiled(getattr(kernels, name))
    return made


@cache
def _compiled(function: FunctionType) -> Any:
    """A function as numba compiles it, with the functions of this room that it calls."""
    from numba import njit

    names = {}
    for name in function.__code__.co_names:
        found = function.__globals__.get(name)
        if isinstance(found, FunctionType) and found.__module__.startswith(ROOM):
            names[name] = _compiled(found)
    inner = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    return njit(inner, nogil=True, error_model="numpy")

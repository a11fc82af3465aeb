"""The sources of a kernel: its own, those of its helpers, its constants; and their hash."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from qchess.circuits.errors import ProgramError

#: changes with the layout of frames or entry points, so that older objects are not used
FORMAT = "1"
Function = TypeVar("Function", bound=Callable[..., Any])

_HELPERS: set[Callable[..., Any]] = set()


def helper(function: Function) -> Function:
    """Mark a function that kernels call; returns it unchanged."""
    _HELPERS.add(function)
    return function


def with_item(items: tuple[Any, ...], k: int, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple with another k-th item; kernels may call it with a variable k."""
    return (*items[:k], value, *items[k + 1 :])


def parts(functions: Iterable[Callable[..., Any]]) -> tuple[list[Callable[..., Any]], dict[str, str]]:
    """Return the helpers that some functions reach, callees first, and the constants they all read."""
    helpers: dict[Callable[..., Any], None] = {}
    constants: dict[str, str] = {}
    seen: set[Callable[..., Any]] = set()

    def visit(function: Callable[..., Any]) -> None:
        seen.add(function)
        space = function.__globals__
        for name in function.__code__.co_names:
            value = space.get(name)
            if callable(value) and value in _HELPERS:
                if value not in seen:
                    visit(value)
            elif name in space and (text := _constant(value)):
                constants[f"{function.__module__}.{name}"] = text
        if function in _HELPERS:
            helpers[function] = None

    for function in functions:
        visit(function)
    return list(helpers), constants


def _constant(value: Any) -> str:
    """Return a constant's value as text, or nothing if it is not one."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    return repr(value) if isinstance(value, (int, float, complex, tuple, np.generic)) else ""


def source_hash(functions: Iterable[Callable[..., Any]]) -> str:
    """Return sixteen hex digits that change with the source, the helpers' sources and the constants."""
    functions = list(functions)
    helpers, constants = parts(functions)
    digest = hashlib.sha256(FORMAT.encode())
    for name in dict.fromkeys(function.__module__ for function in [*functions, *helpers]):
        digest.update(_text(name))
    for name, value in sorted(constants.items()):
        digest.update(f"{name}={value}\n".encode())
    return digest.hexdigest()[:16]


def _text(module: str) -> bytes:
    """Return a module's source, with plain line ends."""
    path = getattr(sys.modules[module], "__file__", None)
    if path is None or not Path(path).is_file():
        raise ProgramError(f"kernels are tied to their source, and that of {module} cannot be read")
    return Path(path).read_bytes().replace(b"\r\n", b"\n")

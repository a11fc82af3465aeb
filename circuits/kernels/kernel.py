"""A kernel as callers use it: a function on arrays and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from qchess.circuits.errors import ProgramError
from qchess.circuits.kernels.library import CLEAR, library
from qchess.circuits.kernels.signatures import Signature, parse

#: stands for an argument while it is being changed
_UNSET = object()
P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A compiled function, with its Python source beside it as `clear`."""

    def __init__(self, clear: Callable[P, R], signature: Signature) -> None:
        #: the Python function: the source of the compiled code, and the reference for its tests
        self.clear = clear
        self.signature = signature
        self.__name__, self.__qualname__, self.__module__ = clear.__name__, clear.__qualname__, clear.__module__
        self.__doc__ = clear.__doc__
        self.library = library(clear.__module__)
        self.library.add(clear, signature)

    @property
    def way(self) -> str:
        """Return how calls are served: object, bitcode, numba or clear."""
        return self.library.report().way

    @property
    def compiled(self) -> bool:
        """Tell whether machine code serves; if not, a caller may have faster clear code than the kernel's source."""
        return self.way != CLEAR

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Call the compiled function, or the source if there is none."""
        if named:
            raise ProgramError(f"{self.__name__} takes its arguments by place, got {sorted(named)}")
        function = self.library.function(self.__name__)
        if function is None:
            with np.errstate(over="ignore"):
                return self.clear(*arguments, **named)
        result: R = function(self.signature.frame(arguments, self.__name__))
        return result

    def bind(self, *arguments: Any) -> Bound:
        """Return the kernel with its arguments in place, for many calls on the same arrays."""
        return Bound(self, arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__} {self.signature.text}>"

    def __reduce__(self) -> str:
        return self.__qualname__


class Bound:
    """A kernel with its arguments in place; must not be shared between threads."""

    __slots__ = ("_address", "_frame", "_function", "_places", "arguments", "kernel")

    def __init__(self, kernel: Kernel[..., Any], arguments: tuple[Any, ...]) -> None:
        self.kernel = kernel
        #: the arguments, kept alive as long as their addresses are
        self.arguments = list(arguments)
        self._frame = bytearray(kernel.signature.frame(arguments, kernel.__name__))
        self._address = np.frombuffer(self._frame, np.uint8).ctypes.data
        self._function = kernel.library.function(kernel.__name__)
        self._places = kernel.signature.places

    def set(self, k: int, value: Any) -> None:
        """Change the k-th argument; costs nothing if it is already there."""
        if value is self.arguments[k]:
            return
        argument, write, at = self._places[k]
        slots = argument.values(value, k, self.kernel.__name__)
        self.arguments[k] = _UNSET  # so that whoever is interrupted here leaves nothing that looks as if it stood
        write(self._frame, at, *slots)
        self.arguments[k] = value

    def __call__(self) -> Any:
        """Call the kernel on its arguments."""
        if self._function is None:
            with np.errstate(over="ignore"):
                return self.kernel.clear(*self.arguments)
        return self._function(self._address)


def kernel(signature: str) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a kernel of a function; the signature is ``"result(arguments)"``, as in the package's example."""
    parsed = parse(signature)

    def made(function: Callable[P, R]) -> Kernel[P, R]:
        return Kernel(function, parsed)

    return made

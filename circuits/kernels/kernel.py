"""A kernel as callers use it: a function on arrays and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from qchess.circuits.errors import ProgramError
from qchess.circuits.kernels.library import CLEAR, library
from qchess.circuits.kernels.signatures import Signature, parse

#: stands for an argument while it is being changed
_UNSET = object()
P = ParamSpec("P")
R = TypeVar("R")


def _called(clear: Callable[..., R], arguments: Iterable[Any]) -> R:
    """Call a kernel's source; its whole numbers wrap around, as in machine code."""
    with np.errstate(over="ignore"):
        return clear(*arguments)


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
            return _called(self.clear, arguments)
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

    __slots__ = ("_frame", "_places", "arguments", "call", "kernel")

    def __init__(self, kernel: Kernel[..., Any], arguments: tuple[Any, ...]) -> None:
        self.kernel = kernel
        #: the arguments, kept alive as long as their addresses are
        self.arguments = list(arguments)
        self._frame = bytearray(kernel.signature.frame(arguments, kernel.__name__))
        self._places = kernel.signature.places
        function = kernel.library.function(kernel.__name__)
        #: the same as a call of this, and quicker
        self.call: partial[Any] = partial(_called, kernel.clear, self.arguments)
        if function is not None:
            self.call = partial(function, np.frombuffer(self._frame, np.uint8).ctypes.data)
            vars(self.call).update(frame=self._frame, arguments=self.arguments)  # they live as long as the address

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
        return self.call()


def kernel(signature: str) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a kernel of a function; the signature is ``"result(arguments)"``, as in the package's example."""
    parsed = parse(signature)

    def made(function: Callable[P, R]) -> Kernel[P, R]:
        return Kernel(function, parsed)

    return made

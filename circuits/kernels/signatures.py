"""Signatures of kernels, and how arguments are passed: one flat frame of 8-byte slots.

A scalar takes one slot (complex128 two); an array takes its address and its lengths.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from qchess.circuits.errors import ProgramError

#: how a scalar of each type is packed
SCALARS = {"int64": "q", "int32": "q", "uint64": "Q", "float64": "d", "complex128": "dd", "bool": "q"}
ELEMENTS = ("int64", "int32", "int8", "uint64", "uint32", "uint8", "float64", "complex128", "bool")
DTYPES = {name: np.dtype(name) for name in ELEMENTS}
RESULTS = ("void", "int64", "float64")
#: has an address and no size, so empty arrays can hold it too
_NOTHING = ctypes.c_char * 0
_SHAPE = re.compile(r"(\w+)\[((?::,\s*)*)::1\]")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: its element type, and for an array its number of dimensions (0 for a scalar)."""

    dtype: str
    dimensions: int = 0

    @property
    def packing(self) -> str:
        """Return its slots in the format of `struct`."""
        return "q" * (1 + self.dimensions) if self.dimensions else SCALARS[self.dtype]

    def values(self, given: Any, k: int, name: str) -> tuple[Any, ...]:
        """Return the values of the slots for the k-th argument of a kernel."""
        if self.dimensions:
            return _array_slots(self, given, k, name)
        if self.dtype == "complex128":
            value = complex(given)
            return (value.real, value.imag)
        return (float(given),) if self.dtype == "float64" else (int(given),)


def _array_slots(argument: Argument, given: Any, k: int, name: str) -> tuple[int, ...]:
    fits = isinstance(given, np.ndarray) and given.dtype == DTYPES[argument.dtype]
    if not fits or given.ndim != argument.dimensions or not given.flags.c_contiguous:
        wanted = f"a C-contiguous {argument.dimensions}-dimensional array of {argument.dtype}"
        came = f"{given.dtype}, shape {given.shape}" if isinstance(given, np.ndarray) else repr(given)
        raise ProgramError(f"argument {k} of {name} is {wanted}, got {came}")
    return (_address(given), *given.shape)


def _address(array: Any) -> int:
    """Return the address of an array's first element; numpy's own ways take three times as long."""
    if array.flags.writeable:
        return ctypes.addressof(_NOTHING.from_buffer(array))
    address: int = array.__array_interface__["data"][0]
    return address


@dataclass(frozen=True)
class Signature:
    """The arguments and the result of a kernel."""

    text: str
    result: str
    arguments: tuple[Argument, ...]
    #: the first slot of each argument
    slots: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        at, slots = 0, []
        for argument in self.arguments:
            slots.append(at)
            at += len(argument.packing)
        object.__setattr__(self, "slots", tuple(slots))

    @cached_property
    def packer(self) -> struct.Struct:
        """Return the whole frame in the format of `struct`."""
        return struct.Struct("=" + "".join(argument.packing for argument in self.arguments))

    @cached_property
    def places(self) -> tuple[tuple[Argument, Callable[..., None], int], ...]:
        """Return for each argument its packing function and its first byte."""
        return tuple(
            (argument, struct.Struct("=" + argument.packing).pack_into, 8 * slot)
            for argument, slot in zip(self.arguments, self.slots, strict=True)
        )

    def frame(self, given: Sequence[Any], name: str) -> bytes:
        """Return the frame that holds these arguments."""
        if len(given) != len(self.arguments):
            raise ProgramError(f"{name} takes {len(self.arguments)} arguments, got {len(given)}")
        values: list[Any] = []
        for k, (argument, value) in enumerate(zip(self.arguments, given, strict=True)):
            values += argument.values(value, k, name)
        return self.packer.pack(*values)


def parse(text: str) -> Signature:
    """Parse a signature such as ``"int64(uint64[::1], float64)"``."""
    match = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", text)
    if match is None or match[1] not in RESULTS:
        raise ProgramError(f"a kernel's signature is result(arguments), the result one of {RESULTS}, got {text!r}")
    parts = [part.strip() for part in re.split(r",(?![^\[]*\])", match[2])] if match[2].strip() else []
    return Signature(text, match[1], tuple(_argument(part, text) for part in parts))


def _argument(part: str, text: str) -> Argument:
    array = _SHAPE.fullmatch(part)
    if array is not None and array[1] in ELEMENTS:
        return Argument(array[1], 1 + array[2].count(":"))
    if part in SCALARS:
        return Argument(part)
    raise ProgramError(f"a kernel takes scalars {tuple(SCALARS)} and arrays like uint64[::1], got {part!r} in {text!r}")

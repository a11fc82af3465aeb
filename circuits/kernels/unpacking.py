"""A numba intrinsic that reads the arguments from a frame; arrays have no owner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from qchess.circuits.kernels.signatures import Argument

Slot = Callable[[Any], Any]


def unpacking(arguments: Sequence[Argument]) -> Any:
    """Return the intrinsic `unpack(frame)`, whose result is the tuple of a kernel's arguments."""
    types: Any = import_module("numba.types")
    intrinsic: Any = import_module("numba.extending").intrinsic
    word: Any = import_module("llvmlite.ir").IntType(64)
    kinds = [_numba_type(types, argument) for argument in arguments]

    def unpack(typing_context: Any, frame: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            at = 0

            def slot(llvm_type: Any) -> Any:
                nonlocal at
                address = builder.add(given[0], word(8 * at))
                at += 1
                return builder.load(builder.inttoptr(address, llvm_type.as_pointer()))

            values = [_argument(context, builder, *pair, slot) for pair in zip(arguments, kinds, strict=True)]
            return context.make_tuple(builder, signature.return_type, values)

        return types.Tuple(kinds)(types.int64), generate

    return intrinsic(unpack)


def _numba_type(types: Any, argument: Argument) -> Any:
    element = types.boolean if argument.dtype == "bool" else getattr(types, argument.dtype)
    return types.Array(element, argument.dimensions, "C") if argument.dimensions else element


def _argument(context: Any, builder: Any, argument: Argument, kind: Any, slot: Slot) -> Any:
    ir: Any = import_module("llvmlite.ir")
    word, real = ir.IntType(64), ir.DoubleType()
    if argument.dimensions:
        return _array(context, builder, kind, slot(word), [slot(word) for _ in range(argument.dimensions)])
    if argument.dtype == "complex128":
        made = context.make_complex(builder, kind)
        made.real, made.imag = slot(real), slot(real)
        return made._getvalue()
    if argument.dtype == "float64":
        return slot(real)
    value = slot(word)
    width = context.get_value_type(kind).width
    return value if width == 64 else builder.trunc(value, ir.IntType(width))


def _array(context: Any, builder: Any, kind: Any, address: Any, shape: list[Any]) -> Any:
    arrays: Any = import_module("numba.np.arrayobj")
    utilities: Any = import_module("numba.core.cgutils")
    element = context.get_data_type(kind.dtype)
    size = shape[0].type(context.get_abi_sizeof(element))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    made = arrays.make_array(kind)(context, builder)
    arrays.populate_array(
        made,
        data=builder.inttoptr(address, element.as_pointer()),
        shape=utilities.pack_array(builder, shape),
        strides=utilities.pack_array(builder, strides),
        itemsize=size,
        meminfo=None,
    )
    return made._getvalue()

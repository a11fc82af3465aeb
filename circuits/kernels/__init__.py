"""Compiled kernels: plain Python functions on arrays, compiled when the package is built, not at the player's.

A kernel's Python source is the truth. It lies in a file named ``kernels.py`` (or ``..._kernels.py``), which
imports neither numba nor llvmlite:

    import numpy as np
    from qchess.circuits.kernels import helper, kernel

    NOISE = 1e-24

    @helper
    def square(value):                       # called by kernels; plain Python besides
        return value.real * value.real + value.imag * value.imag

    @kernel("int64(complex128[::1], float64[::1], int64)")
    def weights(amplitudes, found, count):   # result(arguments); [::1] is a one-dimensional array
        loud = 0
        for k in range(count):
            found[k] = square(amplitudes[k])
            loud += found[k] > NOISE
        return loud

and is called like any function; calls release the interpreter lock:

    loud = weights(amplitudes, found, len(amplitudes))    # about 1.5 us for the call itself

Who calls very often keeps the arrays and their addresses together, one `Bound` a thread:

    bound = weights.bind(amplitudes, found, 0)
    bound.set(2, len(amplitudes))                         # scalars change by their place
    loud = bound()                                        # about 0.3 us

What a kernel may do: arithmetic on int64, int32, int8, uint64, uint8, float64, complex128 and bool; loops, ifs,
tuples (`with_item` changes one item); helpers; constants of its module (numbers, tuples, arrays); ``math.sqrt``. What
it may not: make arrays (hand in workspace), raise, print, call Python objects. The build refuses what needs more of the
outside world. As in numpy, uint64 with int64 makes a float64: write ``np.uint64(k)``.

What serves a call, in this order; `Kernel.way` says which, and `report` says why:

    object    machine code of this platform, made by the build (or once here, kept in the user's cache)
    bitcode   LLVM's portable form from the build; made into an object once, kept in the cache
    numba     compiled here by numba, in a process of its own; kept in the cache
    clear     the Python function itself: right, and slow

An object counts only for the source it was made from: the hash of the source is in its name. Set
``QCHESS_KERNELS`` to one of the four words to use that one alone.
"""

from qchess.circuits.kernels.deadline import OutOfTimeError, check_deadline, deadline
from qchess.circuits.kernels.kernel import Bound, Kernel, kernel
from qchess.circuits.kernels.library import Library, Report, libraries, report
from qchess.circuits.kernels.sources import helper, with_item

__all__ = [
    "Bound",
    "Kernel",
    "Library",
    "OutOfTimeError",
    "Report",
    "check_deadline",
    "deadline",
    "helper",
    "kernel",
    "libraries",
    "report",
    "with_item",
]

"""Compiled kernels: plain Python functions on arrays, compiled when the package is built.

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

For very frequent calls, keep the arrays and their addresses in a `Bound`, one per thread:

    bound = weights.bind(amplitudes, found, 0)
    bound.set(2, len(amplitudes))                         # scalars change by their place
    loud = bound()                                        # about 0.3 us

A kernel may use: arithmetic on int64, int32, int8, uint64, uint8, float64, complex128 and bool; loops, ifs, tuples
(`with_item` changes one item); helpers; constants of its module (numbers, tuples, arrays); ``math.sqrt``. It must not
make arrays (pass workspace), raise, print or call Python objects; the build refuses that. As in numpy, uint64 with
int64 makes a float64: write ``np.uint64(k)``.

A call uses the first of these that works; `Kernel.way` says which one, `report` says why:

    object    machine code of this platform, from the build or from the user's cache
    bitcode   LLVM's portable form from the build; made into an object once, kept in the cache
    numba     compiled here by numba, in a separate process; kept in the cache
    clear     the Python function itself: correct but slow

The hash of the source is in an object's name, so an object is used only for its own source. Set
``QCHESS_KERNELS`` to one of the four words to use only that one.
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

"""What CuPy and cuStateVec are documented to do, on the processor: so far as an adapter asks for it.

It is written from NVIDIA's reference of `custatevec`, and shares nothing with the adapter: bits count from the least
significant, a matrix lies row by row, the first target is the least significant bit of its index.
"""

from __future__ import annotations

import ctypes
import sys
from enum import IntEnum
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

Types = IntEnum("Types", {"CUDA_C_32F": 4, "CUDA_C_64F": 5})
Computing = IntEnum("Computing", {"COMPUTE_32F": 4, "COMPUTE_64F": 16})
Layout = IntEnum("Layout", {"COL": 0, "ROW": 1})
Output = IntEnum("Output", {"RANDNUM_ORDER": 0, "ASCENDING_ORDER": 1})
WORKSPACE = 64


class Array(np.ndarray[Any, Any]):
    """An array that tells where it lies as CuPy's do."""

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data)


def _numbers(place: int, dtype: Any, count: int) -> Any:
    """The numbers at an address."""
    buffer: Any = (ctypes.c_char * (np.dtype(dtype).itemsize * count)).from_address(place)
    return np.frombuffer(buffer, dtype)


def _at(place: int, kind: int, count: int) -> Any:
    return _numbers(place, np.complex128 if kind == Types.CUDA_C_64F else np.complex64, count)


class Library(ModuleType):
    """The functions of `cuquantum.bindings.custatevec` that are asked for."""

    MatrixLayout, SamplerOutput = Layout, Output

    def __init__(self) -> None:
        super().__init__("cuquantum.bindings.custatevec")
        self.handles, self.samplers = list[int](), dict[int, Any]()

    def create(self) -> int:
        self.handles.append(len(self.handles) + 1)
        return self.handles[-1]

    def apply_matrix_get_workspace_size(
        self, handle: int, kind: int, wires: int, matrix: int, of: int, layout: int, adjoint: int, targets: int,
        controls: int, computing: int,
    ) -> int:  # fmt: skip
        assert handle in self.handles
        assert matrix
        assert of == kind
        assert computing == Computing[f"COMPUTE_{64 if kind == Types.CUDA_C_64F else 32}F"]
        assert (layout, adjoint) == (Layout.ROW, 0)
        assert 0 < targets + controls <= wires
        return WORKSPACE if controls else 0

    def apply_matrix(
        self, handle: int, vector: int, kind: int, wires: int, matrix: int, of: int, layout: int, adjoint: int,
        targets: list[int], n_targets: int, controls: list[int], values: list[int], n_controls: int, computing: int,
        place: int, size: int,
    ) -> None:  # fmt: skip
        needed = self.apply_matrix_get_workspace_size(
            handle, kind, wires, matrix, of, layout, adjoint, n_targets, n_controls, computing
        )
        assert size >= needed
        assert bool(place) == bool(size)
        assert (len(targets), len(controls), len(values)) == (n_targets, n_controls, n_controls)
        state, gate = _at(vector, kind, 1 << wires), _at(matrix, of, 4**n_targets).reshape(2**n_targets, -1)
        before = state.copy()
        for index in range(1 << wires):
            if all(index >> bit & 1 == value for bit, value in zip(controls, values, strict=True)):
                row = sum((index >> bit & 1) << k for k, bit in enumerate(targets))
                rest = index & ~sum(1 << bit for bit in targets)
                sources = [rest | sum((c >> k & 1) << bit for k, bit in enumerate(targets)) for c in range(len(gate))]
                state[index] = gate[row] @ before[sources]

    def sampler_create(self, handle: int, vector: int, kind: int, wires: int, shots: int) -> tuple[int, int]:
        assert handle in self.handles
        self.samplers[7] = np.cumsum(np.abs(_at(vector, kind, 1 << wires)) ** 2), shots
        return 7, WORKSPACE

    def sampler_preprocess(self, handle: int, sampler: int, place: int, size: int) -> None:
        assert (sampler in self.samplers, bool(place), size) == (True, True, WORKSPACE)

    def sampler_sample(
        self, handle: int, sampler: int, strings: int, order: int, length: int, drawn: int, shots: int, output: int
    ) -> None:
        steps, most = self.samplers[sampler]
        assert shots <= most
        bits = _numbers(order, np.int32, length)
        randoms = _numbers(drawn, np.float64, shots)
        found = _numbers(strings, np.int64, shots)
        indices = np.searchsorted(steps, np.sort(randoms) if output == Output.ASCENDING_ORDER else randoms)
        found[:] = [sum((int(index) >> bit & 1) << k for k, bit in enumerate(bits)) for index in indices]

    def sampler_destroy(self, sampler: int) -> None:
        del self.samplers[sampler]


def pretend(monkeypatch: pytest.MonkeyPatch) -> Library:
    """Puts the stand-ins where the adapter imports from."""
    cupy, whole, bindings, library = (*map(ModuleType, ("cupy", "cuquantum", "cuquantum.bindings")), Library())
    places: list[Any] = []

    def alloc(size: int) -> Any:
        places.append(ctypes.create_string_buffer(size))
        return SimpleNamespace(ptr=ctypes.addressof(places[-1]))

    vars(cupy).update(
        zeros=lambda size, dtype: np.zeros(size, dtype).view(Array), asnumpy=lambda array: array.view(np.ndarray),
        vdot=np.vdot, cuda=SimpleNamespace(alloc=alloc), __version__="13",
    )  # fmt: skip
    vars(whole).update(cudaDataType=Types, ComputeType=Computing, __version__="26")
    for module in (cupy, whole, bindings, library):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return library

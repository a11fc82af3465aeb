"""NVIDIA cuStateVec through its Python package: a dense vector on a GPU, one call a gate, controls of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from qchess.bench.adapters.adapter import Dense, Either
from qchess.bench.adapters.circuit import Circuit, Complex
from qchess.bench.adapters.gpu.shared import OnGPU


class Call(NamedTuple):
    """A gate: its matrix in the processor's memory, target bits from the least significant, controls."""

    matrix: Complex
    targets: list[int]
    controls: list[int]
    values: list[int]


class State(NamedTuple):
    """The vector on the GPU, as an array of CuPy."""

    circuit: Circuit
    vector: Any


class CuStateVec(OnGPU, Either, Dense):
    """`apply_matrix`; wire 0 is the least significant bit of its index."""

    name = "custatevec"
    modules = ("cupy", "cuquantum")
    little_endian = True
    inside = "a fresh vector on the GPU, `apply_matrix` for each gate, and one amplitude, which waits for all of them"
    outside = (
        "the matrices, in the processor's memory; the handle, the workspace of the gates, the context of the GPU and a "
        "run on two wires"
    )
    options_why = (
        "`precision` is complex128, and complex64 where it is asked for; control values are its own. Never run on a "
        "GPU by us"
    )

    def load(self) -> None:
        """Imports CuPy and the bindings, which until 25.03 were in the package itself."""
        super().load()
        try:
            self.library = import_module("cuquantum.bindings.custatevec")
        except ImportError:
            self.library = import_module("cuquantum.custatevec")

    def versions(self) -> dict[str, str]:
        """As the modules say: the names of the packages have a version of CUDA in them."""
        found = {}
        for name in self.modules:
            with suppress(ImportError):
                found[name] = str(import_module(name).__version__)
        return found

    def begin(self) -> None:
        """Makes the handle, and finds the numbers that stand for the precision."""
        whole = import_module("cuquantum")
        bits = 64 if self.precision == "complex128" else 32
        self.kind = getattr(whole.cudaDataType, f"CUDA_C_{bits}F")
        self.computing = getattr(whole.ComputeType, f"COMPUTE_{bits}F")
        self.cupy = import_module("cupy")
        self.handle = self.library.create()

    def lower(self, circuit: Circuit) -> tuple[Circuit, list[Call]]:
        """What each call is given; the first target of a gate of ours is the most significant bit of its matrix."""
        calls = [
            Call(
                np.ascontiguousarray(step.matrix(), dtype=self.precision),
                list(step.targets[::-1]),
                [wire for wire, _ in step.controls],
                [value for _, value in step.controls],
            )
            for step in circuit.steps
        ]
        return circuit, calls

    def desk(self, lowered: tuple[Circuit, list[Call]]) -> tuple[Any, int]:
        """The memory that its gates need beside the vector, and how much that is."""
        circuit, calls = lowered
        shapes = {(len(call.targets), len(call.controls)): call for call in calls}
        needed = [
            self.library.apply_matrix_get_workspace_size(
                self.handle, self.kind, circuit.wires, *self._matrix(call), *shape, self.computing
            )
            for shape, call in shapes.items()
        ]
        most = max(needed, default=0)
        return (self.cupy.cuda.alloc(most) if most else None), most

    def run(self, lowered: tuple[Circuit, list[Call]], desk: tuple[Any, int]) -> State:
        """A fresh vector after all gates; they may be under way until it is read."""
        circuit, calls = lowered
        place, size = desk
        vector = self.cupy.zeros(1 << circuit.wires, dtype=self.precision)
        vector[circuit.turned(circuit.start())] = 1
        for call in calls:
            self.library.apply_matrix(
                self.handle, vector.data.ptr, self.kind, circuit.wires, *self._matrix(call),
                call.targets, len(call.targets), call.controls, call.values, len(call.controls),
                self.computing, place.ptr if place else 0, size,
            )  # fmt: skip
        return State(circuit, vector)

    def _matrix(self, call: Call) -> tuple[Any, ...]:
        """The matrix as the library is told it: where it is, of what, row by row, and not to be turned over."""
        return call.matrix.ctypes.data, self.kind, self.library.MatrixLayout.ROW, 0

    def touch(self, state: State, key: int) -> float:
        """One amplitude, brought to the processor's memory."""
        return float(abs(state.vector[state.circuit.turned(key)].item()) ** 2)

    def vector(self, state: State) -> Complex:
        """A copy of all amplitudes in the processor's memory."""
        return np.asarray(self.cupy.asnumpy(state.vector))

    def norm(self, state: State) -> float:
        """Summed on the GPU."""
        return float(self.cupy.vdot(state.vector, state.vector).real)

    def sample(self, lowered: Any, state: State, shots: int, seed: int) -> Sequence[int]:
        """Its own sampler, with random numbers of ours."""
        wires = state.circuit.wires
        found, order = np.empty(shots, dtype=np.int64), np.arange(wires, dtype=np.int32)
        drawn = np.random.default_rng(seed).random(shots)
        sampler, size = self.library.sampler_create(self.handle, state.vector.data.ptr, self.kind, wires, shots)
        try:
            place = self.cupy.cuda.alloc(size)
            self.library.sampler_preprocess(self.handle, sampler, place.ptr, size)
            self.library.sampler_sample(
                self.handle, sampler, found.ctypes.data, order.ctypes.data, wires, drawn.ctypes.data, shots,
                self.library.SamplerOutput.ASCENDING_ORDER,
            )  # fmt: skip
        finally:
            self.library.sampler_destroy(sampler)
        return [state.circuit.turned(key) for key in found.tolist()]

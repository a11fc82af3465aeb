"""The catalogue of simulators. A new one is a file here and a row, a package's entry point, or any file.

Options follow a name as in the catalogue of backends: ``aer-mps,max_bond=32``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.abc import Loader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from qchess.backends import registry
from qchess.backends.options import named
from qchess.backends.registry import Registry
from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.function import Function
from qchess.circuits.errors import BackendError, UnknownBackendError

_HERE = "qchess.bench.adapters"


@dataclass(frozen=True, slots=True)
class Row(registry.Row):
    """A simulator's row; its maker is a class of adapters, or a function."""

    options: tuple[tuple[str, Any], ...] = ()


CATALOGUE = (
    Row("sparse", "our sparse engine, the whole circuit in one call", f"{_HERE}.sparse:Sparse"),
    Row("registers", "our registers on the sparse engine, factored, with their history", f"{_HERE}.registers:Factored"),
    Row("qblaze", "qblaze, sparse, queues gates (Rust)", f"{_HERE}.qblaze:QBlaze"),
    Row("ddsim", "MQT DDSIM, decision diagrams (C++)", f"{_HERE}.ddsim:DDSim"),
    Row("qulacs", "Qulacs, dense (C++)", f"{_HERE}.qulacs:Qulacs"),
    Row("qsim", "qsim, dense, single precision (C++)", f"{_HERE}.qsim:QSim"),
    Row("cirq", "Cirq, dense (numpy)", f"{_HERE}.cirq:Cirq"),
    Row("cirq-c64", "Cirq in its own single precision", f"{_HERE}.cirq:Cirq", (("precision", "complex64"),)),
    Row("aer", "Qiskit Aer, dense (C++)", f"{_HERE}.aer:AerDense"),
    Row("aer-c64", "Qiskit Aer, single precision", f"{_HERE}.aer:AerDense", (("precision", "complex64"),)),
    Row("aer-mps", "Qiskit Aer, matrix product states", f"{_HERE}.aer:AerMPS"),
    Row("aer-mps-16", "Qiskit Aer, bonds cut at 16", f"{_HERE}.aer:AerMPS", (("max_bond", 16),)),
    Row("lightning", "PennyLane Lightning, dense (C++)", f"{_HERE}.lightning:Lightning"),
    Row("quimb-mps", "quimb, matrix product states (numpy)", f"{_HERE}.quimb:QuimbMPS"),
    Row("stim", "Stim, stabiliser tableaus (C++); Clifford circuits only", f"{_HERE}.stim:Stim"),
    Row("braket", "Amazon Braket's local simulator, dense (numpy)", f"{_HERE}.braket:Braket"),
    Row("qrack", "Qrack, dense where it must be, float32 (C++)", f"{_HERE}.qrack:Qrack"),
    Row("aer-gpu", "Qiskit Aer on a GPU, dense", f"{_HERE}.gpu.aer:AerGPU"),
    Row("custatevec", "NVIDIA cuStateVec on a GPU, dense", f"{_HERE}.gpu.custatevec:CuStateVec"),
    Row("qsim-gpu", "qsim on a GPU, dense, single precision", f"{_HERE}.gpu.qsim:QSimGPU"),
)


SIMULATORS = Registry("simulator", "qchess.simulators", CATALOGUE, Row, BackendError, UnknownBackendError)
names = SIMULATORS.names


def get(name: str) -> Adapter:
    """Return the adapter of that name; a name ending in ``.py`` or ``.py:FUNCTION`` is a file's.

    >>> get("sparse").precision
    'complex128'
    """
    base, options = named(name, "simulator", BackendError)
    if ".py" in base:
        return _from_file(base, options)
    if options.get("device") == "GPU" and f"{base}-gpu" in names():
        base = f"{base}-gpu"
    row = SIMULATORS.find(base)
    return _made(name, row.loaded(), {**dict(row.options), **options})


def _made(name: str, thing: Any, options: dict[str, Any]) -> Adapter:
    """Return an adapter made of a class of adapters, or of a function."""
    if isinstance(thing, type) and issubclass(thing, Adapter):
        made = thing(**options)
        made.name = name  # the catalogue's name, with the options
        return made
    if callable(thing):
        return Function(name, thing, **options)
    raise BackendError(f"expected a function or an Adapter for simulator {name!r}, got {thing!r}")


def _from_file(text: str, options: dict[str, Any]) -> Adapter:
    """Return the function or class of a file, named after the colon, or else called ``simulate``."""
    path, _, wanted = text.partition(":")
    file = Path(path).resolve()
    spec = spec_from_file_location(f"simulator_{file.stem}", file)
    if not file.is_file() or spec is None or spec.loader is None:
        raise BackendError(f"expected a Python file with a simulator, got {path!r}")
    module = _executed(module_from_spec(spec), spec.loader, file.parent)
    wanted = wanted or "simulate"
    if not hasattr(module, wanted):
        raise BackendError(f"{path} has no {wanted!r}; write the simulator as {path}:FUNCTION")
    label = file.stem if wanted == "simulate" else wanted
    return _made(label, getattr(module, wanted), options)


def _executed(module: ModuleType, loader: Loader, folder: Path) -> ModuleType:
    """Execute a file as Python executes a script: it can import the files beside it, now and later."""
    for name in _BESIDE:  # another simulator's folder may have other files of these names
        sys.modules.pop(name, None)
    if folder not in map(Path.resolve, map(Path, sys.path)):
        _FOLDERS.add(folder)
    sys.path[:] = [str(folder), *(place for place in sys.path if place != str(folder))]
    sys.modules[module.__name__] = module  # dataclasses look for their module there
    before = set(sys.modules)
    try:
        loader.exec_module(module)
    finally:
        if folder in _FOLDERS:
            _BESIDE.update(name for name in sys.modules.keys() - before if _beside(name.partition(".")[0], folder))
    return module


def _beside(name: str, folder: Path) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()


#: folders searched only for simulators' modules, and the modules found there
_FOLDERS: set[Path] = set()
_BESIDE: set[str] = set()

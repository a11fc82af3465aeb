"""A library: the kernels of one module, loaded together in the best available way."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple

from qchess.circuits.errors import BackendError, ProgramError
from qchess.circuits.kernels import linking, places
from qchess.circuits.kernels.signatures import Signature
from qchess.circuits.kernels.sources import source_hash
from qchess.circuits.locks import in_turn

OBJECT, BITCODE, NUMBA, CLEAR = WAYS = ("object", "bitcode", "numba", "clear")
PACKAGES = ("qchess", "qchess.circuits", "qchess.backends")
#: the environment variable that selects a single way
CHOICE = "QCHESS_KERNELS"
#: compiling here is given up after this many seconds
PATIENCE = 600

Function = Callable[..., Any]


class Report(NamedTuple):
    """How a library is served: the way, the place of its code, and why no better way was possible."""

    module: str
    way: str
    where: str
    milliseconds: float
    notes: tuple[str, ...]

    def __str__(self) -> str:
        why = f" ({'; '.join(self.notes)})" if self.notes else ""
        return f"{self.module}: {self.way}, {self.where or 'Python'}, {self.milliseconds:.0f} ms{why}"


class Library:
    """The kernels of one module; loaded on the first call."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.sources: dict[str, tuple[Function, Signature]] = {}
        self._lock = threading.RLock()
        self._report: Report | None = None
        self._functions: dict[str, Function] = {}

    def add(self, function: Function, signature: Signature) -> None:
        """Add a kernel, before the library is loaded."""
        name = function.__name__
        if name in self.sources and self.sources[name][0].__code__ != function.__code__:
            raise ProgramError(f"{self.module} has two kernels named {name!r}")
        self.sources[name] = (function, signature)

    @property
    def key(self) -> str:
        """Return the hash of everything the kernels are made from."""
        return source_hash(function for function, _ in self.sources.values())

    def function(self, name: str) -> Function | None:
        """Return the compiled function that takes a frame, or None if the clear code serves."""
        if self._report is None:
            self.load()
        return self._functions.get(name)

    def report(self) -> Report:
        """Return how the library is served; loads it if needed."""
        return self._report or self.load()

    def load(self) -> Report:
        """Load the library in the first way that works."""
        with self._lock:
            if self._report is None:
                began = time.perf_counter()
                way, where, notes = self._choose()
                taken = (time.perf_counter() - began) * 1000
                self._report = Report(self.module, way, where, taken, tuple(notes))
            return self._report

    def forget(self) -> None:
        """Reload at the next call, after a change on disk or in the environment."""
        with self._lock:
            self._report, self._functions = None, {}

    # -- the ways ------------------------------------------------------------------------------------

    def _choose(self) -> tuple[str, str, list[str]]:
        choice = os.environ.get(CHOICE, "")
        if choice and choice not in WAYS:
            raise BackendError(f"{CHOICE} is one of {', '.join(WAYS)} or empty, got {choice!r}")
        if choice == CLEAR:
            return CLEAR, "", [f"{CHOICE}={CLEAR}"]
        if find_spec("llvmlite") is None:
            return CLEAR, "", ["llvmlite is not installed"]
        notes: list[str] = []
        key = self.key
        for way, attempt in ((OBJECT, self._from_object), (BITCODE, self._from_bitcode), (NUMBA, self._from_numba)):
            if not choice or choice == way:
                where, why = attempt(key)
                if where:
                    return way, where, notes
                notes.append(why)
        return CLEAR, "", notes

    def _from_object(self, key: str) -> tuple[str, str]:
        """Link an object from the build or the cache."""
        name = places.object_name(self.module, key, places.here())
        for folder in (places.BUILT, places.cache()):
            path = folder / name
            if not path.is_file():
                continue
            code = path.read_bytes()
            if not linking.is_object(code):
                return "", f"{path} is not machine code that LLVM can read"
            if self._link(code):
                return str(path), ""
        other = places.BUILT.is_dir() and any(places.BUILT.glob(f"{self.module}-*.o"))
        reason = "the objects that were built belong to another source or platform" if other else "no object was built"
        return "", reason

    def _from_bitcode(self, key: str) -> tuple[str, str]:
        """Make an object from the portable form, and keep it."""
        path = places.BUILT / places.bitcode_name(self.module, key)
        if not path.is_file():
            return "", "no bitcode of this source"
        try:
            code = linking.object_from_bitcode(path.read_bytes())
        except RuntimeError as error:
            return "", f"this LLVM does not read the bitcode ({str(error).splitlines()[0]})"
        if not self._link(code):
            return "", "the bitcode lacks a kernel"
        self._keep(key, code)
        return str(path), ""

    def _keep(self, key: str, code: bytes) -> None:
        try:
            places.write_whole(places.cache() / places.object_name(self.module, key, places.here()), code)
        except OSError as error:
            sys.stderr.write(f"qchess: compiled kernels cannot be stored for the next time: {error}\n")

    def _from_numba(self, key: str) -> tuple[str, str]:
        """Let numba compile the module in a separate process, into the cache."""
        if find_spec("numba") is None:
            return "", "numba is not installed"
        if self.module == "__main__":
            return "", "kernels in a script have no module that could be compiled; put them in a file kernels.py"
        path = places.cache() / places.object_name(self.module, key, places.here())
        try:
            said = self._compiled_into(path)
        except OSError as error:
            said = str(error)
        if said or not self._link(path.read_bytes()):
            return "", f"numba could not compile it: {(said or 'it lacks a kernel').strip().splitlines()[-1]}"
        return str(path), ""

    def _compiled_into(self, path: Path) -> str:
        """Compile into the cache, unless another process does; returns what went wrong.

        Several processes may want it at once, and the compiling one may be killed: the others wait for its compiler.
        """
        with in_turn(path.with_name(f".{path.name}.lock"), PATIENCE) as lock:
            if path.is_file():
                return ""
            done = compile_modules([self.module], path.parent, [places.here()], held=lock)
            return "" if done.returncode == 0 and path.is_file() else done.stderr or "the compiler returned no object"

    def _link(self, code: bytes) -> bool:
        linked = linking.Linked(code)
        functions = linked.functions((name, signature) for name, (_, signature) in self.sources.items())
        if functions:
            _LINKED.append(linked)  # for ever: whoever bound a function keeps its address, also after `forget`
            self._functions = functions
        return bool(functions)


def compile_modules(
    modules: list[str], folder: Path, targets: list[str], *, held: IO[Any] | None = None
) -> subprocess.CompletedProcess[str]:
    """Compile in a separate process, where numba can target any processor.

    That process inherits an open file, if given, and with it the file's lock.
    """
    command = [sys.executable, "-m", "qchess.circuits.kernels.building", str(folder), "--targets", *targets]
    return subprocess.run(
        [*command, "--modules", *modules],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        pass_fds=() if held is None or sys.platform == "win32" else (held.fileno(),),
    )


_LIBRARIES: dict[str, Library] = {}
#: all code linked in this process
_LINKED: list[linking.Linked] = []


def library(module: str) -> Library:
    """Return the library of a module; made when its first kernel asks for it."""
    return _LIBRARIES.setdefault(module, Library(module))


def libraries() -> tuple[Library, ...]:
    """All libraries whose modules were imported."""
    return tuple(_LIBRARIES.values())


def discover() -> list[str]:
    """Return the modules that hold kernels: files named ``kernels.py`` or ``..._kernels.py``."""
    found: dict[str, None] = {}
    for package in PACKAGES:
        home = Path(import_module(package).__path__[0])
        for path in sorted(home.rglob("*kernels.py")):
            if path.name == "kernels.py" or path.name.endswith("_kernels.py"):
                found[".".join((package, *path.relative_to(home).with_suffix("").parts))] = None
    return list(found)


def report(*, every: bool = False) -> tuple[Report, ...]:
    """Return how each imported library is served; with `every`, all of this package are imported first.

    Libraries not used yet are loaded.
    """
    if every:
        for name in discover():
            import_module(name)
    return tuple(found.report() for found in libraries() if found.sources)

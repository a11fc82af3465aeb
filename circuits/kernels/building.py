"""Compiles kernels with numba: objects for several platforms and LLVM's portable form, tied to their source.

The build of a wheel and of an editable install runs it, as does whoever changed a kernel:

    python -m qchess.circuits.kernels.building            # all kernels, this platform, beside this file
    python -m qchess.circuits.kernels.building FOLDER --targets linux-aarch64 --modules some.kernels

One machine makes the objects of all platforms. They use what every processor of a platform has.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from qchess.circuits.errors import BackendError
from qchess.circuits.kernels import places
from qchess.circuits.kernels.library import Library, discover, library
from qchess.circuits.kernels.linking import ENTRY, emitted, object_from_bitcode
from qchess.circuits.kernels.signatures import Signature
from qchess.circuits.kernels.sources import parts, with_item
from qchess.circuits.kernels.unpacking import unpacking

#: the only symbols a kernel may need from its process: every C library has these
ALLOWED = {"memset", "memcpy", "memmove", "sqrt"}
#: numba's options for what Python never calls
NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
#: how many versions of a module's files stay in the user's cache
LEFT_IN_CACHE = 16
#: known to LLVM by name, but on some platforms supplied by a maths library
MATHEMATICS = re.compile(
    r"llvm\.(a?(sin|cos|tan)h?|sincos|exp\w*|log\w*|pow\w*|fma|fmuladd|ldexp|frexp|floor|ceil|trunc|n?ear\w*|rint|round\w*|l+r\w*)\."
)


def build(modules: Iterable[str], folder: Path, targets: Sequence[str], *, reuse: bool = False) -> list[Path]:
    """Write the objects and the portable form of each module's kernels; returns their paths.

    With `reuse`, files made before from the same source are kept, or taken from the user's cache.
    """
    return [path for name in modules for path in build_module(name, folder, targets, reuse)]


def build_module(name: str, folder: Path, targets: Sequence[str], reuse: bool) -> list[Path]:
    """Build the files of one module."""
    import_module(name)
    found = library(name)
    if not found.sources:
        return []
    portable = places.bitcode_name(name, found.key)
    objects = {places.object_name(name, found.key, target): target for target in targets}
    files = _kept([portable, *objects], [folder, places.cache()]) if reuse else {}
    if not {portable, *objects} <= files.keys():
        bitcode = files.get(portable) or compiled(found).as_bitcode()
        files = {portable: bitcode, **{file: files.get(file) or _object(bitcode, objects[file]) for file in objects}}
    _drop_stale(folder, name, files)
    for file, content in files.items():
        places.write_whole(folder / file, content)
    return [folder / file for file in files]


def _drop_stale(folder: Path, module: str, files: Iterable[str]) -> None:
    """Remove files of other versions of the module: all in a build, all but the newest in the user's cache.

    Several checkouts share the cache; none removes a version that another one uses.
    """
    keep = {folder / file for file in files}
    others = sorted((path for path in folder.glob(f"{module}-*") if path not in keep), key=_age)
    for stale in others[LEFT_IN_CACHE if folder == places.cache() else 0 :]:
        stale.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Return a sort key, newest first; a file just removed by another process counts as old."""
    try:
        return -path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _kept(names: Sequence[str], folders: Iterable[Path]) -> dict[str, bytes]:
    """Return those of these files that exist, each from the first folder that has it."""
    found = {name: folder / name for folder in reversed([*folders]) for name in names if (folder / name).is_file()}
    return {name: found[name].read_bytes() for name in names if name in found}


def _object(bitcode: bytes, target: str) -> bytes:
    """Return machine code for a platform; native code for a platform without wheels."""
    import llvmlite.binding as llvm

    if target not in places.TRIPLES:
        return object_from_bitcode(bitcode)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple = places.TRIPLES[target]
    return emitted(llvm.parse_bitcode(bitcode), llvm.Target.from_triple(triple), triple)


def compiled(found: Library) -> Any:
    """Return the library as one LLVM module that exports its entry points and needs almost nothing else."""
    import llvmlite.binding as llvm

    helpers, _ = parts(function for function, _ in found.sources.values())
    _lend_tuples()
    for function in helpers:
        _lend(function)
    whole = llvm.parse_assembly("")
    entries = []
    with _text_alone():
        drafts = [
            (name, signature, *_inner(function, signature)) for name, (function, signature) in found.sources.items()
        ]
    for name, signature, inner, text in drafts:
        code = llvm.parse_assembly(text)
        code.link_in(llvm.parse_assembly(_wrapper(name, inner, signature)))
        entries.append(ENTRY.format(name))
        _hide(code, {entries[-1]})
        whole.link_in(code)
    _require_alone(whole, found.module)
    whole.verify()
    return whole


def _lend(function: Callable[..., Any]) -> None:
    """Let numba compile calls of a helper."""
    from numba.extending import register_jitable

    register_jitable(**NO_WRAPPERS)(function)


def _lend_tuples() -> None:
    """Let numba compile `with_item`, through an intrinsic."""
    overload: Any = import_module("numba.extending").overload
    tuple_setitem: Any = import_module("numba.cpython.unsafe.tuple").tuple_setitem

    def typed(items, k, value):  # type: ignore[no-untyped-def]
        def compiled(items, k, value):  # type: ignore[no-untyped-def]
            return tuple_setitem(items, k, value)

        return compiled

    overload(with_item)(typed)


@contextmanager
def _text_alone() -> Iterator[None]:
    """Keep numba to the text of entry points, which is all that is read here: it takes half the time.

    Otherwise it optimises each helper by itself, though all are optimised again inside their entry points, and makes
    machine code of it, to be called from Python.
    """
    codegen: Any = import_module("numba.core.codegen")
    target: Any = import_module("numba.core.registry").cpu_target.target_context

    class Text(codegen.JITCodeLibrary):  # type: ignore[misc]
        def _optimize_final_module(self) -> None:
            if self.name.endswith("<locals>.entry"):
                super()._optimize_final_module()

        def _finalize_specific(self) -> None:
            pass

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

    class Texts(codegen.JITCPUCodegen):  # type: ignore[misc]
        _library_class = Text

        def set_env(self, env_name: str, env: object) -> None:
            pass

    usual, target._internal_codegen = target._internal_codegen, Texts("qchess")
    try:
        yield
    finally:
        target._internal_codegen = usual


def _inner(function: Callable[..., Any], signature: Signature) -> tuple[str, str]:
    """Return the name and LLVM text of a kernel that takes the address of its frame."""
    njit: Any = import_module("numba").njit
    options = {"nogil": True, "error_model": "numpy", "_nrt": False, **NO_WRAPPERS}
    body = njit(**options)(function)
    unpack = unpacking(signature.arguments)

    def entry(frame):  # type: ignore[no-untyped-def]
        return body(*unpack(frame))

    dispatcher = njit(**options)(entry)
    dispatcher.compile(f"{signature.result}(int64)")
    (result,) = dispatcher.overloads.values()
    return result.fndesc.llvm_func_name, result.library.get_llvm_str()


def _wrapper(name: str, inner: str, signature: Signature) -> str:
    """Return the C function of one argument that calls numba's; result and status go through pointers."""
    from llvmlite import ir

    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
    kind = ir.DoubleType() if signature.result == "float64" else word
    result = pointer if signature.result == "void" else kind
    module = ir.Module()
    called = ir.Function(
        module, ir.FunctionType(ir.IntType(32), [result.as_pointer(), pointer.as_pointer(), word]), inner
    )
    entry = ir.Function(module, ir.FunctionType(kind, [word]), ENTRY.format(name))
    builder = ir.IRBuilder(entry.append_basic_block())
    value, problem = builder.alloca(result), builder.alloca(pointer)
    builder.call(called, [value, problem, entry.args[0]])
    builder.ret(word(0) if signature.result == "void" else builder.load(value))
    return str(module)


def _hide(module: Any, kept: set[str]) -> None:
    """Make everything private except the entry points, and drop what is then unused."""
    for thing in [*module.functions, *module.global_variables]:
        if not thing.is_declaration and thing.name not in kept:
            thing.linkage = "internal"
    _drop_unused(module)


def _drop_unused(module: Any) -> None:
    """Remove what no entry point reaches; the call depends on llvmlite's version."""
    import llvmlite.binding as llvm

    if hasattr(llvm, "create_module_pass_manager"):
        old = llvm.create_module_pass_manager()
        old.add_global_dce_pass()
        old.run(module)
        return
    manager = llvm.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    machine = llvm.Target.from_default_triple().create_target_machine()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))


def _require_alone(module: Any, name: str) -> None:
    """Raise an error if the code calls into numba, Python or a maths library."""
    declared = {f.name for f in module.functions if f.is_declaration}
    outside = {name for name in declared if not name.startswith("llvm.") or MATHEMATICS.match(name)}
    if outside - ALLOWED:
        raise BackendError(
            f"kernels of {name} call {sorted(outside - ALLOWED)}, but only memory functions and sqrt are there "
            "where they run: "
            "hand in workspace in place of making arrays, raise nothing, and keep to + - * / and square roots"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Build what the command line names."""
    # numba aims at the processor it runs on, unless it is told otherwise before it is imported
    os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=places.BUILT, help="where the files go")
    parser.add_argument("--targets", nargs="+", default=[places.here()], help=f"of {', '.join(places.TRIPLES)}")
    parser.add_argument("--modules", nargs="+", help="default: all of this package")
    parser.add_argument("--reuse", action="store_true", help="reuse what was compiled from the same source before")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of compiling processes")
    options = parser.parse_args(arguments)
    modules = options.modules or discover()
    made = partial(build_module, folder=options.folder, targets=options.targets, reuse=options.reuse)
    for paths in _side_by_side(made, modules, min(options.jobs, len(modules))):
        sys.stdout.writelines(f"{path}\n" for path in paths)


def _side_by_side(made: Callable[[str], list[Path]], modules: Sequence[str], jobs: int) -> Iterator[list[Path]]:
    """Yield the result for each module, in order, from this many processes; with one, no further process is started."""
    if jobs <= 1:
        yield from map(made, modules)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(made, modules)


if __name__ == "__main__":
    main()

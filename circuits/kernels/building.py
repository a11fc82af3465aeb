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

#: all that a kernel may ask of the process it runs in: every C library has these
ALLOWED = {"memset", "memcpy", "memmove", "sqrt"}
#: so many files of a module's other sources stay in the user's cache
LEFT_IN_CACHE = 16
#: what LLVM knows by name, yet leaves to a library of mathematics on some platform
MATHEMATICS = re.compile(
    r"llvm\.(a?(sin|cos|tan)h?|sincos|exp\w*|log\w*|pow\w*|fma|fmuladd|ldexp|frexp|floor|ceil|trunc|n?ear\w*|rint|round\w*|l+r\w*)\."
)


def build(modules: Iterable[str], folder: Path, targets: Sequence[str], *, reuse: bool = False) -> list[Path]:
    """Writes the objects and the portable form of each module's kernels; says which files.

    With `reuse`, each file that was made from the same source before is kept, or taken from the user's cache.
    """
    return [path for name in modules for path in build_module(name, folder, targets, reuse)]


def build_module(name: str, folder: Path, targets: Sequence[str], reuse: bool) -> list[Path]:
    """The files of one module."""
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
    """Removes what the module's other sources left: all of it from a build, all but the newest from the user's cache.

    Several checkouts share the cache; none throws out what another one runs.
    """
    keep = {folder / file for file in files}
    others = sorted((path for path in folder.glob(f"{module}-*") if path not in keep), key=_age)
    for stale in others[LEFT_IN_CACHE if folder == places.cache() else 0 :]:
        stale.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Orders files from the newest; one that another process just removed counts as old."""
    try:
        return -path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _kept(names: Sequence[str], folders: Iterable[Path]) -> dict[str, bytes]:
    """Those of these files that are there, each from the first folder that has it."""
    found = {name: folder / name for folder in reversed([*folders]) for name in names if (folder / name).is_file()}
    return {name: found[name].read_bytes() for name in names if name in found}


def _object(bitcode: bytes, target: str) -> bytes:
    """Machine code for a platform; a native one for a platform that no wheel serves."""
    import llvmlite.binding as llvm

    if target not in places.TRIPLES:
        return object_from_bitcode(bitcode)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple = places.TRIPLES[target]
    return emitted(llvm.parse_bitcode(bitcode), llvm.Target.from_triple(triple), triple)


def compiled(found: Library) -> Any:
    """The library as one LLVM module that shows its entry points and needs next to nothing."""
    import llvmlite.binding as llvm

    helpers, _ = parts(function for function, _ in found.sources.values())
    _lend_tuples()
    for function in helpers:
        _lend(function)
    whole = llvm.parse_assembly("")
    entries = []
    for name, (function, signature) in found.sources.items():
        inner, text = _inner(function, signature)
        code = llvm.parse_assembly(text)
        code.link_in(llvm.parse_assembly(_wrapper(name, inner, signature)))
        entries.append(ENTRY.format(name))
        _hide(code, {entries[-1]})
        whole.link_in(code)
    _require_alone(whole, found.module)
    whole.verify()
    return whole


def _lend(function: Callable[..., Any]) -> None:
    """Lets numba compile calls of a helper."""
    from numba.extending import register_jitable

    register_jitable(function)


def _lend_tuples() -> None:
    """Lets numba compile `with_item`, for which it has an intrinsic of its own."""
    overload: Any = import_module("numba.extending").overload
    tuple_setitem: Any = import_module("numba.cpython.unsafe.tuple").tuple_setitem

    def typed(items, k, value):  # type: ignore[no-untyped-def]
        def compiled(items, k, value):  # type: ignore[no-untyped-def]
            return tuple_setitem(items, k, value)

        return compiled

    overload(with_item)(typed)


def _inner(function: Callable[..., Any], signature: Signature) -> tuple[str, str]:
    """The name and the LLVM text of a kernel that takes the address of its frame."""
    njit: Any = import_module("numba").njit
    options = {"nogil": True, "error_model": "numpy", "_nrt": False}
    body = njit(**options)(function)
    unpack = unpacking(signature.arguments)

    def entry(frame):  # type: ignore[no-untyped-def]
        return body(*unpack(frame))

    dispatcher = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(entry)
    dispatcher.compile(f"{signature.result}(int64)")
    (result,) = dispatcher.overloads.values()
    return result.fndesc.llvm_func_name, result.library.get_llvm_str()


def _wrapper(name: str, inner: str, signature: Signature) -> str:
    """The C function of one argument that calls numba's, whose result and status travel through pointers."""
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
    """Makes everything private but the entry points, and drops what nobody calls then."""
    for thing in [*module.functions, *module.global_variables]:
        if not thing.is_declaration and thing.name not in kept:
            thing.linkage = "internal"
    _drop_unused(module)


def _drop_unused(module: Any) -> None:
    """Removes what no entry point reaches; llvmlite has two ways to say so, by its age."""
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
    """An error where the code calls into numba, Python or a library of mathematics."""
    declared = {f.name for f in module.functions if f.is_declaration}
    outside = {name for name in declared if not name.startswith("llvm.") or MATHEMATICS.match(name)}
    if outside - ALLOWED:
        raise BackendError(
            f"kernels of {name} call {sorted(outside - ALLOWED)}, but only memory functions and sqrt are there "
            "where they run: "
            "hand in workspace in place of making arrays, raise nothing, and keep to + - * / and square roots"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Builds what the command line names."""
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
    """What is made of each module, in order, by so many processes; one needs no other process."""
    if jobs <= 1:
        yield from map(made, modules)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(made, modules)


if __name__ == "__main__":
    main()

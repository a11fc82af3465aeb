"""A kernel is its Python source: every way gives what it gives, and a changed one is not served by old code."""

from __future__ import annotations

import importlib
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from qchess.circuits import ProgramError
from qchess.circuits.kernels import building, kernel, libraries, linking, places, report
from qchess.circuits.kernels.library import Library, compile_modules, library

HERE = Path(__file__).parent
SAMPLE = "sample_kernels"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel's build makes of the sample: objects of all platforms, and bitcode."""
    pytest.importorskip("numba")
    out = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "qchess.circuits.kernels.building", str(out), "--modules", SAMPLE]
    path = os.pathsep.join([str(HERE), *(path or "." for path in sys.path)])
    done = subprocess.run(
        [*command, "--targets", *places.TRIPLES],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The sample, with no object anywhere yet."""
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setattr(places, "BUILT", tmp_path / "built")
    monkeypatch.setenv("QCHESS_KERNEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("QCHESS_KERNELS", raising=False)
    module = importlib.import_module(SAMPLE)
    library(SAMPLE).forget()
    return module


def take(built: Path, *suffixes: str) -> None:
    """Puts those of the build's files in place."""
    places.BUILT.mkdir(exist_ok=True)
    for path in built.iterdir():
        if path.name.endswith(suffixes):
            shutil.copy(path, places.BUILT)


def outcomes(call: Callable[[Any], Callable[..., Any]], module: ModuleType) -> list[Any]:
    """What the sample's kernels give on some arguments, arrays included."""
    rng = np.random.default_rng(5)
    amplitudes = rng.normal(size=9) + 1j * rng.normal(size=9)
    amplitudes[4] = 1e-13
    found, state = np.zeros(9), np.array([2**63 + 5], np.uint64)
    rows, board = rng.integers(-9, 9, (3, 5)), np.ones(3000, np.int8)
    loud = call(module.weights)(amplitudes, found, 9)
    total = call(module.mixed)(rows, 2 - 3j, True, np.uint64(2**63 + 2**61), 0.5, board, -4)
    calm = call(module.mixed)(rows, 2 - 3j, False, np.uint64(1), 0.5, board, 7)
    assert call(module.spin)(state, 1000) is None
    return [loud, found.tolist(), total, calm, int(board.sum()), int(state[0])]


def clear_outcomes(module: ModuleType) -> list[Any]:
    with np.errstate(over="ignore"):
        return outcomes(lambda found: found.clear, module)


@pytest.mark.slow
def test_an_object_of_the_build_gives_what_the_source_gives(sample: ModuleType, built: Path) -> None:
    take(built, f"{places.here()}.o")
    assert outcomes(lambda found: found, sample) == clear_outcomes(sample)
    assert sample.weights.way == "object"
    assert sample.weights.compiled


@pytest.mark.slow
def test_bitcode_serves_a_platform_without_an_object_and_becomes_one(sample: ModuleType, built: Path) -> None:
    take(built, ".bc")
    assert outcomes(lambda found: found, sample) == clear_outcomes(sample)
    assert sample.weights.way == "bitcode"
    library(SAMPLE).forget()
    assert sample.weights.way == "object"
    assert str(places.cache()) in library(SAMPLE).report().where


@pytest.mark.slow
def test_without_a_build_numba_compiles_once_and_the_next_process_loads(sample: ModuleType) -> None:
    pytest.importorskip("numba")
    assert outcomes(lambda found: found, sample) == clear_outcomes(sample)
    assert sample.weights.way == "numba"
    library(SAMPLE).forget()
    assert sample.weights.way == "object"


def test_with_neither_numba_nor_llvmlite_the_source_serves(sample: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from qchess.circuits.kernels import library as module

    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert outcomes(lambda found: found, sample) == clear_outcomes(sample)
    assert sample.weights.way == "clear"
    assert not sample.weights.compiled
    assert "llvmlite is not installed" in library(SAMPLE).report().notes


def test_without_numba_only_what_was_built_serves(
    sample: ModuleType, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qchess.circuits.kernels import library as module

    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "numba" else name)
    assert sample.weights.way == "clear"
    assert "numba is not installed" in library(SAMPLE).report().notes
    take(built, f"{places.here()}.o")
    library(SAMPLE).forget()
    assert sample.weights.way == "object"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["object", "bitcode", "numba", "clear"])
def test_one_way_can_be_asked_for_alone(
    sample: ModuleType, built: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(built, ".o", ".bc")
    monkeypatch.setenv("QCHESS_KERNELS", way)
    assert sample.weights.way == way


def test_no_other_word_is_a_way(sample: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QCHESS_KERNELS", "fast")
    with pytest.raises(ValueError, match="object, bitcode, numba, clear or empty, got 'fast'"):
        library(SAMPLE).report()


def test_a_changed_source_is_never_served_by_an_old_object(
    sample: ModuleType, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(built, f"{places.here()}.o")
    monkeypatch.setattr(sample, "NOISE", 1e-3)
    monkeypatch.setenv("QCHESS_KERNELS", "object")
    told = library(SAMPLE).report()
    assert told.way == "clear"
    assert "the objects that were built belong to another source or platform" in str(told)
    assert outcomes(lambda found: found, sample)[0] == 8  # 1e-13 squared is below the new constant as well


@pytest.mark.slow
def test_checkouts_that_share_a_cache_do_not_throw_out_each_others_objects(
    sample: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QCHESS_KERNEL_CACHE", str(tmp_path / "cache"))
    for folder, left in ((tmp_path / "cache", building.LEFT_IN_CACHE), (tmp_path / "build", 0)):
        folder.mkdir()
        others = [folder / f"{SAMPLE}-{k:016x}.{places.here()}.o" for k in range(building.LEFT_IN_CACHE + 2)]
        for age, path in enumerate(reversed(others)):
            path.write_bytes(b"of another checkout")
            os.utime(path, (1e9 + age, 1e9 + age))
        made = building.build([SAMPLE], folder, [places.here()])
        assert {*folder.iterdir()} == {*made, *others[:left]}


def test_source_helpers_constants_and_tables_are_all_in_the_hash(
    sample: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keys = [library(SAMPLE).key]
    monkeypatch.setattr(sample, "NOISE", 2e-24)
    keys.append(library(SAMPLE).key)
    monkeypatch.setattr(sample, "WEIGHTS", sample.WEIGHTS + 1)
    keys.append(library(SAMPLE).key)
    changed = tmp_path / "changed.py"
    changed.write_text((HERE / f"{SAMPLE}.py").read_text().replace("value.imag * value.imag", "value.imag"))
    monkeypatch.setattr(sample, "__file__", str(changed))
    keys.append(library(SAMPLE).key)
    assert len(set(keys)) == 4
    unix = library(SAMPLE).key
    changed.write_bytes(changed.read_bytes().replace(b"\n", b"\r\n"))
    assert library(SAMPLE).key == unix


@pytest.mark.slow
def test_a_broken_object_is_an_error_told_and_no_crash(sample: ModuleType, built: Path) -> None:
    take(built, f"{places.here()}.o")
    (path,) = places.BUILT.iterdir()
    path.write_bytes(b"not machine code")
    told = library(SAMPLE).report()
    assert told.way in {"numba", "clear"}
    assert "not machine code that LLVM can read" in str(told)


def test_a_build_that_may_reuse_keeps_what_the_source_has_not_changed(sample: ModuleType, tmp_path: Path) -> None:
    from qchess.circuits.kernels.building import build

    names = [places.bitcode_name(SAMPLE, library(SAMPLE).key), places.object_name(SAMPLE, library(SAMPLE).key, "there")]
    (tmp_path / "cache").mkdir()
    for name in names:
        (tmp_path / "cache" / name).write_bytes(b"from the cache")
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / places.object_name(SAMPLE, "0" * 16, "there")).write_bytes(b"of an older source")
    assert build([SAMPLE], folder, ["there"], reuse=True) == [folder / name for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    (folder / names[1]).write_bytes(b"of the last build")
    build([SAMPLE], folder, ["there"], reuse=True)
    assert (folder / names[1]).read_bytes() == b"of the last build"


def test_what_was_compiled_before_makes_the_objects_of_other_platforms(
    sample: ModuleType, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(found: object) -> None:
        raise AssertionError("compiled again")

    key = library(SAMPLE).key
    monkeypatch.setenv("QCHESS_KERNEL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    shutil.copy(built / places.bitcode_name(SAMPLE, key), tmp_path / "cache")
    monkeypatch.setattr(building, "compiled", fails)
    made = building.build([SAMPLE], tmp_path / "here", list(places.TRIPLES), reuse=True)
    assert {path.name: path.read_bytes() for path in made} == {path.name: path.read_bytes() for path in built.iterdir()}
    with pytest.raises(AssertionError, match="compiled again"):
        building.build([SAMPLE], tmp_path / "anew", list(places.TRIPLES))


def test_the_build_makes_objects_of_every_platform(built: Path) -> None:
    key = library(SAMPLE).key
    magic = {"linux-x86_64": b"\x7fELF", "linux-aarch64": b"\x7fELF", "windows-amd64": b"\x7fELF"}
    for target in places.TRIPLES:
        code = (built / places.object_name(SAMPLE, key, target)).read_bytes()
        assert code.startswith(magic.get(target, b"\xcf\xfa\xed\xfe"))
    assert (built / places.bitcode_name(SAMPLE, key)).read_bytes().startswith(b"BC")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return np.empty(n).size", "could not compile"),
        ("return int(np.sin(n))", "only memory functions and sqrt are there"),
    ],
)
def test_the_build_refuses_what_needs_more_than_memory(
    body: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    name = f"needy{len(body)}_kernels"
    (tmp_path / f"{name}.py").write_text(
        "import numpy as np\nfrom qchess.circuits.kernels import kernel\n\n"
        f'@kernel("int64(int64)")\ndef needy(n):\n    {body}\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(places, "BUILT", tmp_path / "built")
    monkeypatch.setenv("QCHESS_KERNEL_CACHE", str(tmp_path / "cache"))
    module = importlib.import_module(name)
    told = library(name).report()
    assert told.way == "clear"
    assert reason in str(told)
    assert isinstance(module.needy(3), int)


def test_arguments_are_checked_before_machine_code_sees_them(sample: ModuleType, built: Path) -> None:
    take(built, f"{places.here()}.o")
    amplitudes, found = np.zeros(4, complex), np.zeros(4)
    for wrong in (np.zeros(4), np.zeros(8, complex)[::2], np.zeros((2, 2), complex), [0j] * 4):
        with pytest.raises(ProgramError, match="argument 0 of weights is a C-contiguous 1-dimensional array"):
            sample.weights(wrong, found, 4)
    with pytest.raises(ProgramError, match="takes 3 arguments, got 2"):
        sample.weights(amplitudes, found)


@pytest.mark.parametrize("text", ["int8()", "int64", "int64(str)", "int64(int64[:])", "int64(float32[::1])"])
def test_a_signature_that_no_frame_holds_is_refused(text: str) -> None:
    with pytest.raises(ProgramError, match="kernel"):
        kernel(text)


def test_two_kernels_of_one_name_are_refused() -> None:
    twice = Library("nowhere")
    made = kernel("int64()")
    assert made is not None
    from qchess.circuits.kernels.signatures import parse

    twice.add(test_two_kernels_of_one_name_are_refused, parse("int64()"))
    other = lambda: 0  # noqa: E731
    other.__name__ = "test_two_kernels_of_one_name_are_refused"
    with pytest.raises(ProgramError, match="two kernels named"):
        twice.add(other, parse("int64()"))


@pytest.mark.parametrize("way", ["object", "clear"])
def test_a_bound_kernel_reads_its_arrays_anew_at_every_call(
    sample: ModuleType, built: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(built, f"{places.here()}.o")
    monkeypatch.setenv("QCHESS_KERNELS", way)
    amplitudes, found = np.zeros(4, complex), np.zeros(4)
    bound = sample.weights.bind(amplitudes, found, 4)
    assert bound() == 0
    amplitudes[:] = 2j
    assert bound() == 4
    bound.set(2, 3)
    assert bound() == 3
    other = np.ones(5, complex)
    bound.set(0, other)
    assert bound() == 3
    assert found.tolist() == [1, 1, 1, 4]


def test_a_change_of_an_argument_that_was_interrupted_is_made_anew(sample: ModuleType, built: Path) -> None:
    take(built, f"{places.here()}.o")
    first, second = np.zeros(4, complex), np.ones(4, complex)
    bound = sample.weights.bind(first, np.zeros(4), 4)
    whole = bound._places

    def interrupted(*slots: Any) -> None:
        whole[0][1](*slots)
        raise KeyboardInterrupt

    bound._places = ((whole[0][0], interrupted, whole[0][2]), *whole[1:])
    with pytest.raises(KeyboardInterrupt):
        bound.set(0, second)
    bound._places = whole
    bound.set(0, first)
    assert bound() == 0


def test_a_kernel_runs_beside_the_interpreter(sample: ModuleType, built: Path) -> None:
    """While a kernel spins in a thread, this one goes on counting: calls release the interpreter lock."""
    take(built, f"{places.here()}.o")
    state = np.array([7], np.uint64)
    sample.spin(state, 1)  # it is linked now
    for doubled in range(11):  # until it spins long enough for a machine as busy as this one
        thread = threading.Thread(target=sample.spin, args=(state, 2_000_000 << doubled))
        thread.start()
        steps = 0
        while thread.is_alive():
            time.sleep(0.001)
            steps += 1
        if steps >= 20:
            break
    assert steps >= 20  # none or one, were the lock held


def test_many_threads_load_one_library_once(sample: ModuleType, built: Path) -> None:
    take(built, f"{places.here()}.o")
    states = [np.array([k + 1], np.uint64) for k in range(8)]
    threads = [threading.Thread(target=sample.spin, args=(state, 100)) for state in states]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, state in enumerate(states):
        alone = np.array([k + 1], np.uint64)
        with np.errstate(over="ignore"):
            sample.spin.clear(alone, 100)
        assert state == alone


def test_a_kernel_pickles_by_name(sample: ModuleType) -> None:
    assert pickle.loads(pickle.dumps(sample.weights)) is sample.weights


def test_every_imported_library_is_reported(sample: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QCHESS_KERNELS", "clear")
    assert SAMPLE in [found.module for found in libraries()]
    told = {line.module: line for line in report()}
    assert told[SAMPLE].way == "clear"
    assert str(told[SAMPLE]).startswith(f"{SAMPLE}: clear")
    for found in libraries():
        found.forget()


def test_a_compiler_that_fails_is_told(sample: ModuleType, tmp_path: Path) -> None:
    done = compile_modules(["no_such_kernels"], tmp_path, [places.here()])
    assert done.returncode
    assert "no_such_kernels" in done.stderr


def test_an_object_without_the_kernel_is_not_used(sample: ModuleType, built: Path) -> None:
    from qchess.circuits.kernels.signatures import parse

    code = (built / places.object_name(SAMPLE, library(SAMPLE).key, places.here())).read_bytes()
    linked = linking.Linked(code)
    assert linked.functions([("spin", parse("void(uint64[::1], int64)")), ("absent", parse("int64()"))]) == {}


@pytest.mark.slow
def test_a_bound_kernel_outlives_a_library_that_was_loaded_anew() -> None:
    """Its machine code stays in memory, however often the library is forgotten."""
    import gc

    from qchess import backends
    from qchess.backends.sparse import kernels
    from qchess.circuits import Registers, split
    from qchess.circuits.kernels.library import library

    if not kernels.evolve_1.compiled:
        pytest.skip("no machine code serves here")
    board = Registers(backends.engine(), ["b1"]).run(split("b1", "a3", "c3")).registers
    for _ in range(3):
        library("qchess.backends.sparse.kernels").forget()
        assert kernels.evolve_1.compiled
        gc.collect()
        assert board.run(split("a3", "d4", "e5")).registers.probability("e5") == pytest.approx(0.25)


@pytest.mark.slow
def test_processes_that_want_the_same_kernels_compile_them_once(tmp_path: Path) -> None:
    counted = tmp_path / "count.py"
    counted.write_text(
        "import os, sys\n"
        "from qchess.circuits.kernels import library as rooms\n"
        "compile = rooms.compile_modules\n"
        "def counting(*arguments, **named):\n"
        "    print('compiles', flush=True)\n"
        "    return compile(*arguments, **named)\n"
        "rooms.compile_modules = counting\n"
        f"sys.path.insert(0, {str(HERE)!r})\n"
        f"import {SAMPLE} as sample\n"
        "print(sample.weights.way, flush=True)\n"
    )
    home = {
        **os.environ,
        "QCHESS_KERNEL_CACHE": str(tmp_path / "cache"),
        "QCHESS_KERNELS": "numba",
        "PYTHONPATH": str(HERE.parents[1]),
    }
    started = [
        subprocess.Popen([sys.executable, str(counted)], env=home, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    outputs = [process.communicate(timeout=300)[0].split() for process in started]
    assert sorted(outputs) == [["compiles", "numba"], ["numba"], ["numba"]]

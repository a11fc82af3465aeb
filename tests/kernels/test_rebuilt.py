"""Every kernel of the sparse engine, rebuilt from its source, does what the source does as plain Python."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qchess.backends.sparse import factoring_kernels, kernels, reading_kernels
from qchess.backends.sparse.coding import Code
from qchess.backends.sparse.splitting import _phases
from qchess.circuits import cz, h, iswap, ry, swap, x, z
from qchess.circuits.kernels.library import discover, library

LIBRARIES = [module.__name__ for module in (kernels, factoring_kernels, reading_kernels)]
#: how many of them are compiled anew, from the last on: those that serve were compiled by the build, from this source
REBUILT = int(os.environ.get("QCHESS_LIBRARIES", "1"))


@pytest.fixture(scope="module", params=["served", pytest.param("rebuilt", marks=pytest.mark.slow)])
def way(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The kernels as they serve here, and compiled anew from their source."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "rebuilt":
            pytest.importorskip("numba")
            for name in LIBRARIES:
                library(name).report()  # those that are not compiled anew are there
            patch.setenv("QCHESS_KERNELS", "numba")
            patch.setenv("QCHESS_KERNEL_CACHE", str(tmp_path_factory.mktemp("cache")))
            for name in LIBRARIES[-REBUILT:]:
                library(name).forget()
                assert library(name).report().way == "numba"
        yield request.param
    for name in LIBRARIES:
        library(name).forget()


def state(words: int, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Random sorted keys whose highest word is never 0, and amplitudes."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, 2**8, (words, count), dtype=np.uint64) | np.uint64(1 << 62)
    keys = np.unique(keys, axis=1)
    keys = np.ascontiguousarray(keys[:, np.lexsort(tuple(keys))])
    amplitude = rng.normal(size=keys.shape[1]) + 1j * rng.normal(size=keys.shape[1])
    return keys, np.asarray(amplitude / np.linalg.norm(amplitude))


def both(kernel: Any, arguments: list[Any]) -> tuple[Any, list[Any], Any, list[Any]]:
    """What the compiled kernel gives and writes, and what its source does."""
    compiled, plain = [[a.copy() if isinstance(a, np.ndarray) else a for a in arguments] for _ in range(2)]
    with np.errstate(over="ignore"):
        expected = kernel.clear(*plain)
    return kernel(*compiled), compiled, expected, plain


def same(found: Any, expected: Any, rows: int | None = None) -> bool:
    return bool(np.allclose(found[..., :rows], expected[..., :rows], rtol=0, atol=1e-12))


@pytest.mark.parametrize("words", [1, 2, 4, 8, 20])
def test_a_program(way: str, words: int) -> None:
    keys, amplitude = state(words, 30, words)
    names = [f"q{p}" for p in (0, 1, 2, 3, 64 * words - 2, 64 * words - 60)]
    bit = {q: int(q[1:]) for q in names}
    a, b, c, d, e, f = names
    steps = [iswap(a, b, 0.5), h(c), cz(c, e), iswap(d, f, 0.3).when({e: 1}), x(b).when({a: 1}), ry(a, 0.4), swap(b, c)]
    code = Code(bit, [*steps, z(a, 0.3), iswap(c, d), x(e, 0.7).when({f: 0}), h(c)])
    capacity, count = 4000, len(amplitude)
    matrices = np.frombuffer(b"".join(code.matrices), np.complex128).reshape(-1, 4)
    held, values = np.zeros((words, capacity), np.uint64), np.zeros(capacity, complex)
    held[:, :count], values[:count] = keys, amplitude
    spare = [np.zeros(capacity, np.int64), np.zeros(capacity, np.int64), np.zeros_like(held), np.zeros_like(values)]
    control = np.array([count, 0, len(code.numbers), 2**20, 2**40, 0], np.int64)
    kernel = getattr(kernels, f"evolve_{words}")
    arguments = [held, values, np.array(code.numbers, np.int64), matrices, *spare, control]
    found, compiled, expected, plain = both(kernel, arguments)
    rows = int(plain[-1][0])
    assert found == expected == kernels.DONE
    assert rows > count
    assert compiled[-1].tolist() == plain[-1].tolist()
    assert compiled[0][:, :rows].tolist() == plain[0][:, :rows].tolist()
    assert same(compiled[1], plain[1], rows)


@pytest.mark.parametrize("words", [1, 4, 20])
@pytest.mark.parametrize("apart", [False, True])
def test_factoring(way: str, words: int, apart: bool) -> None:
    keys, amplitude = state(words, 12, words)
    if apart:  # the product with a qubit at the lowest place that is free
        keys = np.ascontiguousarray(np.repeat(keys << np.uint64(1), 2, axis=1))
        keys[0, 1::2] |= np.uint64(1)
        amplitude = np.repeat(amplitude, 2) * np.tile([0.6, 0.8j], len(amplitude))
        order = np.lexsort(tuple(keys))
        keys, amplitude = np.ascontiguousarray(keys[:, order]), amplitude[order]
    n, bits = len(amplitude), 64 * words
    pair = [np.zeros((words, n), np.uint64), np.zeros(n, complex)]
    rows = [np.zeros(n, np.int64) for _ in range(3)]
    rest = [np.zeros(bits, np.int64), np.zeros((2, bits), complex), np.zeros(bits + 1, np.int64)]
    masks, ends = np.zeros((bits + 2, words), np.uint64), np.zeros(bits + 1, np.int64)
    arguments = [keys, amplitude, _phases(), *pair, *pair, *rows, *rest, masks, ends, np.ones(1, complex)]
    kernel = {1: factoring_kernels.finest_1, 4: factoring_kernels.finest_4, 20: factoring_kernels.finest_20}[words]
    found, compiled, expected, plain = both(kernel, [*arguments, np.array([n, 0, 0], np.int64)])
    assert found == expected == int(apart)
    assert compiled[-1].tolist() == plain[-1].tolist()
    assert plain[-1][2] == 1 + apart
    for k in (3, 5, 13, 14):
        assert compiled[k].tolist() == plain[k].tolist()
    for k in (4, 6, 15):
        assert same(compiled[k], plain[k])


@pytest.mark.parametrize("words", [1, 2, 4, 20])
def test_reading(way: str, words: int) -> None:
    keys, amplitude = state(words, 20, words + 5)
    cubes = np.array([[7] * words + [3] * words, [1] * words + [0] * words], np.uint64)
    found, _, expected, _ = both(reading_kernels.probability, [keys, amplitude, cubes])
    assert found == pytest.approx(expected, abs=1e-12)
    probability = expected
    for wanted in (True, False):
        out = [np.zeros_like(keys), np.zeros_like(amplitude), np.zeros(1)]
        found, compiled, expected, plain = both(reading_kernels.select, [keys, amplitude, cubes, wanted, *out])
        assert found == expected
        assert compiled[4].tolist() == plain[4].tolist()
        assert same(compiled[5], plain[5])
        assert same(compiled[6], plain[6])
        assert plain[6][0] == pytest.approx(probability if wanted else 1 - probability, abs=1e-12)
    for gate, low in (((0.6, 0, 0, 0.8j), 2), ((1, 0, 0, 1j), 3)):
        turning: list[Any] = [keys[:1], amplitude, np.array([0, 1, 2, 1, low], np.int64), np.array([gate], complex)]
        _, compiled, _, plain = both(reading_kernels.turned, [*turning, np.zeros_like(amplitude)])
        assert same(compiled[4], plain[4])
        assert not same(plain[4], amplitude)
    positions = np.array([0, 3, 64 * words - 2], np.int64)
    _, compiled, _, plain = both(reading_kernels.marginals, [keys, amplitude, positions, np.zeros(3)])
    assert same(compiled[3], plain[3])
    above = np.arange(3, dtype=np.uint64)[None]
    out = [np.zeros((max(words, 4), 3 * len(amplitude)), np.uint64), np.zeros(3 * len(amplitude), complex)]
    for width in (64 * words if words < 4 else 64 * words - 66, 64 * words - 1):
        given = [keys, amplitude, above, np.array([0.6, 0.8j, 0]), width, *out]
        _, compiled, _, plain = both(reading_kernels.multiply, given)
        assert compiled[5].tolist() == plain[5].tolist()
        assert same(compiled[6], plain[6])
    old, new = np.array([0, 1, 2, 64 * words - 2], np.int64), np.array([5, 6, 7, 63], np.int64)
    _, compiled, _, plain = both(reading_kernels.gather, [keys, old, new, np.zeros((1, len(amplitude)), np.uint64)])
    assert compiled[3].tolist() == plain[3].tolist()


def test_these_are_all_kernels_of_the_engine() -> None:
    mine = [name for name in discover() if name.startswith("qchess.backends.")]
    assert sorted(mine) == sorted(LIBRARIES)
    reports = [library(name).report() for name in LIBRARIES]
    assert all(Path(report.where).exists() for report in reports), reports

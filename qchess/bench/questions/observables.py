"""Sums of products of Paulis, and their expectations in a state of branches, a vector, or tensors.

A product on numbered wires is text, ``X0 Z3``. The first wire is the most significant bit of a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: wire and letter, in the order of the wires
Product = tuple[tuple[int, str], ...]
#: a sum of products
Observable = tuple[Product, ...]
Complex = NDArray[np.complex128]

MATRICES = {
    "X": np.array([[0, 1], [1, 0]], np.complex128), "Y": np.array([[0, -1j], [1j, 0]]),
    "Z": np.array([[1, 0], [0, -1]], np.complex128),
}  # fmt: skip


def neighbours(wires: int) -> Observable:
    """Return the sum of Z Z over neighbouring wires.

    >>> neighbours(3)
    (((0, 'Z'), (1, 'Z')), ((1, 'Z'), (2, 'Z')))
    """
    return tuple([((k, "Z"), (k + 1, "Z")) for k in range(wires - 1)])


def product(text: str) -> Product:
    """Parse one product of Paulis.

    >>> product("X0 Z3"), written(product("X0 Z3"))
    (((0, 'X'), (3, 'Z')), 'X0 Z3')
    """
    return tuple([(int(wire), letter) for letter, wire in re.findall(r"([XYZ])(\d+)", text)])


def written(paulis: Product) -> str:
    """Return a product as text."""
    return " ".join(f"{letter}{wire}" for wire, letter in paulis)


def of_branches(keys: NDArray[Any], amplitudes: Complex, wires: int, paulis: Product) -> float:
    """Return the expectation of a product; keys are in ascending order."""
    flips = sum(1 << (wires - 1 - wire) for wire, letter in paulis if letter != "Z")
    if not flips:
        return float((np.abs(amplitudes) ** 2 * _signs(keys, wires, paulis)).sum())
    met = keys ^ flips
    places = np.searchsorted(keys, met)
    places[places == len(keys)] = 0
    there = keys[places] == met
    phase = 1j ** sum(letter == "Y" for _, letter in paulis)
    signs = _signs(keys, wires, paulis)[there]
    return float((phase * np.vdot(amplitudes[places[there]], signs * amplitudes[there])).real)


def _signs(keys: NDArray[Any], wires: int, paulis: Product) -> NDArray[np.float64]:
    """Return -1 for each wire with Y or Z that is 1, multiplied."""
    odd = np.zeros(len(keys), dtype=np.int64)
    for wire, letter in paulis:
        if letter != "X":
            odd ^= ((keys >> (wires - 1 - wire)) & 1).astype(np.int64)
    return np.asarray(1 - 2 * odd, dtype=np.float64)


def of_table(table: Iterable[tuple[int, complex]], wires: int, observables: Sequence[Observable]) -> list[float]:
    """Return the expectations in a state that gives its branches in any order."""
    order = sorted(table)
    kind = np.int64 if wires < 63 else object
    keys, amplitudes = np.array([key for key, _ in order], dtype=kind), np.array([a for _, a in order], np.complex128)
    return [sum(of_branches(keys, amplitudes, wires, each) for each in observable) for observable in observables]


def of_vector(vector: Complex, observables: Sequence[Observable], *, little_endian: bool) -> list[float]:
    """Return the expectations in a state with all its amplitudes."""
    wires = len(vector).bit_length() - 1
    turned = (
        [tuple([tuple([(wires - 1 - wire, letter) for wire, letter in each]) for each in some]) for some in observables]
        if little_endian
        else observables
    )
    keys = np.arange(len(vector))
    return [sum(_in_vector(keys, vector, wires, each) for each in some) for some in turned]


def _in_vector(keys: NDArray[Any], vector: Complex, wires: int, paulis: Product) -> float:
    flips = sum(1 << (wires - 1 - wire) for wire, letter in paulis if letter != "Z")
    phase = 1j ** sum(letter == "Y" for _, letter in paulis)
    return float((phase * np.vdot(vector[keys ^ flips], _signs(keys, wires, paulis) * vector)).real)


def of_tensors(pairs: Sequence[Sequence[Complex]], observables: Sequence[Observable]) -> list[float]:
    """Return the expectations in a matrix product state: for each wire its matrices for 0 and 1."""
    return [sum(_in_tensors(pairs, dict(each)) for each in observable) for observable in observables]


def _in_tensors(pairs: Sequence[Sequence[Complex]], letters: dict[int, str]) -> float:
    whole: Complex = np.ones((1, 1), dtype=np.complex128)
    for wire, pair in enumerate(pairs):
        matrix = MATRICES[letters[wire]] if wire in letters else np.eye(2)
        whole = sum(
            (matrix[a, b] * (pair[a].conj().T @ whole @ pair[b]) for a in (0, 1) for b in (0, 1) if matrix[a, b]),
            start=np.zeros((pair[0].shape[1],) * 2, np.complex128),
        )
    return float(whole[0, 0].real)


def sign(paulis: Product, flipped: Iterable[int], phased: Iterable[int]) -> int:
    """Return the sign by which X on some wires and Z on others, after the circuit, change a product's expectation."""
    letters = dict(paulis)
    odd = sum(letters.get(wire, "X") != "X" for wire in flipped) + sum(letters.get(wire, "Z") != "Z" for wire in phased)
    return -1 if odd % 2 else 1

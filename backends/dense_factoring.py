"""Splits a vector into its finest tensor product, by its amplitudes alone.

First what is certain leaves. For the rest, turn every qubit by an angle of its own and look at sums:

    g(x) = psi(x) prod_k e^{i theta_k x_k},   S = sum g,   S_i = sum x_i g,   S_ij = sum x_i x_j g

Where i and j lie in different blocks, S S_ij = S_i S_j for all angles. Within one block that cannot
be broken up further, general angles give an inequality for any two qubits, also where no pair of
qubits shows a correlation: local projections leave every two qubits of an entangled block entangled
(Popescu and Rohrlich 1992). The linked components are only a proposal: it is believed when the product
of the conditional vectors gives the vector back, and otherwise linked further.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]
Integers = NDArray[np.int64]
Places = tuple[int, ...]

#: amplitudes below this modulus are rounding noise
NOISE = 1e-12
#: how far a proposed product may be from the vector, in any amplitude
AGREES = 1e-10
#: how many independent sets of angles may propose links before the vector counts as whole
ATTEMPTS = 6


class Product(NamedTuple):
    """``phase * |constants> * blocks``, by places in the vector's index."""

    constants: dict[int, int]
    phase: complex
    blocks: tuple[tuple[Places, Complex], ...]


def finest_product(vector: Complex, size: int, constants_only: bool = False) -> Product:
    """The vector on `size` qubits as certain values, a phase, and blocks that split no further."""
    support = np.flatnonzero(np.abs(vector) > NOISE)
    sure_ones, possible_ones = int(np.bitwise_and.reduce(support)), int(np.bitwise_or.reduce(support))
    open_places = tuple(k for k in range(size) if not sure_ones >> k & 1 and possible_ones >> k & 1)
    constants = {k: sure_ones >> k & 1 for k in range(size) if k not in open_places}
    if not open_places:
        return Product(constants, complex(vector[sure_ones]), ())
    rest = np.zeros(2 ** len(open_places), dtype=np.complex128)
    rest[gather(support, open_places)] = vector[support]
    whole = (tuple(range(len(open_places))),)
    groups = whole if constants_only else _blocks(rest, len(open_places))
    phase, parts = (1 + 0j, [rest]) if len(groups) == 1 else _parts(rest, groups)
    named = ((tuple(open_places[k] for k in group), part) for group, part in zip(groups, parts, strict=True))
    return Product(constants, phase, tuple(named))


def gather(keys: Integers, places: Sequence[int]) -> Integers:
    """Each key's bits at `places`, packed: bit k of the result is the key's bit ``places[k]``."""
    packed = np.zeros_like(keys)
    for k, place in enumerate(places):
        packed |= (keys >> place & 1) << k
    return packed


def _blocks(vector: Complex, size: int) -> tuple[Places, ...]:
    """The finest groups of places of which the vector is the product."""
    whole = (tuple(range(size)),)
    rng = np.random.default_rng(size)
    links = _linked(vector, size, rng)
    for _ in range(ATTEMPTS):
        links |= _linked(vector, size, rng)
        groups = _components(links)
        if len(groups) == 1:
            return whole
        phase, parts = _parts(vector, groups)
        if np.abs(vector - phase * _multiply(parts, groups, size)).max() < AGREES:
            return groups
    return whole


def _linked(vector: Complex, size: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which pairs of places one set of angles shows to be in the same block."""
    # Near odd multiples of pi/4 no sum over one qubit vanishes for the phases 1, i, -1, -i of games.
    angles = np.pi / 4 * (1 + 2 * rng.integers(4, size=size)) + rng.uniform(-0.3, 0.3, size)
    sums = np.zeros((size + 1, size + 1), dtype=np.complex128)
    total = 0.0
    support = np.flatnonzero(np.abs(vector) > NOISE)
    for start in range(0, len(support), 2**14):  # in pieces, so that a large state needs little room
        keys = support[start : start + 2**14]
        bits = np.vstack([np.ones(len(keys)), *(keys >> k & 1 for k in range(size))])
        weights = vector[keys] * np.exp(1j * (angles @ bits[1:]))
        sums += (bits * weights) @ bits.T
        total += float(np.abs(weights).sum())
    mixed, single = sums[1:, 1:], sums[0, 1:]
    scale = max(abs(sums[0, 0]), float(np.abs(single).max()), float(np.abs(mixed).max()))
    difference = np.abs(sums[0, 0] * mixed - np.outer(single, single))
    return np.asarray(difference > 1e-11 * scale**2 + 1e-13 * scale * total)


def _components(links: NDArray[np.bool_]) -> tuple[Places, ...]:
    """The connected groups of places, each in order, the groups by their first place."""
    groups: list[set[int]] = []
    for place in range(len(links)):
        near = {place, *np.flatnonzero(links[place]).tolist()}
        touching = [group for group in groups if group & near]
        groups = [group for group in groups if not group & near] + [near.union(*touching)]
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _parts(vector: Complex, groups: Iterable[Places]) -> tuple[complex, list[Complex]]:
    """A phase and each group's vector, read off beside the largest amplitude, norm 1."""
    index = np.arange(len(vector))
    largest = int(np.abs(vector).argmax())
    phase, parts = complex(vector[largest]), []
    for group in groups:
        mask = sum(1 << k for k in group)
        beside = np.flatnonzero((index & ~mask) == (largest & ~mask))  # in order, as the group's places are
        part = vector[beside] / vector[largest]
        norm = float(np.linalg.norm(part))
        phase *= norm
        parts.append(part / norm)
    return phase, parts


def _multiply(parts: Sequence[Complex], groups: Sequence[Places], size: int) -> Complex:
    """The product of the groups' vectors, on all places."""
    index = np.arange(2**size)
    product = np.ones(len(index), dtype=np.complex128)
    for group, part in zip(groups, parts, strict=True):
        product *= part[gather(index, group)]
    return product

"""Cases with a question about the final state instead of its amplitudes, each made from a case of the corpus.

    counts    a histogram of read-outs of all wires
    values    two expectations: the sum of Z Z over neighbouring wires, and one product of Paulis
    noise     the same histogram, with depolarising noise after each gate on two wires; of few wires only

Such a case has its own name and hash, and the exact answer, computed from all amplitudes. Circuits with questions of
their own or with post-selected flags are excluded.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qchess.bench.adapters.circuit import Circuit as Numbered
from qchess.bench.case import Case
from qchess.bench.corpus import reference
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.questions.depolarised import MOST, STRENGTH, exact, noisy
from qchess.bench.questions.observables import Product, neighbours, of_branches, written

#: the values of `--ask`; the first is the default
STATE, COUNTS, VALUES, NOISE = "state", "counts", "values", "noise"
QUESTIONS = (STATE, COUNTS, VALUES, NOISE)
#: how many wires form a group, and how many groups are drawn beside the neighbours
WINDOW, DRAWN = 5, 4
#: how many Pauli products are drawn to find one with an expectation this large
TRIED, CLEAR = 24, 0.05

Keys = NDArray[Any]


def asked(case: Case, questions: Sequence[str]) -> Iterator[Case]:
    """Yield the case with each of these questions; none if it cannot have any."""
    for question in questions:
        if question == STATE:
            yield case
        elif case.feed_forward or case.kept:
            continue
        elif question == NOISE:
            yield from _noise(case)
        else:
            keys, amplitudes = _everything(case)
            if question == COUNTS:
                yield _with(case, question, exact={"windows": _windows(case, keys, np.abs(amplitudes) ** 2)})
            elif len(case.wires) > 1:
                yield _values(case, keys, amplitudes)


def _with(case: Case, question: str, **more: Any) -> Case:
    return replace(case, name=f"{case.name}-{question}", question=question, **more)


def _everything(case: Case) -> tuple[Keys, NDArray[np.complex128]]:
    """Return all keys in ascending order, and their amplitudes."""
    circuit = Circuit(case.name, case.family, case.program, case.full, declared=case.wires)
    found = reference.passage(circuit, case.wires).amplitudes
    order = sorted(found)
    kind = np.int64 if len(case.wires) < 63 else object
    return np.array(order, dtype=kind), np.array([found[key] for key in order], dtype=np.complex128)


def windows(wires: int, seed: str) -> list[list[int]]:
    """Return groups of wires: all neighbours, and some that are drawn."""
    if wires <= WINDOW:
        return [list(range(wires))]
    dice = random.Random(seed)
    found = [list(range(first, min(first + WINDOW, wires))) for first in range(0, wires, WINDOW)]
    for _ in range(DRAWN):
        left = list(range(wires))
        found.append(sorted(left.pop(int(dice.random() * len(left))) for _ in range(WINDOW)))
    return found


def _windows(case: Case, keys: Keys, weights: NDArray[np.float64]) -> list[Mapping[str, Any]]:
    """Return for each group of wires the probability of each of its values."""
    found: list[Mapping[str, Any]] = []
    for group in windows(len(case.wires), case.name):
        places = np.zeros(len(keys), dtype=np.int64)
        for wire in group:
            places = 2 * places + ((keys >> (len(case.wires) - 1 - wire)) & 1).astype(np.int64)
        chances = np.bincount(places, weights, minlength=1 << len(group))
        found.append({"wires": group, "chances": chances.tolist()})
    return found


def _values(case: Case, keys: Keys, amplitudes: NDArray[np.complex128]) -> Case:
    """Return the case with the expectations of the terms of both observables."""
    wires = len(case.wires)
    chosen = next(iter(_products(case, keys, amplitudes)))
    found = [of_branches(keys, amplitudes, wires, each) for each in neighbours(wires)]
    exact = {"neighbours": found, "product": [of_branches(keys, amplitudes, wires, chosen)]}
    return _with(case, VALUES, detail={"product": written(chosen)}, exact=exact)


def _products(case: Case, keys: Keys, amplitudes: NDArray[np.complex128]) -> list[Product]:
    """Return drawn products, those with a large expectation first; each flips some wire.

    Every other one flips the difference of two branches; in a small state all others have expectation 0.
    """
    dice, wires = random.Random(f"product {case.name}"), len(case.wires)
    kept = list(case.reference)
    drawn: list[Product] = []
    for number in range(TRIED):
        one, other = (kept[int(dice.random() * len(kept))] for _ in range(2))
        mask = one ^ other
        if number % 2 or not mask:
            mask = sum({1 << int(dice.random() * wires) for _ in range(2)})
        letters = {k: "YX"[dice.random() < 0.7] for k in range(wires) if mask >> (wires - 1 - k) & 1}
        more = {int(dice.random() * wires): "Z" for _ in range(int(dice.random() * 3))}
        drawn.append(tuple(sorted({**more, **letters}.items())))
    clear = (each for each in drawn if abs(of_branches(keys, amplitudes, wires, each)) > CLEAR)
    found = next(clear, None)
    return [found, *drawn] if found else drawn


def _noise(case: Case) -> Iterator[Case]:
    """Yield the case under noise, with each key's probability; none for too many wires or without a noisy gate."""
    circuit = Numbered.of(case.wires, case.full, case.program.operations)
    if circuit.wires <= MOST and any(map(noisy, circuit.steps)):
        chances = exact(circuit, STRENGTH)
        yield _with(case, NOISE, detail={"strength": STRENGTH}, exact={"chances": chances})

"""Cases that ask something of a final state in place of its amplitudes, each made of a case of the corpus.

    counts    a histogram of read-outs of all wires
    values    two expectations: the sum of Z Z over neighbouring wires, and one product of Paulis
    noise     the same histogram, with depolarising noise after each gate on two wires; of few wires only

Such a case has a name and a hash of its own, and holds the exact answer, worked out from all amplitudes. Nothing is
asked of circuits that ask themselves, or whose flags are post-selected.
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

#: what `--ask` takes; the first is the usual question
STATE, COUNTS, VALUES, NOISE = "state", "counts", "values", "noise"
QUESTIONS = (STATE, COUNTS, VALUES, NOISE)
#: so many wires are looked at together, and so many groups of them are drawn beside the neighbours
WINDOW, DRAWN = 5, 4
#: so many products of Paulis are drawn until one is found whose expectation is so large
TRIED, CLEAR = 24, 0.05

Keys = NDArray[Any]


def asked(case: Case, questions: Sequence[str]) -> Iterator[Case]:
    """The case with each of these questions; none where it cannot be asked so."""
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
    """All keys in ascending order, and their amplitudes."""
    circuit = Circuit(case.name, case.family, case.program, case.full, declared=case.wires)
    found = reference.passage(circuit, case.wires).amplitudes
    order = sorted(found)
    kind = np.int64 if len(case.wires) < 63 else object
    return np.array(order, dtype=kind), np.array([found[key] for key in order], dtype=np.complex128)


def windows(wires: int, seed: str) -> list[list[int]]:
    """Groups of wires that are looked at together: all neighbours, and some that are drawn."""
    if wires <= WINDOW:
        return [list(range(wires))]
    dice = random.Random(seed)
    found = [list(range(first, min(first + WINDOW, wires))) for first in range(0, wires, WINDOW)]
    for _ in range(DRAWN):
        left = list(range(wires))
        found.append(sorted(left.pop(int(dice.random() * len(left))) for _ in range(WINDOW)))
    return found


def _windows(case: Case, keys: Keys, weights: NDArray[np.float64]) -> list[Mapping[str, Any]]:
    """For each group of wires the chance of each of its values."""
    found: list[Mapping[str, Any]] = []
    for group in windows(len(case.wires), case.name):
        places = np.zeros(len(keys), dtype=np.int64)
        for wire in group:
            places = 2 * places + ((keys >> (len(case.wires) - 1 - wire)) & 1).astype(np.int64)
        chances = np.bincount(places, weights, minlength=1 << len(group))
        found.append({"wires": group, "chances": chances.tolist()})
    return found


def _values(case: Case, keys: Keys, amplitudes: NDArray[np.complex128]) -> Case:
    """The expectations of the terms of both observables."""
    wires = len(case.wires)
    chosen = next(iter(_products(case, keys, amplitudes)))
    found = [of_branches(keys, amplitudes, wires, each) for each in neighbours(wires)]
    exact = {"neighbours": found, "product": [of_branches(keys, amplitudes, wires, chosen)]}
    return _with(case, VALUES, detail={"product": written(chosen)}, exact=exact)


def _products(case: Case, keys: Keys, amplitudes: NDArray[np.complex128]) -> list[Product]:
    """Products that are drawn, those first whose expectation is no small number; each flips some wire.

    One in two flips what two branches differ by, for in a small state nothing else is seen.
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
    """The case under noise, with the chance of each key; none if it has too many wires, or no gate that has noise."""
    circuit = Numbered.of(case.wires, case.full, case.program.operations)
    if circuit.wires <= MOST and any(map(noisy, circuit.steps)):
        chances = exact(circuit, STRENGTH)
        yield _with(case, NOISE, detail={"strength": STRENGTH}, exact={"chances": chances})

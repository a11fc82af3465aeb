"""Cases that ask something of a final state in place of its amplitudes, each made of a case of the corpus.

    counts    a histogram of read-outs of all wires

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

from qchess.bench.case import Case
from qchess.bench.corpus import reference
from qchess.bench.corpus.circuit import Circuit

#: what `--ask` takes; the first is the usual question
STATE, COUNTS = "state", "counts"
QUESTIONS = (STATE, COUNTS)
#: so many wires are looked at together, and so many groups of them are drawn beside the neighbours
WINDOW, DRAWN = 5, 4

Keys = NDArray[Any]


def asked(case: Case, questions: Sequence[str]) -> Iterator[Case]:
    """The case with each of these questions; none where it cannot be asked so."""
    for question in questions:
        if question == STATE:
            yield case
        elif not case.feed_forward and not case.kept:
            keys, amplitudes = _everything(case)
            yield _with(case, question, exact={"windows": _windows(case, keys, np.abs(amplitudes) ** 2)})


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

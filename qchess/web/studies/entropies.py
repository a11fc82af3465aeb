"""The entanglement of a register: the entropy of each qubit, and the mutual information of each pair, in bits.

A qubit's entropy is that of its reduced state: 0 without entanglement, at most 1. Mutual information is the sum of two
entropies minus that of the pair: 2 for a Bell pair, 1 for two of more than two that agree.

>>> from qchess import backends
>>> from qchess.circuits import Registers, split
>>> board = Registers(backends.engine('sparse'), full=['b1']).run(split('b1', 'a3', 'c3')).registers
>>> found = of_register(board.register('a3'))
>>> found.of_qubits, found.of_pairs
({'a3': 1.0, 'c3': 1.0}, {('a3', 'c3'): 2.0})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING

from qchess.circuits.operations import Qubit

if TYPE_CHECKING:
    from qchess.circuits.register import Register

#: above this many branches times pairs, a register is skipped
LARGEST = 2_000_000
#: the side of a cell of the picture, and the room for its names
CELL, NAME, LETTER = 30.0, 34.0, 7.5


@dataclass(frozen=True, slots=True)
class Entropies:
    """The entropy of each qubit and the mutual information of each two, in bits."""

    of_qubits: dict[Qubit, float]
    of_pairs: dict[tuple[Qubit, Qubit], float]

    def picture(self, named: Mapping[Qubit, str] | None = None) -> str:
        """Return a table as SVG: entropies on the diagonal, mutual information beside it."""
        names = [(named or {}).get(qubit, qubit) for qubit in self.of_qubits]
        left = max([NAME, *(LETTER * len(name) + 10 for name in names)])
        side = left + CELL * len(names)
        shapes = [_name(name, k, left) for k, name in enumerate(names)]
        for row, a in enumerate(self.of_qubits):
            for column, b in enumerate(self.of_qubits):
                shapes.append(self._cell(a, b, left + CELL * column, left + CELL * row))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="qentropy" width="{side + 4:g}" height="{side + 4:g}" '
            f'viewBox="0 0 {side + 4:g} {side + 4:g}" role="img">{_STYLE}{"".join(shapes)}</svg>'
        )

    def _cell(self, a: Qubit, b: Qubit, x: float, y: float) -> str:
        pair = (a, b) if (a, b) in self.of_pairs else (b, a)
        bits = self.of_qubits[a] if a == b else self.of_pairs[pair]
        share = min(1.0, bits if a == b else bits / 2)
        told = f"entropy of {a}: {bits:.4g} bits" if a == b else f"{a} and {b} share {bits:.4g} bits"
        kind = "own" if a == b else "both"
        number = f"{bits:.2f}".rstrip("0").rstrip(".") or "0"
        return (
            f'<g data-qubits="{escape(a)} {escape(b)}"><title>{escape(told)}</title>'
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{CELL - 2:g}" height="{CELL - 2:g}" rx="3" '
            f'fill-opacity="{0.08 + 0.75 * share:.3f}"/>'
            f'<text class="mid" x="{x + CELL / 2 - 1:g}" y="{y + CELL / 2 + 3:g}">{number}</text></g>'
        )


_STYLE = (
    "<style>.qentropy{color:#26313b}.qentropy text{font:11px ui-sans-serif,Helvetica,Arial,sans-serif;"
    "fill:currentColor}.qentropy .mid{text-anchor:middle}.qentropy .end{text-anchor:end}.qentropy .own{fill:#d0742a}"
    ".qentropy .both{fill:#0b7fa5}@media(prefers-color-scheme:dark){.qentropy{color:#eef2f5}}</style>"
)


def _name(name: str, number: int, left: float) -> str:
    at = left + CELL * (number + 0.5)
    words = escape(name)
    return (
        f'<text class="end" x="{left - 6:g}" y="{at + 3:g}">{words}</text>'
        f'<text x="{at:g}" y="{left - 6:g}" transform="rotate(-60 {at:g} {left - 6:g})">{words}</text>'
    )


def of_register(held: Register) -> Entropies | None:
    """Return the entropies of a register; None if it is too large."""
    from qchess.study.entropies import part_entropy

    pairs = list(combinations(held.qubits, 2))
    if held.branches * (len(pairs) + 1) > LARGEST:
        return None
    own = {qubit: part_entropy(held, (qubit,)) for qubit in held.qubits}
    shared = {(a, b): own[a] + own[b] - part_entropy(held, (a, b)) for a, b in pairs}
    return Entropies({q: _tidy(bits) for q, bits in own.items()}, {pair: _tidy(bits) for pair, bits in shared.items()})


def _tidy(bits: float) -> float:
    """Return the bits without rounding errors."""
    return abs(round(bits, 9))

"""Flags: clean ancillas that say whether several controls hold at once.

A flag is computed from the controls two at a time. It is kept while later steps use it and its controls do not
change, and uncomputed in reverse order. So two path conditions and their union share their work.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from qchess.circuits.compiling.decompositions import Form, rccx
from qchess.circuits.operations import Qubit, x

Literal = tuple[Qubit, int]
Condition = frozenset[Literal]


def under(literals: Iterable[Literal], form: Callable[..., Form], *others: object) -> Form:
    """Return the form with these controls as its first arguments; X on both sides of a control on 0."""
    literals = tuple(literals)
    flips = [x(q) for q, v in literals if v == 0]
    return [*flips, *form(*(q for q, _ in literals), *others), *flips]


@dataclass
class Ancillas:
    """Hands out clean wires with unused names, and takes them back clean."""

    taken: Collection[Qubit]
    made: list[Qubit] = field(default_factory=list)
    free: list[Qubit] = field(default_factory=list)

    def take(self) -> Qubit:
        """A wire that holds 0."""
        if self.free:
            return self.free.pop()
        numbers = (number for number in range(len(self.made), len(self.made) + len(self.taken) + 1))
        name = next(f"flag{n}" for n in numbers if f"flag{n}" not in self.taken and f"flag{n}" not in self.made)
        self.made.append(name)
        return name

    def give(self, wire: Qubit) -> None:
        """Takes back a wire that holds 0 again."""
        self.free.append(wire)


@dataclass(frozen=True)
class Flag:
    """A wire that is 1 where both parts hold."""

    wire: Qubit
    parts: tuple[Literal, Literal]


class FlagBook:
    """The flags that are computed at the moment, by the condition each stands for."""

    def __init__(self, emit: Callable[[Form], None], ancillas: Ancillas, conjunction: Callable[..., Form] = rccx):
        self.emit, self.ancillas, self.conjunction = emit, ancillas, conjunction
        self.flags: dict[Condition, Flag] = {}

    def one(self, literals: Iterable[Literal], wanted: Collection[Condition] = ()) -> Literal:
        """Return one literal that holds where all of these hold; `wanted` are conditions of later steps."""
        condition = frozenset(literals)
        if len(condition) == 1:
            return next(iter(condition))
        if condition not in self.flags:
            self._compute(*self._parts(condition, wanted), wanted=wanted)
        return self.flags[condition].wire, 1

    def two(self, literals: Iterable[Literal], wanted: Collection[Condition] = ()) -> tuple[Literal, Literal]:
        """Return two literals that together hold where all of these (two or more) hold."""
        condition = frozenset(literals)
        *first, last = self._parts(condition, wanted)
        return self.one(frozenset().union(*first), wanted), self.one(last, wanted)

    def release(self, keep: Callable[[Condition], bool] = lambda condition: False) -> None:
        """Uncompute every flag that `keep` does not keep and no kept flag depends on."""
        resting: set[Qubit] = set()
        for condition, flag in reversed(list(self.flags.items())):
            if keep(condition) or flag.wire in resting:
                resting.update(q for q, _ in flag.parts)
                continue
            self.emit(under(flag.parts, self.conjunction, flag.wire))
            self.ancillas.give(flag.wire)
            del self.flags[condition]

    def _compute(self, first: Condition, *others: Condition, wanted: Collection[Condition]) -> None:
        total = first
        for part in others:
            union = total | part
            if union not in self.flags:
                parts = (self.one(total, wanted), self.one(part, wanted))
                wire = self.ancillas.take()
                self.emit(under(parts, self.conjunction, wire))
                self.flags[union] = Flag(wire, parts)
            total = union

    def _parts(self, condition: Condition, wanted: Collection[Condition]) -> Sequence[Condition]:
        """Return conditions that together make this one, using flags that exist or will be needed."""
        useful = [c for c in dict.fromkeys([*self.flags, *wanted]) if len(c) > 1 and c < condition]
        parts: list[Condition] = []
        rest = set(condition)
        while useful and len(rest & (best := max(useful, key=lambda c: len(rest & c)))) > 1:
            parts.append(best)
            rest -= best
        return parts + [frozenset({literal}) for literal in sorted(rest)]

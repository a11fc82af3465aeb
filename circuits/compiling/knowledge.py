"""What is certain about the state while a program runs, for every possible input.

`Support` keeps the exact amplitudes of all branches. A qubit of which nothing is known at the start is
entangled with a partner that holds its incoming value, and an answer becomes part of the branch. So
"certain" means: for every incoming state and every answer. `Constants` only knows which qubits have a
fixed value; it takes over when there are too many branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.precision import NOISE
from qchess.circuits.predicates import Predicate
from qchess.circuits.program import Question, ReadOut

Records = tuple[tuple[str, int], ...]
Key = tuple[int, Records]

#: with more branches than this, only the constants are followed
BRANCH_LIMIT = 4096


@dataclass(frozen=True)
class Constants:
    """The qubits that certainly have one value, and nothing else."""

    values: Mapping[Qubit, int]

    def value(self, qubit: Qubit) -> int | None:
        """Return the value the qubit certainly has, else None."""
        return self.values.get(qubit)

    def simplify(self, operation: Operation) -> Operation | None:
        """Return the operation without controls that certainly hold; None if it certainly does nothing."""
        if any(self.values.get(q, v) != v for q, v in operation.controls):
            return None
        ends = [self.values.get(q) for q in operation.targets]
        if operation.gate.size == 2 and ends[0] is not None and ends[0] == ends[1]:
            return None
        if operation.gate.name == "Z" and ends == [0]:
            return None
        controls = tuple((q, v) for q, v in operation.controls if q not in self.values)
        return Operation(operation.gate, operation.targets, controls)

    def apply(self, operation: Operation) -> Constants:
        """Return what is known after the operation."""
        plain = self.simplify(operation)
        if plain is None or is_diagonal(plain):
            return self
        values = dict(self.values)
        ends = [values.pop(q, None) for q in plain.targets]
        if not plain.controls and is_permutation(plain):
            moved = [None if ends[0] is None else 1 - ends[0]] if plain.gate.size == 1 else ends[::-1]
            values.update((q, v) for q, v in zip(plain.targets, moved, strict=True) if v is not None)
        return Constants(values)

    def ask(self, step: Question | ReadOut) -> Constants:
        """Return what is known after a question, whatever its answer."""
        return self

    def fork(self, name: str, values: Iterable[int]) -> Constants:
        """Return the same knowledge, ready for an answer that was given elsewhere."""
        return self

    def given(self, name: str, value: int) -> Constants | None:
        """Return what is known given the answer; None if the answer is impossible."""
        return self

    def rest(self, name: str, values: Iterable[int]) -> Constants | None:
        """Return what is known if the answer is none of these values."""
        return self


@dataclass(frozen=True)
class Support:
    """Every branch: the bits of all qubits and the answers so far, with its amplitude."""

    bits: Mapping[Qubit, int]
    branches: Mapping[Key, complex]

    def value(self, qubit: Qubit) -> int | None:
        """Return the value the qubit certainly has, else None."""
        bit = self.bits[qubit]
        seen = {bool(key & bit) for key, _ in self.branches}
        return int(seen.pop()) if len(seen) == 1 else None

    def constants(self) -> Constants:
        """The qubits that certainly have one value."""
        values = {q: self.value(q) for q in self.bits}
        return Constants({q: v for q, v in values.items() if v is not None})

    def simplify(self, operation: Operation) -> Operation | None:
        """Return the operation without controls that hold wherever it acts; None if it acts nowhere."""
        acts = _acting_patterns(operation, self.bits)
        care = self._mask(operation.targets)
        moved = [key for key, _ in self.branches if key & care in acts]
        kept = list(operation.controls)
        if not self._holding(moved, kept):
            return None
        for control in operation.controls:
            others = [c for c in kept if c != control]
            if len(self._holding(moved, others)) == len(self._holding(moved, kept)):
                kept = others
        return Operation(operation.gate, operation.targets, tuple(kept))

    def apply(self, operation: Operation) -> Support | Constants:
        """Return what is known after the operation."""
        low_bits, high_bits, ((a, b), (c, d)) = operation.gate.block()
        care = self._mask(operation.qubits)
        base = self._mask(q for q, v in operation.controls if v)
        low = base + self._mask(q for q, v in zip(operation.targets, low_bits, strict=True) if v)
        high = base + self._mask(q for q, v in zip(operation.targets, high_bits, strict=True) if v)
        after: dict[Key, complex] = {}
        for (key, records), amplitude in self.branches.items():
            if key & care not in (low, high):
                after[key, records] = amplitude
                continue
            lower, upper = (key & ~care | low, records), (key & ~care | high, records)
            u, v = self.branches.get(lower, 0j), self.branches.get(upper, 0j)
            _put(after, lower, a * u, b * v)
            _put(after, upper, c * u, d * v)
        result = Support(self.bits, after)
        return result if len(after) <= BRANCH_LIMIT else result.constants()

    def ask(self, step: Question | ReadOut) -> Support:
        """Return what is known after a question: each branch remembers its answer."""
        answered = {(key, (*records, (step.name, self._answer(step, key)))): amplitude
                    for (key, records), amplitude in self.branches.items()}  # fmt: skip
        return Support(self.bits, answered)

    def fork(self, name: str, values: Iterable[int]) -> Support:
        """Return a copy of each branch for each of these answers, for an answer the program did not ask for."""
        values = tuple(values)
        forked: dict[Key, complex] = {}
        for (key, records), amplitude in self.branches.items():
            if name in dict(records):
                forked[key, records] = amplitude
            else:
                forked.update({(key, (*records, (name, value))): amplitude for value in values})
        return Support(self.bits, forked)

    def given(self, name: str, value: int) -> Support | None:
        """Return what is known given the answer; None if the answer is impossible."""
        return self._among(key for key in self.branches if dict(key[1]).get(name) == value)

    def rest(self, name: str, values: Iterable[int]) -> Support | None:
        """Return what is known if the answer is none of these values; None if that is impossible."""
        values = tuple(values)
        return self._among(key for key in self.branches if dict(key[1]).get(name) not in values)

    def _among(self, keys: Iterable[Key]) -> Support | None:
        kept = {key: self.branches[key] for key in keys}
        return Support(self.bits, kept) if kept else None

    def _answer(self, step: Question | ReadOut, key: int) -> int:
        if isinstance(step, Question):
            return int(step.predicate.holds(lambda q: int(bool(key & self.bits[q]))))
        return sum(1 << k for k, q in enumerate(step.qubits) if key & self.bits[q])

    def _mask(self, qubits: Iterable[Qubit]) -> int:
        return sum(self.bits[q] for q in qubits)

    def _holding(self, keys: Sequence[int], controls: Sequence[tuple[Qubit, int]]) -> list[int]:
        care, value = self._mask(q for q, _ in controls), self._mask(q for q, v in controls if v)
        return [key for key in keys if key & care == value]


Knowledge = Support | Constants


def start(qubits: Iterable[Qubit], known: Mapping[Qubit, int]) -> Knowledge:
    """Return the knowledge before the first step: some qubits have a value, the others any state."""
    qubits = tuple(dict.fromkeys([*qubits, *known]))
    unknown = [q for q in qubits if q not in known]
    if 2 ** len(unknown) > BRANCH_LIMIT:
        return Constants(dict(known))
    bits = {q: 1 << k for k, q in enumerate(qubits)}
    partners = {q: 1 << (len(qubits) + k) for k, q in enumerate(unknown)}
    keys = [sum(bits[q] for q, v in known.items() if v)]
    for q in unknown:
        keys += [key + bits[q] + partners[q] for key in keys]
    return Support(bits, {(key, ()): 1 + 0j for key in keys})


def union(cases: Sequence[Knowledge]) -> Knowledge:
    """Return what is known after several cases come together again."""
    exact = [case for case in cases if isinstance(case, Support)]
    if len(exact) == len(cases):
        branches = {key: amplitude for case in exact for key, amplitude in case.branches.items()}
        return Support(exact[0].bits, branches)
    first, *others = [case.constants() if isinstance(case, Support) else case for case in cases]
    return Constants({q: v for q, v in first.values.items() if all(o.value(q) == v for o in others)})


def settled(predicate: Predicate, knowledge: Knowledge) -> Predicate:
    """Return what is left of a predicate once the certain qubits are put in."""
    values = {q: knowledge.value(q) for q in predicate.qubits}
    return predicate.given({q: v for q, v in values.items() if v is not None})


def is_diagonal(operation: Operation) -> bool:
    """Tell whether the operation only multiplies each basis state by a phase."""
    (_, b), (c, _) = operation.gate.block().matrix
    return b == 0 and c == 0


def is_permutation(operation: Operation) -> bool:
    """Tell whether the gate exchanges its two bit patterns, up to phases."""
    (a, _), (_, d) = operation.gate.block().matrix
    return a == 0 and d == 0


def _acting_patterns(operation: Operation, bits: Mapping[Qubit, int]) -> set[int]:
    """Return the patterns of the targets that the gate changes."""
    low, high, ((a, _), (_, d)) = operation.gate.block()
    fixed = is_diagonal(operation)
    touched = [pattern for pattern, corner in ((low, a), (high, d)) if not (fixed and corner == 1)]
    return {sum(bits[q] for q, v in zip(operation.targets, p, strict=True) if v) for p in touched}


def _put(branches: dict[Key, complex], key: Key, first: complex, second: complex) -> None:
    """Store the sum of two terms, or nothing where they cancel; a small amplitude alone is never dropped."""
    total = first + second
    if abs(total) > NOISE * (abs(first) + abs(second)):
        branches[key] = total

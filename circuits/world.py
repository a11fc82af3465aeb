"""A world of qubits, each certainly 0, certainly 1, or held by a register; and all that can be read from it.

The state is the product of the registers, times one phase. A world is a value; `qchess.circuits.registers` adds
operations.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from qchess.circuits.engine import Engine
from qchess.circuits.errors import ImpossibleOutcomeError, ProgramError, StateTooLargeError, door
from qchess.circuits.history import Cone, Past, cone
from qchess.circuits.operations import Qubit, names
from qchess.circuits.precision import CERTAIN, SAME
from qchess.circuits.predicates import ALWAYS, Cube, Predicate, conjunction
from qchess.circuits.program import Program
from qchess.circuits.register import Register

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: a vector of more qubits takes a gigabyte or more
MOST_DENSE = 25


#: stands for an engine if none was given
_NO_ENGINE: Any = None


def _is_engine(thing: Any) -> bool:
    return callable(getattr(thing, "prepare", None))


class World:
    """The state of all qubits on one engine, read-only. Qubits never named are 0."""

    __slots__ = ("_each", "engine", "environment", "home", "past", "phase")

    @door
    def __init__(self, engine: Engine = _NO_ENGINE, full: Iterable[Qubit] = ()) -> None:
        if not _is_engine(engine):
            raise ProgramError(f"registers live on an engine, such as qchess.backends.engine('sparse'); got {engine!r}")
        self.engine = engine
        #: where a qubit is: 1 if certainly full, or its register; certainly empty ones are absent
        self.home: Mapping[Qubit, int | Register] = dict.fromkeys(names("full", full), 1)
        self.phase: complex = 1 + 0j
        self.environment: frozenset[Qubit] = frozenset()
        self.past: Past | None = None
        self._each: tuple[Register, ...] | None = None

    @classmethod
    def made(
        cls,
        engine: Engine,
        home: Mapping[Qubit, int | Register],
        phase: complex,
        environment: frozenset[Qubit],
        past: Past | None,
    ) -> Self:
        """Return a world of these parts."""
        world = cls.__new__(cls)
        world.engine, world.home, world.phase = engine, home, phase
        world.environment, world.past, world._each = environment, past, None
        return world

    def without_past(self) -> Self:
        """Return the same state without its history."""
        return self.made(self.engine, self.home, self.phase, self.environment, None)

    def __reduce__(self) -> tuple[object, tuple[Any, ...]]:
        return type(self).made, (self.engine, self.home, self.phase, self.environment, self.past)

    # -- what is certain, and how likely the rest is -----------------------------------------------

    def known(self, qubit: Qubit) -> int | None:
        """Return 0 or 1 for a certain qubit, None for one in superposition."""
        at = self.home.get(qubit, 0)
        return at if isinstance(at, int) else None

    @property
    def full(self) -> frozenset[Qubit]:
        """Return the qubits that are certainly 1."""
        return frozenset(qubit for qubit, at in self.home.items() if isinstance(at, int))

    @property
    def uncertain(self) -> tuple[Qubit, ...]:
        """Return the qubits in superposition."""
        return tuple(qubit for qubit, at in self.home.items() if not isinstance(at, int))

    def probability(self, asked: Predicate | Qubit) -> float:
        """Return the exact probability that a predicate holds, or that a qubit is 1."""
        if isinstance(asked, str):
            at = self.home.get(asked, 0)
            return float(at) if isinstance(at, int) else at.odds[asked]
        if not isinstance(asked, Predicate):
            raise ProgramError(
                f"a probability is of a qubit's name or of a predicate, such as full('a3'); got {asked!r}"
            )
        if len(asked.cubes) == 1:
            return self._cube_probability(asked.cubes[0])
        home = self.home
        known = {q: at for q in asked.qubits if isinstance(at := home.get(q, 0), int)}
        return sum([self._cube_probability(cube) for cube in asked.given(known).disjoint().cubes], 0.0)

    def _cube_probability(self, cube: Cube) -> float:
        """Return the product of the probabilities of the cube's parts in independent registers."""
        home, result = self.home, 1.0
        shares: dict[int, tuple[Register, list[tuple[Qubit, int]]]] = {}
        for pair in cube:
            at = home.get(pair[0], 0)
            if not isinstance(at, int):
                shares.setdefault(id(at), (at, []))[1].append(pair)
            elif at != pair[1]:
                return 0.0
        for register, mine in shares.values():
            result *= self.engine.probability(register.state, conjunction(tuple(mine)))
        return result

    def distribution(self, *qubits: Qubit) -> dict[int, float]:
        """Return the exact probability of each read-out of the qubits; bit k of a key is ``qubits[k]``."""
        if len(set(qubits)) < len(qubits):
            raise ProgramError(f"a read-out names each qubit once, got {', '.join(map(repr, qubits))}")
        result = {sum(1 << k for k, q in enumerate(qubits) if self.known(q)): 1.0}
        for register, mine in self.held(qubits):
            places = [qubits.index(q) for q in mine]
            odds = register.distribution(mine)
            spread = {sum((v >> j & 1) << k for j, k in enumerate(places)): p for v, p in odds.items()}
            if len(result) * len(spread) > self.engine.branch_limit:
                raise StateTooLargeError(
                    f"a read-out of {len(qubits)} qubits has {len(result)} x {len(spread)} outcomes or more, "
                    f"the limit is {self.engine.branch_limit}; nothing was changed"
                )
            result = {key | more: p * q for key, p in result.items() for more, q in spread.items()}
        return dict(sorted(result.items()))

    # -- the registers themselves ---------------------------------------------------------------------

    def held(self, qubits: Iterable[Qubit]) -> list[tuple[Register, tuple[Qubit, ...]]]:
        """Return the registers that hold any of these qubits, each with those it holds."""
        found: dict[int, tuple[Register, list[Qubit]]] = {}
        for qubit in qubits:
            at = self.home.get(qubit, 0)
            if not isinstance(at, int):
                found.setdefault(id(at), (at, []))[1].append(qubit)
        return [(register, tuple(mine)) for register, mine in found.values()]

    @property
    def each(self) -> tuple[Register, ...]:
        """Return every register."""
        if self._each is None:
            self._each = tuple({id(at): at for at in self.home.values() if not isinstance(at, int)}.values())
        return self._each

    def register(self, qubit: Qubit) -> Register | None:
        """Return the register of the qubit; None if it is certain."""
        at = self.home.get(qubit, 0)
        return None if isinstance(at, int) else at

    @property
    def registers(self) -> tuple[tuple[Qubit, ...], ...]:
        """Return the qubits of each register."""
        return tuple(register.qubits for register in self.each)

    def register_of(self, qubit: Qubit) -> tuple[Qubit, ...]:
        """Return the qubits entangled with this one, itself included; empty if it is certain."""
        at = self.home.get(qubit, 0)
        return () if isinstance(at, int) else at.qubits

    def branches(self) -> tuple[int, ...]:
        """Return the number of branches of each register."""
        return tuple(register.branches for register in self.each)

    @door
    def amplitudes(self, order: Iterable[Qubit] | None = None) -> dict[int, complex]:
        """Return the amplitude of every branch of the whole state; bit k of a key is ``order[k]``.

        The order must name every qubit that is not certainly 0 (the default), and may name others.
        """
        order = tuple(self.home) if order is None else names("an order", order)
        missing = [q for q in self.home if q not in order]
        if missing:
            raise ProgramError(f"amplitudes need an order of all qubits that are not certainly 0, it lacks {missing}")
        result = {sum(1 << k for k, q in enumerate(order) if self.known(q) == 1): self.phase}
        bit = {q: k for k, q in enumerate(order)}
        for register in self.each:
            mine = register.qubits
            lifted = {
                sum(1 << bit[q] for j, q in enumerate(mine) if key >> j & 1): a
                for key, a in register.amplitudes().items()
            }
            result = {key | more: a * b for key, a in result.items() for more, b in lifted.items()}
        return result

    def same_as(self, other: World, tolerance: float = SAME) -> bool:
        """Tell whether both are one state, up to a global phase; the engines may differ."""
        mine = {frozenset(qubits) for qubits in self.registers}
        if self.full != other.full or mine != {frozenset(qubits) for qubits in other.registers}:
            return False
        return all(self._register_matches(other, qubits, tolerance) for qubits in self.registers)

    def _register_matches(self, other: World, qubits: tuple[Qubit, ...], tolerance: float) -> bool:
        ((mine, _),), ((theirs, _),) = self.held(qubits[:1]), other.held(qubits[:1])
        return parallel(mine.amplitudes(qubits), theirs.amplitudes(qubits), tolerance)

    def statevector(self, order: Iterable[Qubit] | None = None) -> NDArray[np.complex128]:
        """Return the dense vector; bit k of an index is ``order[k]``, as in Qiskit (default: `uncertain`).

        The order must name every qubit in superposition, and may name certain ones.
        """
        import numpy as np

        named = self.uncertain if order is None else names("an order", order)
        if lacks := [qubit for qubit in self.uncertain if qubit not in named]:
            raise ProgramError(f"an order names every qubit in superposition, this one lacks {', '.join(lacks)}")
        if len(named) > MOST_DENSE:
            raise StateTooLargeError(f"a vector is written out for {MOST_DENSE} qubits at most, got {len(named)}")
        bit = {qubit: 1 << k for k, qubit in enumerate(named)}
        keys = np.array([sum(bit[q] for q in named if self.known(q) == 1)])
        values = np.array([self.phase], dtype=np.complex128)
        for register in self.each:
            mine = register.qubits
            table = register.amplitudes()
            lifted = [sum(bit[q] for j, q in enumerate(mine) if key >> j & 1) for key in table]
            keys = np.add.outer(keys, lifted).ravel()
            values = np.multiply.outer(values, list(table.values())).ravel()
        vector = np.zeros(1 << len(named), dtype=np.complex128)
        vector[keys] = values
        return vector

    def sample(
        self, n: int, rng: random.Random | int | None = None, qubits: Iterable[Qubit] | None = None
    ) -> dict[tuple[Qubit, ...], int]:
        """Return how often each of n read-outs came, the most frequent first: a read-out is the qubits that were 1.

        They are read from `qubits` (default: all in superposition). `rng` is a generator or a seed; the state is
        unchanged.
        """
        dice = rng if isinstance(rng, random.Random) else random.Random(rng)
        named = self.uncertain if qubits is None else names("qubits", qubits)
        if isinstance(n, bool) or not isinstance(n, int) or n < 0:
            raise ProgramError(f"the number of read-outs is a whole number, got {n!r}")
        parts = []
        for register, mine in self.held(named):
            odds = register.distribution(mine)
            read = [frozenset(q for k, q in enumerate(mine) if key >> k & 1) for key in odds]
            parts.append(dice.choices(read, list(odds.values()), k=n))
        certain = frozenset(q for q in named if self.known(q) == 1)
        drawn = Counter(certain.union(*found) for found in (zip(*parts, strict=True) if parts else [()] * n))
        return {tuple(q for q in named if q in full): count for full, count in drawn.most_common()}

    # -- how it came about ------------------------------------------------------------------------------

    def cone(self, *qubits: Qubit) -> Cone:
        """Return the part of the past that made these qubits, back to when each was last certain."""
        return cone(self.past, qubits)

    def circuit(self, *qubits: Qubit) -> Program:
        """Return the circuit, from |0...0>, that made the registers of these qubits (default: of all)."""
        asked = qubits or self.uncertain
        members = dict.fromkeys(q for qubit in asked for q in self.register_of(qubit))
        cone = self.cone(*members)
        if cone.unmade:
            raise ProgramError(f"no circuit made {list(cone.unmade)}: they were set to given amplitudes")
        return cone.program()

    def check_possible(self, predicate: Predicate, answer: int) -> float:
        """Return the probability of an answer; raises an error if it is 0."""
        p = self.probability(predicate) if predicate != ALWAYS else 1.0
        p = p if answer else 1 - p
        if p < CERTAIN:
            raise ImpossibleOutcomeError(f"the answer {answer} to '{predicate}' has probability 0 and cannot be forced")
        return p

    def __repr__(self) -> str:
        parts = [f"{'/'.join(q)} ({n})" for q, n in zip(self.registers, self.branches(), strict=True)]
        return f"<Registers on {self.engine.name}: {len(self.full)} full, registers {', '.join(parts) or 'none'}>"


def parallel(a: Mapping[int, complex], b: Mapping[int, complex], tolerance: float) -> bool:
    """Tell whether two lists of amplitudes differ at most by a phase."""
    top = max(a, key=lambda key: abs(a[key]))
    if abs(b.get(top, 0)) < tolerance:
        return False
    turn = a[top] / abs(a[top]) * abs(b[top]) / b[top]
    return all(abs(a.get(key, 0) - turn * b.get(key, 0)) <= tolerance for key in a.keys() | b.keys())

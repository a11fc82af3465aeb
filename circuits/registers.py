"""Registers: the qubits of a game, factored into the independent states they really are.

A qubit that is surely 0 or surely 1 belongs to no register; the others belong to registers whose
product, times one phase, is the state. Operations join registers; answers and interference split them
again, exactly and completely. `Registers` is a value: every change returns a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess.circuits.engine import Answer, Engine, Source
from qchess.circuits.errors import ImpossibleOutcomeError, ProgramError, StateTooLargeError
from qchess.circuits.history import Cone, Past, cone
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import ALWAYS, Predicate
from qchess.circuits.program import Program

if TYPE_CHECKING:
    import networkx as nx

#: probabilities closer than this to 0 or 1 are certain
CERTAIN = 1e-12


class Run(NamedTuple):
    """What a program came to: the registers after it, and every answer on the way."""

    registers: Registers
    answers: tuple[Answer, ...]


class Registers:
    """The state of all qubits on one engine. Qubits never named are 0.

    >>> from qchess import backends
    >>> from qchess.circuits import split
    >>> board = Registers(backends.engine('sparse'), full=['b1']).run(split('b1', 'a3', 'c3')).registers
    >>> round(board.probability('a3'), 12)
    0.5
    >>> board.registers
    (('a3', 'c3'),)
    """

    __slots__ = ("engine", "environment", "past", "phase", "place")

    def __init__(self, engine: Engine, full: Iterable[Qubit] = ()) -> None:
        self.engine = engine
        #: where a qubit is: 1 for surely full, or the state of its register; surely empty is absent
        self.place: Mapping[Qubit, Any] = dict.fromkeys(full, 1)
        self.phase: complex = 1 + 0j
        self.environment: frozenset[Qubit] = frozenset()
        self.past: Past | None = None

    @classmethod
    def prepared(
        cls, engine: Engine, groups: Iterable[tuple[Sequence[Qubit], Mapping[int, complex]]], full: Iterable[Qubit] = ()
    ) -> Registers:
        """Registers that start in given amplitudes, a group of qubits each; such qubits have no past."""
        from qchess.circuits.running import prepared

        return prepared(cls(engine, full), groups)

    @classmethod
    def _made(
        cls,
        engine: Engine,
        place: Mapping[Qubit, Any],
        phase: complex,
        environment: frozenset[Qubit],
        past: Past | None,
    ) -> Registers:
        made = cls.__new__(cls)
        made.engine, made.place, made.phase = engine, place, phase
        made.environment, made.past = environment, past
        return made

    # -- change -------------------------------------------------------------------------------------

    def apply(self, *operations: Operation) -> Registers:
        """The registers after some operations."""
        return self.run(Program(*operations)).registers

    def run(self, program: Program, source: Source | None = None) -> Run:
        """Runs a program; `source` answers its open questions."""
        from qchess.circuits.running import run

        return run(self, program, source)

    def project(self, predicate: Predicate, answer: int = 1) -> Registers:
        """The registers after the predicate was found true (1) or false (0)."""
        from qchess.circuits.running import project

        return project(self, predicate, answer)

    # -- what is certain, and how likely the rest is -----------------------------------------------

    def known(self, qubit: Qubit) -> int | None:
        """0 or 1 for a qubit that is certain, None for one in superposition."""
        at = self.place.get(qubit, 0)
        return at if isinstance(at, int) else None

    @property
    def full(self) -> frozenset[Qubit]:
        """The qubits that are surely 1."""
        return frozenset(qubit for qubit, at in self.place.items() if isinstance(at, int))

    @property
    def uncertain(self) -> tuple[Qubit, ...]:
        """The qubits in superposition."""
        return tuple(qubit for qubit, at in self.place.items() if not isinstance(at, int))

    def probability(self, asked: Predicate | Qubit) -> float:
        """The exact probability that a predicate holds, or that a qubit is 1."""
        if isinstance(asked, str):
            at = self.place.get(asked, 0)
            return float(at) if isinstance(at, int) else self.engine.marginals(at)[asked]
        place = self.place
        known = {q: at for q in asked.qubits if isinstance(at := place.get(q, 0), int)}
        left = asked.given(known)
        if not left.qubits:  # every qubit is certain
            return float(left == ALWAYS)
        return sum(self._cube_probability(cube) for cube in left.disjoint().cubes)

    def _cube_probability(self, cube: tuple[tuple[Qubit, int], ...]) -> float:
        """Independent registers: the product of each one's share of the cube."""
        result = 1.0
        for state, qubits in self.held(q for q, _ in cube):
            mine = set(qubits)
            result *= self.engine.probability(state, Predicate((tuple(p for p in cube if p[0] in mine),)))
        return result

    def distribution(self, *qubits: Qubit) -> dict[int, float]:
        """The exact probability of each read-out of the qubits; bit k of a key is ``qubits[k]``."""
        result = {sum(1 << k for k, q in enumerate(qubits) if self.known(q)): 1.0}
        for state, mine in self.held(qubits):
            places = [qubits.index(q) for q in mine]
            odds = self.engine.distribution(state, mine)
            spread = {sum((v >> j & 1) << k for j, k in enumerate(places)): p for v, p in odds.items()}
            if len(result) * len(spread) > self.engine.branch_limit:
                raise StateTooLargeError(
                    f"a read-out of {len(qubits)} qubits has {len(result)} x {len(spread)} outcomes or more, "
                    f"the limit is {self.engine.branch_limit}; nothing was changed"
                )
            result = {key | more: p * q for key, p in result.items() for more, q in spread.items()}
        return dict(sorted(result.items()))

    # -- the registers themselves ---------------------------------------------------------------------

    def held(self, qubits: Iterable[Qubit]) -> list[tuple[Any, tuple[Qubit, ...]]]:
        """The states that hold any of these qubits, each with those of them it holds."""
        found: dict[int, tuple[Any, list[Qubit]]] = {}
        for qubit in qubits:
            at = self.place.get(qubit, 0)
            if not isinstance(at, int):
                found.setdefault(id(at), (at, []))[1].append(qubit)
        return [(state, tuple(mine)) for state, mine in found.values()]

    @property
    def states(self) -> tuple[Any, ...]:
        """The engine's states, one a register."""
        return tuple({id(at): at for at in self.place.values() if not isinstance(at, int)}.values())

    @property
    def registers(self) -> tuple[tuple[Qubit, ...], ...]:
        """The qubits of each register."""
        return tuple(self.engine.qubits(state) for state in self.states)

    def register_of(self, qubit: Qubit) -> tuple[Qubit, ...]:
        """The qubits entangled with this one, itself included; empty if it is certain."""
        at = self.place.get(qubit, 0)
        return () if isinstance(at, int) else self.engine.qubits(at)

    def branches(self) -> tuple[int, ...]:
        """The number of branches of each register."""
        return tuple(self.engine.branches(state) for state in self.states)

    def amplitudes(self, order: Sequence[Qubit]) -> dict[int, complex]:
        """The amplitude of every branch of the whole state; `order` must name every qubit not 0."""
        missing = [q for q in self.place if q not in order]
        if missing:
            raise ProgramError(f"amplitudes need an order of all qubits that are not surely 0, it lacks {missing}")
        result = {sum(1 << k for k, q in enumerate(order) if self.known(q) == 1): self.phase}
        place = {q: k for k, q in enumerate(order)}
        for state in self.states:
            mine = self.engine.qubits(state)
            lifted = {
                sum(1 << place[q] for j, q in enumerate(mine) if key >> j & 1): a
                for key, a in self.engine.amplitudes(state).items()
            }
            result = {key | more: a * b for key, a in result.items() for more, b in lifted.items()}
        return result

    def same_as(self, other: Registers, tolerance: float = 1e-9) -> bool:
        """Whether both are one state, up to a global phase; the engines may differ."""
        mine = {frozenset(qubits) for qubits in self.registers}
        if self.full != other.full or mine != {frozenset(qubits) for qubits in other.registers}:
            return False
        return all(self._register_matches(other, qubits, tolerance) for qubits in self.registers)

    def _register_matches(self, other: Registers, qubits: tuple[Qubit, ...], tolerance: float) -> bool:
        a = self.engine.amplitudes(self.place[qubits[0]], qubits)
        b = other.engine.amplitudes(other.place[qubits[0]], qubits)
        top = max(a, key=lambda key: abs(a[key]))
        if abs(b.get(top, 0)) < tolerance:
            return False
        turn = a[top] / abs(a[top]) * abs(b[top]) / b[top]
        return all(abs(a.get(key, 0) - turn * b.get(key, 0)) <= tolerance for key in a.keys() | b.keys())

    # -- looking at it ----------------------------------------------------------------------------------

    def cone(self, *qubits: Qubit) -> Cone:
        """What made these qubits what they are, back to when each was last certain."""
        return cone(self.past, qubits)

    def circuit(self, *qubits: Qubit) -> Program:
        """The circuit, from |0...0>, that made the registers of these qubits (default: of all)."""
        asked = qubits or self.uncertain
        members = dict.fromkeys(q for qubit in asked for q in self.register_of(qubit))
        cone = self.cone(*members)
        if cone.unmade:
            raise ProgramError(f"no circuit made {list(cone.unmade)}: they were put in given amplitudes")
        return cone.program()

    @property
    def entanglement(self) -> nx.Graph[Qubit]:
        """The entanglement graph: its connected components are the registers."""
        from qchess.circuits.entanglement import graph

        return graph(self)

    def check_possible(self, predicate: Predicate, answer: int) -> float:
        """The probability of an answer; an error if it is 0."""
        p = self.probability(predicate) if predicate != ALWAYS else 1.0
        p = p if answer else 1 - p
        if p < CERTAIN:
            raise ImpossibleOutcomeError(f"the answer {answer} to '{predicate}' has probability 0 and cannot be forced")
        return p

    def __repr__(self) -> str:
        parts = [f"{'/'.join(q)} ({n})" for q, n in zip(self.registers, self.branches(), strict=True)]
        return f"<Registers on {self.engine.name}: {len(self.full)} full, registers {', '.join(parts) or 'none'}>"

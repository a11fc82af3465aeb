"""Registers: the qubits of a game, factored into independent states.

A qubit that is certainly 0 or 1 belongs to no register. The state is the product of the registers, times one
phase. Operations join registers; answers and interference split them again, exactly and completely.
`Registers` is a value: every change returns a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from qchess.circuits.engine import Engine, Source
from qchess.circuits.entanglement import graph
from qchess.circuits.errors import door
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate
from qchess.circuits.program import Program
from qchess.circuits.running import Pause, Run, prepared, project, run, start
from qchess.circuits.world import World
from qchess.foreign import listed, understands

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Pause", "Registers", "Run"]


#: names needed only in programs
PLUMBING = ("check_possible", "cone", "each", "environment", "held", "home", "made", "past", "without_past")


@understands("Registers")
class Registers(World):
    """The state of all qubits on one engine. Qubits never named are 0.

    >>> from qchess import backends
    >>> from qchess.circuits import split
    >>> board = Registers(backends.engine('sparse'), full=['b1']).run(split('b1', 'a3', 'c3')).registers
    >>> round(board.probability('a3'), 12)
    0.5
    >>> board.registers
    (('a3', 'c3'),)
    """

    __slots__ = ()

    @classmethod
    def prepared(
        cls, engine: Engine, groups: Iterable[tuple[Sequence[Qubit], Mapping[int, complex]]], full: Iterable[Qubit] = ()
    ) -> Registers:
        """Return registers in given amplitudes, one group of qubits each; such qubits have no past."""
        return prepared(cls(engine, full), groups)

    def apply(self, *operations: Operation) -> Registers:
        """Return the registers after some operations."""
        return self.run(Program(*operations)).registers

    def start(self, program: Program, most: int | None = None) -> Run | Pause:
        """Run a program to its end, or to the first question with an open answer.

        With `most`, no register may have more branches at the end. What would be too large for any possible answer is
        refused now, so a refusal never depends on an answer.
        """
        return start(self, program, most)

    @door
    def run(self, program: Program, source: Source | None = None, most: int | None = None) -> Run:
        """Run a program to its end; `source` answers its open questions."""
        return run(self, program, source, most)

    def project(self, predicate: Predicate, answer: int = 1) -> Registers:
        """Return the registers after the predicate was found true (1) or false (0)."""
        return project(self, predicate, answer)

    @property
    def entanglement(self) -> nx.Graph[Qubit]:
        """Return the entanglement graph: its connected components are the registers."""
        return graph(self)

    def __dir__(self) -> list[str]:
        return listed(self, PLUMBING)

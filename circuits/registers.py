"""Registers: the qubits of a game, factored into the independent states they really are.

A qubit that is surely 0 or surely 1 belongs to no register; the others belong to registers whose
product, times one phase, is the state. Operations join registers; answers and interference split them
again, exactly and completely. `Registers` is a value: every change returns a new one.
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


#: names that only programs need
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
        """Registers that start in given amplitudes, a group of qubits each; such qubits have no past."""
        return prepared(cls(engine, full), groups)

    def apply(self, *operations: Operation) -> Registers:
        """The registers after some operations."""
        return self.run(Program(*operations)).registers

    def start(self, program: Program, most: int | None = None) -> Run | Pause:
        """Runs a program to its end, or to the first question whose answer is open.

        With `most`, no register may have more branches at the end. Whatever is too large is refused now,
        for every answer that could come: a refusal never depends on an answer.
        """
        return start(self, program, most)

    @door
    def run(self, program: Program, source: Source | None = None, most: int | None = None) -> Run:
        """Runs a program to its end; `source` answers its open questions."""
        return run(self, program, source, most)

    def project(self, predicate: Predicate, answer: int = 1) -> Registers:
        """The registers after the predicate was found true (1) or false (0)."""
        return project(self, predicate, answer)

    @property
    def entanglement(self) -> nx.Graph[Qubit]:
        """The entanglement graph: its connected components are the registers."""
        return graph(self)

    def __dir__(self) -> list[str]:
        return listed(self, PLUMBING)

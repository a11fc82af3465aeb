"""Map a lowered program to a chip's graph: every CX acts on neighbours, and SWAPs bring them together.

Steps keep their order, so that a state needs no more branches than before. Of the SWAPs that bring a pair nearer, the
one best for the next pairs is taken. All costs are integers and ties go to the lowest, so a program is mapped the same
way everywhere. The cases of a branch begin and end with every wire in its place.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from qchess.bench.corpus.features import everything
from qchess.bench.corpus.graphs import Graph, distances
from qchess.circuits.compiling.decompositions import swap_form
from qchess.circuits.compiling.lowering import tidy
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Branch, Program, Step

#: how many later pairs are considered
SOON = 20

Pair = tuple[Qubit, Qubit]
Edge = tuple[int, int]


@dataclass(frozen=True)
class Mapped:
    """A program on a chip's wires, and where each of its own wires begins and ends."""

    program: Program
    first: Mapping[Qubit, Qubit]
    last: Mapping[Qubit, Qubit]


def mapped(program: Program, wires: Sequence[Qubit], graph: Graph) -> Mapped:
    """Map the program, of one- and two-qubit gates and read-outs of one qubit, to the graph."""
    router = Router(graph, placed(program, wires, graph))
    first = {q: spot(place) for q, place in router.place.items()}
    steps = tidy(router.route(program))
    return Mapped(Program(*steps), first, {q: spot(place) for q, place in router.place.items()})


def spot(place: int) -> Qubit:
    """Return the name of a wire of the chip."""
    return f"p{place}"


def placed(program: Program, wires: Sequence[Qubit], graph: Graph) -> dict[Qubit, int]:
    """Return the first place of each wire: those with most gates first, each near its partners."""
    far = distances(graph)
    meets: dict[Qubit, Counter[Qubit]] = {q: Counter() for q in wires}
    for a, b in pairs(program):
        meets[a][b] += 1
        meets[b][a] += 1
    centre = min(range(len(graph)), key=lambda k: (sum(far[k]), k))
    free, left = list(range(len(graph))), list(wires)
    place: dict[Qubit, int] = {}

    def room(k: int) -> tuple[int, int, int]:
        """Return a sort key for equally near places: with free neighbours first, then near the middle."""
        return -sum(there in free for there in graph[k]), far[k][centre], k

    while left:
        q = max(left, key=lambda w: (sum(meets[w][p] for p in place), meets[w].total()))
        near = {p: meets[q][p] for p in place if meets[q][p]}
        place[q] = min(free, key=lambda k: (sum(far[k][place[p]] * n for p, n in near.items()), *room(k)))
        left.remove(q)
        free.remove(place[q])
    return place


def pairs(program: Program) -> list[Pair]:
    """Return the wires of each two-qubit gate, over all cases."""
    found = (step.qubits for step in everything(program) if isinstance(step, Operation))
    return [(qubits[0], qubits[1]) for qubits in found if len(qubits) == 2]


class Router:
    """Walks a program in order and tracks the place of each wire."""

    def __init__(self, graph: Graph, place: Mapping[Qubit, int]) -> None:
        self.graph = graph
        self.far = distances(graph)
        self.place = dict(place)
        #: every exchange made, in order
        self.swaps: list[Edge] = []

    def route(self, program: Program) -> list[Step]:
        """Return the steps on the chip's wires."""
        done: list[Step] = []
        waiting = deque(pairs(program))
        for step in program:
            if isinstance(step, Branch):
                done.append(Branch(step.name, tuple((value, self.case(case)) for value, case in step.cases)))
                for _ in [pair for _, case in step.cases for pair in pairs(case)]:
                    waiting.popleft()
                continue
            if isinstance(step, Operation) and len(step.qubits) == 2:
                done += self.bring_together(waiting)
                waiting.popleft()
            done += Program(step).renamed({q: spot(self.place[q]) for q in step.qubits})
        return done

    def case(self, program: Program) -> Program:
        """Return a case of a branch, after which every wire is back in its place."""
        inner = Router(self.graph, self.place)
        steps = inner.route(program)
        return Program(*steps, *(gate for edge in reversed(inner.swaps) for gate in exchange(edge)))

    def bring_together(self, waiting: Sequence[Pair]) -> list[Operation]:
        """Return the SWAPs that make the first waiting pair neighbours."""
        done: list[Operation] = []
        soon = list(islice(waiting, 1, SOON))
        while self.apart(waiting[0]) > 1:
            edge = min(self.nearer(*waiting[0]), key=lambda edge: (sum(self.apart(p, edge) for p in soon), edge))
            self.swap(edge)
            done += exchange(edge)
        return done

    def nearer(self, a: Qubit, b: Qubit) -> Iterator[Edge]:
        """Yield the exchanges with a neighbour that bring one of a pair a step nearer to the other."""
        for here, there in ((self.place[a], self.place[b]), (self.place[b], self.place[a])):
            for step in self.graph[here]:
                if self.far[step][there] < self.far[here][there]:
                    yield min(here, step), max(here, step)

    def apart(self, pair: Pair, edge: Edge | None = None) -> int:
        """Return the distance of a pair, now or after an exchange."""
        a, b = (self.place[q] for q in pair)
        if edge:
            there = {edge[0]: edge[1], edge[1]: edge[0]}
            a, b = there.get(a, a), there.get(b, b)
        return self.far[a][b]

    def swap(self, edge: Edge) -> None:
        """Exchange the wires on two neighbours."""
        there = {edge[0]: edge[1], edge[1]: edge[0]}
        self.place = {q: there.get(place, place) for q, place in self.place.items()}
        self.swaps.append(edge)


def exchange(edge: Edge) -> list[Operation]:
    """Return a SWAP of two neighbours in CX."""
    return swap_form(*map(spot, edge))

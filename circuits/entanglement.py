"""The entanglement graph: the interactions that join the qubits of each register."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

from qchess.circuits.operations import Qubit

if TYPE_CHECKING:
    import networkx as nx

    from qchess.circuits.registers import Registers


def graph(registers: Registers) -> nx.Graph[Qubit]:
    """Return a networkx graph: its nodes are the qubits in superposition, its components the registers.

    An edge is an interaction that was not undone; its ``weight`` counts the steps that made it, its
    ``history`` lists them. If a qubit in between became certain, its neighbours are linked directly. Nodes
    carry ``probability``.
    """
    import networkx as nx

    result: nx.Graph[Qubit] = nx.Graph()
    for qubits in registers.registers:
        result.add_nodes_from((q, {"probability": registers.probability(q)}) for q in qubits)
        links = _contracted(_links(registers, qubits), frozenset(qubits))
        for (a, b), history in links.items():
            result.add_edge(a, b, weight=len(history), history=tuple(history))
    return result


Links = dict[tuple[Qubit, Qubit], list[str]]


def _links(registers: Registers, qubits: tuple[Qubit, ...]) -> Links:
    """Return the steps of the register's past, by the pairs of qubits they touched."""
    cone = registers.cone(*qubits)
    links: Links = {pair: ["prepared"] for pair in combinations(cone.unmade, 2)}
    for step, _ in cone.steps():
        for a, b in combinations(sorted(step.qubits), 2):
            links.setdefault((a, b), []).append(repr(step))
    return links


def _contracted(links: Links, kept: frozenset[Qubit]) -> Links:
    """Return the links among the kept qubits, contracting those through other qubits."""
    gone = {q for pair in links for q in pair} - kept
    for middle in sorted(gone):
        beside = {_other(pair, middle): history for pair, history in links.items() if middle in pair}
        links = {pair: history for pair, history in links.items() if middle not in pair}
        for a, b in combinations(sorted(beside), 2):
            merged = links.setdefault((a, b), [])
            merged.extend(_unseen(merged, [*beside[a], *beside[b]]))
    return links


def _other(pair: tuple[Qubit, Qubit], qubit: Qubit) -> Qubit:
    return pair[1] if pair[0] == qubit else pair[0]


def _unseen(have: list[str], more: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(more) if text not in have]

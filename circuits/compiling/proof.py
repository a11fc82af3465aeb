"""Check a compiled circuit: run it and its source densely, on every allowed input and for all answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from qchess.circuits.compiling.compiler import Compiled
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Branch, Program, Question, ReadOut, Step
from qchess.circuits.unitary import Complex, apply

#: the answers so far, by name, in the order given
Answers = tuple[tuple[str, int], ...]


def deviation(compiled: Compiled) -> float:
    """Return the largest difference of any amplitude between a compiled circuit and its source, phases included.

    Checks every basis state that agrees with `known`, and every combination of answers. An amplitude on a
    dirty ancilla counts as a difference. Meant for small circuits: everything is dense.
    """
    qubits, wires = tuple(compiled.layout), compiled.wires
    allowed = [i for i in range(2 ** len(qubits)) if _agrees(i, qubits, compiled.known)]
    prepared = sum(1 << qubits.index(q) for q, v in compiled.known.items() if v and compiled.prepare)
    wanted = follow(compiled.source, basis_columns(len(qubits), allowed), qubits)
    found = follow(compiled.program, basis_columns(len(wires), (i ^ prepared for i in allowed)), wires)
    home = [_on_wires(i, qubits, wires, compiled.layout) for i in range(2 ** len(qubits))]
    worst = 0.0
    for answers in {**wanted, **found}:
        difference = found.get(answers, np.zeros((2 ** len(wires), len(allowed)), dtype=np.complex128)).copy()
        if answers in wanted:
            difference[home] -= wanted[answers]
        worst = max(worst, float(np.abs(difference).max(initial=0)))
    return worst


def follow(
    program: Program, vectors: Complex, order: tuple[Qubit, ...], answers: Answers = ()
) -> dict[Answers, Complex]:
    """Return every outcome of a program: its answers, and the unnormalised columns that give them."""
    worlds = {answers: vectors}
    for step in program:
        worlds = {key: v for past, state in worlds.items() for key, v in _after(step, state, order, past).items()}
    return worlds


def basis_columns(size: int, states: Iterable[int]) -> Complex:
    """Return a matrix with one basis state in each column."""
    chosen = list(states)
    matrix = np.zeros((2**size, len(chosen)), dtype=np.complex128)
    matrix[chosen, range(len(chosen))] = 1
    return matrix


def _after(step: Step, state: Complex, order: tuple[Qubit, ...], past: Answers) -> dict[Answers, Complex]:
    if isinstance(step, Operation):
        return {past: apply(step, state, order)}
    if isinstance(step, Branch):
        return follow(step.follow(dict(past)[step.name]), state, order, past)
    if not isinstance(step, Question | ReadOut):
        return {past: state}
    values = np.array([_answer(step, i, order) for i in range(len(state))])
    return {(*past, (step.name, int(v))): state * (values == v)[:, None] for v in np.unique(values)}


def _answer(step: Question | ReadOut, i: int, order: tuple[Qubit, ...]) -> int:
    if isinstance(step, Question):
        return int(step.predicate.holds(lambda q: i >> order.index(q) & 1))
    return sum((i >> order.index(q) & 1) << k for k, q in enumerate(step.qubits))


def _agrees(i: int, qubits: tuple[Qubit, ...], known: Mapping[Qubit, int]) -> bool:
    return all(i >> qubits.index(q) & 1 == v for q, v in known.items())


def _on_wires(i: int, qubits: tuple[Qubit, ...], wires: tuple[Qubit, ...], layout: Mapping[Qubit, Qubit]) -> int:
    return sum((i >> k & 1) << wires.index(layout[q]) for k, q in enumerate(qubits))

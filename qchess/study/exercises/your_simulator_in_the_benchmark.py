"""Notebook 16: your own simulators, verified as in the benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from qchess import bench
from qchess.bench.adapters.function import Function
from qchess.bench.adapters.sparse import Sparse
from qchess.bench.case import Case
from qchess.bench.running.diagnosing import first_wrong_gate
from qchess.bench.running.measuring import circuit_of, expected_of
from qchess.bench.running.verifying import TOLERANCE, Verdict, verify
from qchess.study.exercises.checking import Exercise, function, names

#: the circuits of the exercises: a family with its numbers
SEEN, UNSEEN = (("splits", 9), ("cat", 12)), ("linked_slides", 2)
FAMILIES = (*SEEN, UNSEEN, ("interference", 3), ("dense", 8, 3))


def _case(name: str, *numbers: int) -> Case:
    return bench.family(name, *numbers)


def _short(case: Case) -> str:
    """Return the name as in the notebook."""
    return case.name.removesuffix("-native")


def _without_controls(case: Case) -> Verdict:
    """Return the verdict on a state whose gates have lost their controls."""
    circuit, ours = circuit_of(case), Sparse()
    ours.load()
    bare = replace(circuit, steps=tuple(step._replace(controls=()) for step in circuit.steps))
    found = ours.table(ours.run(ours.lower(bare), None))
    return verify(
        expected_of(case), lambda keys: [found.get(key, 0) for key in keys], None, tolerance=TOLERANCE[ours.precision]
    )


def blind_to_controls(chosen: frozenset[str]) -> str | None:
    """16.1: on which circuits does nobody notice lost controls?"""
    cases = {_short(case): case for case in (_case(*family) for family in FAMILIES)}
    if strange := sorted(chosen - cases.keys()):
        return f"There is no {strange[0]!r} among them; the names are {', '.join(cases)}."
    right = {name for name, case in cases.items() if _without_controls(case).right}
    if wrong := sorted(chosen - right):
        return f"On {wrong[0]} it is noticed: some gate waits for the value of another wire."
    return None if chosen == right else "These do not notice it, but there are others that do not, either."


def _judged(simulate: Callable[..., Any], case: Case) -> Verdict:
    """Return the benchmark's verdict on the state from a function."""
    adapter, expected = Function("yours", simulate), expected_of(case)
    state = adapter.run(circuit_of(case), None)
    return verify(
        expected, lambda keys: adapter.amplitudes(state, keys), adapter.norm(state),
        tolerance=TOLERANCE[adapter.precision],
    )  # fmt: skip


def dense(simulate: Callable[..., Any]) -> str | None:
    """16.2: a correct simulator that returns an array of all amplitudes."""
    for family in FAMILIES:
        case = _case(*family)
        state = simulate(circuit_of(case))
        if isinstance(state, Mapping) or not hasattr(state, "__len__"):
            return f"It gives a {type(state).__name__}; an array of all amplitudes is asked for."
        if not (verdict := _judged(simulate, case)).right:
            gate = first_wrong_gate(Function("yours", simulate), circuit_of(case), TOLERANCE["complex128"])
            return f"On {_short(case)} it is wrong: {verdict.why}{gate and f'; {gate}'}."
    return None


def unnoticed(simulate: Callable[..., Any]) -> str | None:
    """16.3: a wrong simulator that two circuits do not reveal."""
    for family in SEEN:
        if not (verdict := _judged(simulate, _case(*family))).right:
            return f"On {_short(_case(*family))} it is found out: {verdict.why}."
    if _judged(simulate, _case(*UNSEEN)).right:
        return f"It is right on {_short(_case(*UNSEEN))}, too. What does that circuit have that the other two do not?"
    return None


EXERCISES = (
    Exercise(
        names("the names of circuits"), blind_to_controls,
        "Splits and turns have no controls. A slide needs a clear path, and a CNOT is an X with a control.",
    ),
    Exercise(
        function("a function from a circuit to an array of all its amplitudes"), dense,
        "It is right on five circuits of five families; the benchmark takes arrays and mappings alike.",
    ),
    Exercise(
        function("a function from a circuit to its amplitudes"), unnoticed,
        "Passing two circuits proves little, so a corpus has many families.",
    ),
)  # fmt: skip

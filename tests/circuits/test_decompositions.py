"""Every hand form is its definition, amplitude by amplitude and without phase slack.

Counts are of two-qubit gates between any two qubits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from qchess.circuits.compiling import decompositions as forms
from qchess.circuits.compiling.decompositions import Form
from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import Gate, Operation, cnot, cz, h, iswap, rz, swap, x
from qchess.circuits.program import Program
from qchess.circuits.unitary import Complex, unitary

POWERS = [1, 0.5, 0.25, -0.5, -1, *np.random.default_rng(7).uniform(-4, 4, 6)]
ANGLES = np.random.default_rng(8).uniform(-np.pi / 2, np.pi / 2, 5)
ONE_QUBIT = [Gate("H"), *(Gate(name, t) for name in ("X", "Z", "RY", "RZ") for t in POWERS)]


def columns(steps: Form, order: str, fixed: Mapping[str, int] | None = None) -> Complex:
    """The columns of the inputs in which some qubits have a fixed value."""
    fixed = fixed or {}
    allowed = [i for i in range(2 ** len(order)) if all(i >> order.index(q) & 1 == v for q, v in fixed.items())]
    return unitary(Program(*steps), tuple(order))[:, allowed]


def relabelled(steps: Form, a: str, b: str) -> Form:
    """A form that ends with an exchange of two names."""
    return [*steps, swap(a, b)]


def two_qubit_gates(steps: Form) -> int:
    return sum(len(step.qubits) > 1 for step in steps)


def same(first: NDArray[np.generic], second: NDArray[np.generic]) -> bool:
    return bool(np.allclose(first, second, atol=1e-10, rtol=0))


@pytest.mark.parametrize("t", POWERS)
@pytest.mark.parametrize("form", [forms.iswap_form, forms.iswap_by_root_iswaps])
def test_an_iswap_of_any_power_takes_two_gates_at_most(form: Callable[..., Form], t: float) -> None:
    steps = form("a", "b", t)
    assert same(columns(steps, "ab"), columns([iswap("a", "b", t)], "ab"))
    native = form is forms.iswap_by_root_iswaps and t % 1 == 0.5
    assert two_qubit_gates(steps) == (1 if native else 2)


@pytest.mark.parametrize("t", [1.5, 2.5, 3.5, -1.5, -2.5])
def test_an_odd_half_power_is_one_root_iswap_and_signs(t: float) -> None:
    steps = forms.iswap_by_root_iswaps("a", "b", t)
    assert same(columns(steps, "ab"), columns([iswap("a", "b", t)], "ab"))
    assert two_qubit_gates(steps) == 1


@pytest.mark.parametrize("t", POWERS)
def test_a_controlled_iswap_of_any_power_takes_six(t: float) -> None:
    steps = forms.controlled_iswap("c", "a", "b", t)
    assert same(columns(steps, "abc"), columns([iswap("a", "b", t).when(c=1)], "abc"))
    assert two_qubit_gates(steps) == 6


@pytest.mark.parametrize("gate", ONE_QUBIT, ids=str)
def test_one_qubit_gates_under_one_and_two_controls(gate: Gate) -> None:
    plain = Operation(gate, ("q",))
    once, twice = forms.controlled(gate, "c", "q"), forms.doubly_controlled(gate, "c", "d", "q")
    assert same(columns(once, "qc"), columns([plain.when(c=1)], "qc"))
    assert same(columns(twice, "qcd"), columns([plain.when(c=1, d=1)], "qcd"))
    single = gate.name == "H" or (gate.name in ("X", "Z") and gate.parameter % 2 == 1)
    assert two_qubit_gates(once) == (1 if single else 2)
    assert two_qubit_gates(twice) == (4 if gate.name in ("RY", "RZ") else 6)


def test_a_toffoli_takes_six_and_a_swap_three() -> None:
    assert same(columns(forms.toffoli("c", "d", "q"), "qcd"), columns([x("q").when(c=1, d=1)], "qcd"))
    assert same(columns(forms.swap_form("a", "b"), "ab"), columns([swap("a", "b")], "ab"))
    assert two_qubit_gates(forms.toffoli("c", "d", "q")) == 6
    assert two_qubit_gates(forms.swap_form("a", "b")) == 3


def test_rccx_is_a_toffoli_up_to_phases_and_its_own_inverse() -> None:
    steps, definition = forms.rccx("c", "d", "q"), columns([x("q").when(c=1, d=1)], "qcd")
    matrix = columns(steps, "qcd")
    assert same(np.abs(matrix), np.abs(definition))
    assert not same(matrix, definition)
    assert same(matrix @ matrix, np.eye(8))
    assert two_qubit_gates(steps) == 3


# -- forms with a precondition: right on the allowed inputs, wrong on the forbidden ones -----------------

CONDITIONAL: dict[str, tuple[Form, Form, dict[str, int], int]] = {
    "whole move into an empty square": (
        forms.controlled_move_into_empty("c", "s", "t"),
        [iswap("s", "t").when(c=1)],
        {"t": 0},
        4,
    ),
    "renaming into an empty square": (
        relabelled(forms.move_into_empty("s"), "s", "t"),
        [iswap("s", "t")],
        {"t": 0},
        1,  # the exchange of names, which no circuit pays
    ),
    "renaming of a hole": (
        relabelled(forms.hole_into_full("s"), "s", "t"),
        [iswap("s", "t")],
        {"t": 1},
        1,
    ),
}
for power in POWERS:
    CONDITIONAL[f"share {power:.3g} into an empty square"] = (
        forms.controlled_share_into_empty("c", "s", "t", power),
        [iswap("s", "t", power).when(c=1)],
        {"t": 0},
        5,
    )


@pytest.mark.parametrize("name", CONDITIONAL)
def test_a_form_with_a_precondition_holds_exactly_where_it_is_met(name: str) -> None:
    steps, definition, fixed, count = CONDITIONAL[name]
    assert same(columns(steps, "stc", fixed), columns(definition, "stc", fixed))
    assert not same(columns(steps, "stc"), columns(definition, "stc"))
    for q in fixed:  # every single part of the precondition is needed
        rest = {**fixed, q: 1 - fixed[q]}
        assert not same(columns(steps, "stc", rest), columns(definition, "stc", rest))
    assert two_qubit_gates(steps) == count


def test_the_missing_s_changes_no_magnitude_and_still_is_wrong() -> None:
    steps = [*forms.controlled_move_into_empty("c", "s", "t"), Operation(Gate("Z", 0.5), ("t",))]
    definition = [iswap("s", "t").when(c=1)]
    assert same(np.abs(columns(steps, "stc", {"t": 0})), np.abs(columns(definition, "stc", {"t": 0})))
    assert not same(columns(steps, "stc", {"t": 0}), columns(definition, "stc", {"t": 0}))


def test_a_whole_move_by_renaming_takes_one_cz() -> None:
    steps = forms.move_relabelled("a", "b")
    assert same(columns(relabelled(steps, "a", "b"), "ab"), columns([iswap("a", "b")], "ab"))
    assert two_qubit_gates(steps) == 1


# -- square roots of iSWAP ------------------------------------------------------------------------------


def test_a_cz_takes_two_root_iswaps() -> None:
    steps = forms.cz_by_root_iswaps("a", "b")
    assert same(columns(steps, "ab"), columns([cz("a", "b")], "ab"))
    assert two_qubit_gates(steps) == 2


@pytest.mark.parametrize("angle", [0, np.pi / 4, -np.pi / 4, np.pi / 2, -np.pi / 2, *ANGLES])
def test_crossed_cnots_take_two_root_iswaps_instead_of_four(angle: float) -> None:
    steps = forms.crossed_cnots("a", "b", angle)
    definition = [cnot("a", "b"), h("a"), rz("a", angle), cnot("b", "a")]
    assert same(columns(steps, "ab"), columns(definition, "ab"))
    assert same(columns(forms.inverse(steps), "ab"), columns(forms.inverse(definition), "ab"))
    assert two_qubit_gates(steps) == 2


def test_a_controlled_form_of_a_pair_is_refused() -> None:
    with pytest.raises(ProgramError, match="expected a one-qubit gate, got ISWAP"):
        forms.controlled(Gate("ISWAP"), "c", "q")
    with pytest.raises(ProgramError, match="expected a one-qubit gate, got SWAP"):
        forms.doubly_controlled(Gate("SWAP"), "c", "d", "q")

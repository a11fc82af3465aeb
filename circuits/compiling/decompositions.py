"""Exact decompositions of the gates, written by hand: functions from qubit names to a list of operations.

They use one-qubit gates and CNOT, hold exactly, phases included, and are in time order. The number at the
end of a docstring's first line is its count of CNOTs. A form with a precondition says so; on other inputs it
does something else, so only the compiler may use it.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, cz, h, iswap, ry, rz, x, z

Form = list[Operation]


def inverse(form: Form) -> Form:
    """The form that undoes this one."""
    return [_undo(operation) for operation in reversed(form)]


def _undo(operation: Operation) -> Operation:
    """The inverse of one operation; X and Z undo themselves and keep their plain names."""
    plain = operation.gate.name in ("X", "Z") and operation.gate.parameter % 2 == 1
    return Operation(Gate(operation.gate.name), operation.targets, operation.controls) if plain else operation.inverse()


def rx(q: Qubit, angle: float) -> Form:
    """RX(angle), the x-rotation that the vocabulary writes as X^t up to a phase: 0."""
    return [h(q), rz(q, angle), h(q)]


# -- relations between two and three qubits ---------------------------------------------------------


def toffoli(c: Qubit, d: Qubit, q: Qubit) -> Form:
    """X on q where c and d are 1: 6."""
    return [
        *(h(q), cnot(d, q), z(q, -0.25), cnot(c, q), z(q, 0.25), cnot(d, q), z(q, -0.25), cnot(c, q)),
        *(z(d, 0.25), z(q, 0.25), h(q), cnot(c, d), z(c, 0.25), z(d, -0.25), cnot(c, d)),
    ]


def rccx(c: Qubit, d: Qubit, q: Qubit) -> Form:
    """A Toffoli gate up to phases (-1 on one input, factors of i on others), its own inverse: 3.

    Computing and uncomputing a flag cancels the phases, as long as c, d and q keep their values.
    """
    return [
        *(h(q), rz(q, pi / 4), cnot(d, q), rz(q, -pi / 4), cnot(c, q)),
        *(rz(q, pi / 4), cnot(d, q), rz(q, -pi / 4), h(q)),
    ]


def swap_form(a: Qubit, b: Qubit) -> Form:
    """SWAP: 3 CNOTs."""
    return [cnot(a, b), cnot(b, a), cnot(a, b)]


def iswap_form(a: Qubit, b: Qubit, t: float) -> Form:
    """iSWAP^t for any t: 2."""
    open_frame = [gate for q in (a, b) for gate in (h(q), z(q, 0.5), h(q))]
    middle = [cnot(a, b), *rx(a, -pi * t / 2), rz(b, -pi * t / 2), cnot(a, b)]
    return open_frame + middle + [gate for q in (a, b) for gate in (h(q), z(q, -0.5), h(q))]


def controlled_iswap(c: Qubit, a: Qubit, b: Qubit, t: float) -> Form:
    """iSWAP^t on a and b where c is 1: 6. On a line c - a - b it needs no routing."""
    turn = doubly_controlled(Gate("RZ", -pi * t), b, c, a)
    return [cnot(a, b), h(a), *turn, h(a), cnot(a, b)]


# -- controlled one-qubit gates ---------------------------------------------------------------------


def controlled(gate: Gate, c: Qubit, q: Qubit) -> Form:
    """Any one-qubit gate on q where c is 1: 1 for X, Z and H, else 2."""
    name, t = gate.name, gate.parameter
    if name in ("RY", "RZ"):
        return [_turn(gate, q, 1 / 2), cnot(c, q), _turn(gate, q, -1 / 2), cnot(c, q)]
    if name == "H":
        return [ry(q, -pi / 4), cz(c, q), ry(q, pi / 4)]
    if name == "X":
        return [cnot(c, q)] if t % 2 == 1 else [h(q), *controlled(Gate("Z", t), c, q), h(q)]
    if name == "Z":
        if t % 2 == 1:
            return [cz(c, q)]
        return [z(c, t / 2), z(q, t / 2), cnot(c, q), z(q, -t / 2), cnot(c, q)]
    raise ProgramError(f"expected a one-qubit gate, got {gate}")


def doubly_controlled(gate: Gate, c: Qubit, d: Qubit, q: Qubit) -> Form:
    """Any one-qubit gate on q where c and d are 1: 4 for RY and RZ, else 6; no ancilla."""
    name, t = gate.name, gate.parameter
    if name in ("RY", "RZ"):
        half = [_turn(gate, q, 1 / 4), cnot(c, q), _turn(gate, q, -1 / 4), cnot(d, q)]
        return half + half
    if name == "H":
        return [ry(q, -pi / 4), *doubly_controlled(Gate("Z"), c, d, q), ry(q, pi / 4)]
    if name == "X":
        return toffoli(c, d, q) if t % 2 == 1 else [h(q), *doubly_controlled(Gate("Z", t), c, d, q), h(q)]
    if name == "Z":
        if t % 2 == 1:
            return [h(q), *toffoli(c, d, q), h(q)]
        return doubly_controlled(Gate("RZ", pi * t), c, d, q) + controlled(Gate("Z", t / 2), c, d)
    raise ProgramError(f"expected a one-qubit gate, got {gate}")


def _turn(gate: Gate, q: Qubit, share: float) -> Operation:
    return Operation(Gate(gate.name, gate.parameter * share), (q,))


# -- forms with a precondition ----------------------------------------------------------------------


def controlled_move_into_empty(c: Qubit, s: Qubit, t: Qubit) -> Form:
    """iSWAP on s and t where c is 1, if t is certainly empty: 4. `rccx` supplies the factor i."""
    return [*rccx(s, c, t), cnot(t, s)]


def controlled_share_into_empty(c: Qubit, s: Qubit, t: Qubit, power: float) -> Form:
    """iSWAP^power on s and t where c is 1, if t is certainly empty: 5."""
    return [*doubly_controlled(Gate("RY", pi * power), s, c, t), cnot(t, s), z(t, 0.5)]


def move_into_empty(s: Qubit) -> Form:
    """iSWAP on s and a certainly empty t, if the names s and t are then exchanged: 0."""
    return [z(s, 0.5)]


def hole_into_full(s: Qubit) -> Form:
    """iSWAP on s and a certainly full t, if the names s and t are then exchanged: 0. Where s is empty: factor i."""
    return [x(s), z(s, 0.5), x(s)]


def move_relabelled(s: Qubit, t: Qubit) -> Form:
    """iSWAP on s and t, if the names s and t are then exchanged: 1."""
    return [z(s, 0.5), z(t, 0.5), cz(s, t)]


# -- the same in square roots of iSWAP --------------------------------------------------------------


def cz_by_root_iswaps(a: Qubit, b: Qubit) -> Form:
    """CZ from two iSWAP^0.5: e^{i pi/8 (XX + YY)} e^{i pi/8 (XX - YY)} = e^{i pi/4 XX}."""
    root = iswap(a, b, 0.5)
    return [h(a), h(b), root, x(a), root, x(a), h(a), h(b), rz(a, pi / 2), z(b, 0.5)]


def iswap_by_root_iswaps(a: Qubit, b: Qubit, t: float) -> Form:
    """iSWAP^t for any t from two iSWAP^0.5; from one if t is an odd multiple of 1/2."""
    if t % 1 == 0.5:
        whole_turn = [z(a), z(b)] if t % 4 in (1.5, 2.5) else []  # iSWAP^2 is Z on both
        return [*whole_turn, iswap(a, b, 0.5 if t % 2 == 0.5 else -0.5)]
    if t % 2 == 1:
        return [iswap(a, b, 0.5 if t % 4 == 1 else -0.5)] * 2
    side = [rz(a, -pi / 4), rz(b, pi / 4)]
    u = pi / 2 - pi * t / 2
    return [*side, iswap(a, b, 0.5), rz(a, u), rz(b, -u), iswap(a, b, 0.5), *side]


def crossed_cnots(a: Qubit, b: Qubit, angle: float) -> Form:
    """CNOT(a, b), H(a), RZ(angle) on a, CNOT(b, a) from two iSWAP^0.5, for angles up to pi/2.

    The four are H(a) Z(b) e^{i pi/4 A} e^{i w B} H(b) with A = ZY, B = XZ and w = -angle/2. A change of
    frame makes A and B into XX and YY, and then sin w = cos(turn/2)/sqrt 2, cos(side) = tan w.
    """
    w = -angle / 2
    height = sqrt(max(0.0, cos(angle)))  # sin(turn/2), and sin(side) cos w: shared, so that its rounding cancels
    turn, side = 2 * atan2(height, sqrt(2) * sin(w)), atan2(height, sin(w))
    root = iswap(a, b, 0.5)
    return [
        *(z(b, 0.5), z(a, -0.5), h(a)),
        *(*rx(a, -side), root, *rx(a, turn), root, *rx(a, -side)),
        *(h(a), z(a, 0.5), h(a), z(b, -0.5), h(b), z(b)),
    ]

"""Chooses the form of one operation at each level.

`Placed` is an operation on wires, with what is certainly known of its targets before it. The emitter
writes it in one-qubit gates, CNOT, CZ and uncontrolled iSWAP^t; `compile_lowering` does the rest.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from math import pi

from qchess.circuits.compiling import decompositions as forms
from qchess.circuits.compiling.decompositions import Form
from qchess.circuits.compiling.flags import Condition, FlagBook, under
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, h, iswap, x, z

Wanted = Collection[Condition]


@dataclass(frozen=True, slots=True)
class Placed:
    """An operation on wires, and the value each target certainly has before it (None: unknown)."""

    operation: Operation
    values: tuple[int | None, ...] = ()

    @property
    def condition(self) -> Condition:
        """The controls as a set."""
        return frozenset(self.operation.controls)


def is_identity(gate: Gate) -> bool:
    """Whether the gate does nothing at all, so that no circuit needs it."""
    return gate.block().matrix == ((1, 0), (0, 1))


def naive_form(placed: Placed, book: FlagBook) -> Form:
    """Return the textbook form: CNOTs fold a pair into one qubit, Toffoli gates fold the controls into one."""
    a, *other = placed.operation.targets
    gate, condition = placed.operation.gate, placed.condition
    if not other:
        return _textbook(gate, a, condition, book)
    (b,) = other
    book.emit([cnot(a, b)])  # now b says "exactly one is full", a condition like the controls
    folded = condition | {(b, 1)}
    if gate.name == "SWAP":
        book.emit(_textbook(Gate("X"), a, folded, book))
    else:
        turn = _textbook(Gate("RZ", -pi * gate.parameter), a, folded, book)
        book.emit([h(a), *turn, h(a)])
    book.release()
    return [cnot(a, b)]


def _textbook(gate: Gate, q: Qubit, condition: Condition, book: FlagBook) -> Form:
    """Return a one-qubit gate under one flag for all controls; the last Toffoli of an X needs no flag."""
    if not condition:
        return [Operation(gate, (q,))]
    if gate.name == "X" and gate.parameter % 2 == 1 and len(condition) > 1:
        return under(book.two(condition), forms.toffoli, q)
    return under([book.one(condition)], partial(forms.controlled, gate), q)


def exact_form(placed: Placed, book: FlagBook, wanted: Wanted) -> Form:
    """Return the form that needs no knowledge of the state."""
    gate, targets, condition = placed.operation.gate, placed.operation.targets, placed.condition
    if gate.size == 1:
        return one_qubit(gate, targets[0], condition, book, wanted)
    a, b = targets
    if gate.name == "SWAP":
        if not condition:
            return forms.swap_form(a, b)
        both = ((b, 1), book.one(condition, wanted))
        return [cnot(a, b), *under(both, forms.toffoli, a), cnot(a, b)]
    if gate.parameter % 4 == 2:  # iSWAP^2 is Z on both
        return [step for q in targets for step in one_qubit(Gate("Z"), q, condition, book, wanted)]
    if not condition:
        return [iswap(a, b, gate.parameter)]
    return under([book.one(condition, wanted)], forms.controlled_iswap, a, b, gate.parameter)


def aware_form(placed: Placed, book: FlagBook, wanted: Wanted) -> Form:
    """Return the shortest form that the known values of the targets allow, else the exact one."""
    gate, values = placed.operation.gate, placed.values
    if gate.size == 1 or gate.parameter % 4 == 2 or values == (None, None):
        return exact_form(placed, book, wanted)
    a, b = placed.operation.targets
    if None not in values:
        s, t = (a, b) if values == (1, 0) else (b, a)
        return _from_full(gate, s, t, placed.condition, book, wanted)
    s, t = (a, b) if values[0] is None else (b, a)
    if not placed.condition and gate.name == "ISWAP":
        return exact_form(placed, book, wanted)
    holes = [x(s), x(t)] if 1 in values else []  # a hole in full squares moves like a piece
    return [*holes, *_into_empty(gate, s, t, placed.condition, book, wanted), *holes]


def one_qubit(gate: Gate, q: Qubit, condition: Condition, book: FlagBook, wanted: Wanted) -> Form:
    """Return a one-qubit gate under any number of controls; up to two need no ancilla."""
    if not condition:
        return [Operation(gate, (q,))]
    if len(condition) == 1 or condition in book.flags or condition in wanted:
        return under([book.one(condition, wanted)], partial(forms.controlled, gate), q)
    return under(book.two(condition, wanted), partial(forms.doubly_controlled, gate), q)


def _from_full(gate: Gate, s: Qubit, t: Qubit, condition: Condition, book: FlagBook, wanted: Wanted) -> Form:
    """From a certainly full s to a certainly empty t: turn t, then s is "not t". A piece that moved gains i.

    Where one square decides a whole move, s is made from that square and not from t, at the same price: a fault
    on t alone then changes the number of pieces and is detected.
    """
    turn = Gate("X") if gate.exchanges else Gate("RY", pi * gate.parameter)
    plain = gate.exchanges and len(condition) < 2
    back = one_qubit(Gate("X"), s, condition, book, wanted) if plain else [cnot(t, s)]
    gain = gate.gain if gate.exchanges else 0.5  # RY has the sign of what moves in part
    return [*one_qubit(turn, t, condition, book, wanted), *back, *_phase(t, gain)]


def _into_empty(gate: Gate, s: Qubit, t: Qubit, condition: Condition, book: FlagBook, wanted: Wanted) -> Form:
    """From any s to a certainly empty t."""
    if not condition:
        return [cnot(s, t), cnot(t, s)]  # a SWAP
    flag = [book.one(condition, wanted)]
    if not gate.exchanges:
        return under(flag, forms.controlled_share_into_empty, s, t, gate.parameter)
    missing = gate.gain - 0.5  # the form moves with the factor i
    return [*under(flag, forms.controlled_move_into_empty, s, t), *_phase(t, missing)]


def _phase(q: Qubit, t: float) -> Form:
    return [z(q, t)] if t else []

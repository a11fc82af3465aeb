"""What is done to a Unitary board by hand: squares that join or leave the circuit, spare qubits, questions."""

from __future__ import annotations

import pytest

from qchess.circuits import iswap
from qchess.compat import CacheKey, CirqBoard, MoveType, bit_to_qubit, square_to_bit, squares_to_bitboard
from qchess.errors import ImpossibleOutcomeError, InvalidMoveError, QchessError


def board(*squares: str, moves: str = "", seed: int = 7) -> CirqBoard:
    made = CirqBoard(squares_to_bitboard(squares), seed=seed)
    made.perform_moves(*moves.split())
    return made


def bits(*squares: str) -> int:
    return squares_to_bitboard(squares)


def test_a_new_ancilla_is_a_qubit_that_nobody_has_used() -> None:
    b = board("b1", moves="b1^a3c3:SPLIT_JUMP:BASIC")
    first, second = b.new_ancilla(), b.new_ancilla()
    assert first != second
    assert b.ancilla_count == 2
    assert not {first.name, second.name} & set(b.registers.uncertain)
    b.perform_moves("a3b5.m1:JUMP:CAPTURE")
    assert b.ancilla_count == 3, "a capture takes the next one"


def test_a_named_square_counts_as_entangled_and_stays_what_it_is() -> None:
    b = board("a1", "b1")
    b.add_entangled(bit_to_qubit(square_to_bit("a1")), "h8")
    assert b.entangled_squares == {"a1", "h8"}
    assert b.is_classical()
    assert b.get_full_squares_bitboard() == bits("a1", "b1")
    assert b.get_empty_squares_bitboard() == 2**64 - 1 - bits("a1", "b1")
    assert b.circuit.all_qubits() == frozenset()
    b.perform_moves("b1b2:JUMP:BASIC")
    assert b.entangled_squares == frozenset(), "a move decides anew what is in superposition"


def test_unhooking_empties_a_square_and_keeps_what_it_was_entangled_with() -> None:
    b = board("b1", moves="b1^a3c3:SPLIT_JUMP:BASIC")
    b.unhook("a3")
    assert b.exact_joint() == pytest.approx({0: 0.5, bits("c3"): 0.5})
    assert b.entangled_squares == {"c3"}
    assert b.post_select_on("x1", 1) is True, "the half that was on a3 is on the spare qubit"
    assert b.get_full_squares_bitboard() == 0


def test_unhooking_a_certain_square_clears_it() -> None:
    b = board("a1", "b1")
    b.add_entangled("a1", "b1")
    b.unhook(bit_to_qubit(0))
    b.unhook("c1")
    assert b.state == bits("b1")
    assert b.entangled_squares == {"b1"}
    assert b.ancilla_count == 0


@pytest.mark.parametrize("squares", [("e1", "h1", "g1", "f1"), ("e8", "a8", "c8", "d8")])
def test_castling_by_hand_moves_king_and_rook(squares: tuple[str, ...]) -> None:
    b = board(squares[0], squares[1], "b1", moves="b1^a3c3:SPLIT_JUMP:BASIC")
    b.set_castle(*map(square_to_bit, squares))
    assert b.state == bits(*squares[2:])
    assert b.entangled_squares == {"a3", "c3"}


def test_castling_by_hand_may_change_places_and_refuses_what_is_uncertain() -> None:
    b = board("d1", "c1")
    b.set_castle(*map(square_to_bit, ("d1", "c1", "c1", "d1")))
    assert b.state == bits("c1", "d1")
    b = board("b1", "e1", "h1", moves="b1^f1g1:SPLIT_JUMP:BASIC")
    before = b.registers
    with pytest.raises(InvalidMoveError, match="four certain squares, g1 is none"):
        b.set_castle(*map(square_to_bit, ("e1", "h1", "g1", "f1")))
    assert b.registers is before


def test_a_post_selection_keeps_what_agrees_with_it() -> None:
    for outcome, where in ((1, "a3"), (0, "c3"), (True, "a3")):
        b = board("b1", moves="b1^a3c3:SPLIT_JUMP:BASIC")
        assert b.post_select_on(bit_to_qubit(square_to_bit("a3")), outcome) is bool(outcome)
        assert b.state == bits(where)
        assert b.is_classical()


def test_without_an_outcome_chance_decides_and_the_seed_decides_chance() -> None:
    found = []
    for seed in range(30):
        b = board("b1", moves="b1^a3c3:SPLIT_JUMP:BASIC", seed=seed)
        found.append(b.post_select_on("a3"))
        assert b.state == bits("a3" if found[-1] else "c3")
        assert board("b1", moves="b1^a3c3:SPLIT_JUMP:BASIC", seed=seed).post_select_on("a3") is found[-1]
    assert {True, False} == set(found)


@pytest.mark.parametrize(("outcome", "square"), [(1, "h8"), (0, "a1"), (2, "a3"), ("yes", "a3")])
def test_what_cannot_be_found_is_refused_and_changes_nothing(outcome: object, square: str) -> None:
    b = board("a1", "b1", moves="b1^a3c3:SPLIT_JUMP:BASIC")
    before = b.registers
    with pytest.raises(ImpossibleOutcomeError):
        b.post_select_on(square, outcome)  # type: ignore[arg-type]
    assert b.registers is before


@pytest.mark.parametrize("qubit", ["i9", "x1", "", None, 3])
def test_what_is_no_square_is_refused(qubit: object) -> None:
    b = board("a1")
    for change in (b.add_entangled, b.unhook):
        with pytest.raises((QchessError, ValueError)):
            change(qubit)


def test_what_was_sampled_before_is_forgotten_after_a_change() -> None:
    b = board("b1")
    b.cache_results(CacheKey(MoveType.SPLIT_JUMP, 100))
    b.perform_moves("b1^a3c3:SPLIT_JUMP:BASIC")
    b.apply(iswap("a3", "a4"))
    odds = b.get_probability_distribution(100)
    assert odds[square_to_bit("a3")] == 0
    assert 0 < odds[square_to_bit("a4")] < 1
    b.add_entangled("a1")
    assert b.get_probability_distribution(100) == odds, "nothing was changed: the same shots answer"


def test_undo_goes_back_to_before_the_last_move() -> None:
    b = board("b1")
    b.perform_moves("b1^a3c3:SPLIT_JUMP:BASIC")
    b.unhook("a3")
    assert b.undo_last_move()
    assert b.state == bits("b1")
    assert b.ancilla_count == 0

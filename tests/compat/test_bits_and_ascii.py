"""Bitboards, and the board of letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qchess import compat
from qchess.compat import AsciiBoard, CirqBoard, Move, MoveType

BITBOARD = st.integers(0, compat.CLASSICAL_BITBOARD)


@given(BITBOARD, st.integers(0, 63))
def test_bits_squares_and_bitboards_are_one_thing(bitboard, n):
    ones = compat.bit_ones(bitboard)
    assert compat.squares_to_bitboard(compat.bitboard_to_squares(bitboard)) == bitboard
    assert len(ones) == compat.num_ones(bitboard)
    assert compat.nth_bit_of(n, bitboard) == (n in ones)
    assert set(compat.bit_ones(compat.set_nth_bit(n, bitboard, True))) == {*ones, n}
    assert set(compat.bit_ones(compat.set_nth_bit(n, bitboard, False))) == {*ones} - {n}


def test_squares_are_counted_from_a1_along_the_ranks():
    assert [compat.square_to_bit(square) for square in ("a1", "b1", "a2", "h8")] == [0, 1, 8, 63]
    assert all(compat.square_to_bit(compat.bit_to_square(bit)) == bit for bit in range(64))
    assert compat.to_square(2, 4) == compat.bit_to_square(compat.xy_to_bit(2, 4)) == "c5"
    assert (compat.x_of("c5"), compat.y_of("c5")) == (2, 4)
    for wrong in (lambda: compat.square_to_bit("i1"), lambda: compat.bit_to_square(64)):
        with pytest.raises(ValueError, match=r"expected a square|a bit of a board"):
            wrong()


def letters(fen: str) -> AsciiBoard:
    board = AsciiBoard(board=CirqBoard(0, seed=1))
    board.load_fen(fen)
    return board


def test_castling_takes_the_rook_along_and_ends_the_rights():
    board = letters("4k2r/8/8/8/8/8/8/R3K3")
    assert board.apply(Move("e8", "g8", move_type=MoveType.KS_CASTLE))
    assert board.apply(Move("e1", "c1", move_type=MoveType.QS_CASTLE))
    assert [board.piece(square) for square in ("e8", "f8", "g8", "h8")] == [0, -compat.ROOK, -compat.KING, 0]
    assert [board.piece(square) for square in ("a1", "c1", "d1", "e1")] == [0, compat.KING, compat.ROOK, 0]
    assert board.castling_flags == {"o-o": False, "o-o-o": False, "O-O": False, "O-O-O": False}


def test_a_two_step_sets_the_en_passant_file_and_a_promotion_changes_the_letter():
    board = letters("8/P7/8/8/8/8/1P6/8")
    assert board.apply(Move("b2", "b4", move_type=MoveType.PAWN_TWO_STEP))
    flags = [board.ep_flag]
    move = Move("a7", "a8", promotion_piece=compat.ROOK)
    assert board.apply(move)
    assert [*flags, board.ep_flag] == [1, None]
    assert (board.piece("a7"), board.piece("a8")) == (compat.EMPTY, compat.ROOK)
    assert move.move_type is None


def test_a_pawn_taken_in_passing_leaves_its_square_and_beside_other_moves_none_does():
    board = letters("8/8/8/3pP3/8/8/8/8")
    assert board.apply(Move("e5", "d6", move_type=MoveType.PAWN_EP))
    assert [board.piece(square) for square in ("d5", "e5", "d6")] == [compat.EMPTY, compat.EMPTY, compat.PAWN]
    board = letters("8/8/8/3p4/8/8/8/4N3")
    board.apply(Move("d5", "d4", target2="c5", move_type=MoveType.SPLIT_JUMP))
    board.apply(Move("d4", "d5", source2="c5", move_type=MoveType.MERGE_JUMP))
    board.apply(Move("e1", "d3", move_type=MoveType.JUMP))
    assert [board.piece(square) for square in ("d5", "e1", "d3")] == [-compat.PAWN, compat.EMPTY, compat.KNIGHT]


def test_a_failed_move_leaves_the_letters():
    board = letters("8/8/8/8/8/8/8/NKB5")
    board.apply(Move("c1", "c2", target2="c3", move_type=MoveType.SPLIT_JUMP))
    failed = Move("a1", "c2", move_type=MoveType.JUMP, move_variant=compat.MoveVariant.EXCLUDED, measurement=0)
    assert not board.apply(failed)
    assert (board.piece("a1"), board.piece("c2")) == (compat.KNIGHT, compat.BISHOP)


def test_a_fen_that_does_not_fit_raises():
    for fen in ("8/8", "9/8/8/8/8/8/8/8", "x7/8/8/8/8/8/8/8"):
        with pytest.raises(ValueError, match="expected"):
            AsciiBoard().load_fen(fen)

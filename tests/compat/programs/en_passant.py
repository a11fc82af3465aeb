"""Pawns that may not be there take pawns that may not be there."""

from qchess.compat import CirqBoard, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["e5", "d7"]))
    assert board.perform_moves("d7d5:PAWN_TWO_STEP:BASIC", "e5d6:PAWN_EP:BASIC")
    assert board.sample(10) == [squares_to_bitboard(["d6"])] * 10

    board = CirqBoard(squares_to_bitboard(["b8", "b5", "c7"]))
    moves = ["b8^a6c6:SPLIT_JUMP:BASIC", "c7c5:PAWN_TWO_STEP:BASIC", "b5c6:PAWN_EP:CAPTURE"]
    assert board.perform_moves(*moves)
    knight_taken, pawn_taken = squares_to_bitboard(["c6", "c7"]), squares_to_bitboard(["c6", "a6"])
    assert set(board.sample(500)) == {knight_taken, pawn_taken}

    board = CirqBoard(squares_to_bitboard(["c4", "c5", "d7"]))
    moves = ["c4^d6b6:SPLIT_JUMP:BASIC", "d7d5:PAWN_TWO_STEP:BASIC", "c5d6:PAWN_EP:EXCLUDED"]
    passed = board.perform_moves(*moves)
    expected = ["b6", "d6"] if passed else ["c5", "d6", "d7"]
    assert set(board.sample(100)) == {squares_to_bitboard(expected)}

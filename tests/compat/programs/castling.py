"""Castling past ghosts: next to the rook they entangle, on the way of king and rook they are measured."""

from qchess.compat import CirqBoard, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["e1", "b3", "a1"]))
    assert board.perform_moves("b3^b2b1:SPLIT_SLIDE:BASIC", "e1c1:QS_CASTLE:BASIC")
    stayed, castled = squares_to_bitboard(["a1", "b1", "e1"]), squares_to_bitboard(["c1", "b2", "d1"])
    assert set(board.sample(500)) == {stayed, castled}

    board = CirqBoard(squares_to_bitboard(["e8", "f6", "g6", "h8"]))
    moves = ["f6^f7f8:SPLIT_JUMP:BASIC", "g6^g7g8:SPLIT_JUMP:BASIC", "e8g8:KS_CASTLE:EXCLUDED"]
    if board.perform_moves(*moves):
        expected = [["g8", "f8", "f7", "g7"]]
    else:
        expected = [["e8", "h8", "f8", "g7"], ["e8", "h8", "f7", "g8"], ["e8", "h8", "f8", "g8"]]
    assert set(board.sample(500)) == {squares_to_bitboard(squares) for squares in expected}

"""A queen slides past half pieces and back, four times in all: the path must leave no record behind."""

from qchess.compat import CirqBoard, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["d1", "g1"]))
    assert board.perform_moves("g1^h3f3:SPLIT_JUMP:BASIC", "d1h5:SLIDE:BASIC")
    assert set(board.sample(500)) == {squares_to_bitboard(["d1", "f3"]), squares_to_bitboard(["h5", "h3"])}
    assert board.perform_moves(*["d1h5:SLIDE:BASIC"] * 3, "h3f3^g1:MERGE_JUMP:BASIC")
    assert set(board.sample(500)) == {squares_to_bitboard(["d1", "g1"])}

"""The same position played on with either outcome, as a record of a game is replayed."""

from qchess.compat import CirqBoard, Move, squares_to_bitboard

SPLIT = "g1^f3h3:SPLIT_JUMP:BASIC"


def main() -> None:
    board = CirqBoard(0)
    for _ in range(10):
        board.with_state(squares_to_bitboard(["f7", "f2", "g1"]))
        assert board.perform_moves(SPLIT, "f7f2.m1:SLIDE:CAPTURE")
        assert set(board.sample(100)) == {squares_to_bitboard(["f2", "h3"])}
        board.with_state(squares_to_bitboard(["f7", "f2", "g1"]))
        assert not board.perform_moves(SPLIT, "f7f2.m0:SLIDE:CAPTURE")
        assert set(board.sample(100)) == {squares_to_bitboard(["f7", "f3", "f2"])}
    record = [move.to_string(include_type=True) for move in board.move_history]
    assert record == [SPLIT, "f7f2.m0:SLIDE:CAPTURE"]
    assert [Move.from_string(text) for text in record] == board.move_history

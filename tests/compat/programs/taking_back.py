"""Moves are taken back, measured ones too, and played again."""

from qchess.compat import CirqBoard, square_to_bit, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["a2", "b1", "c2", "d1"]))
    assert board.perform_moves("b1^a3c3:SPLIT_JUMP:BASIC", "c2c4:PAWN_TWO_STEP:BASIC")
    blocked, moved = squares_to_bitboard(["c3", "c2", "a2", "d1"]), squares_to_bitboard(["a3", "c4", "a2", "d1"])
    for _ in range(5):
        board.perform_moves("d1c2:JUMP:EXCLUDED")
        assert len(set(board.sample(50))) == 1
        assert board.undo_last_move()
        odds = board.get_board_probability_distribution(5000)
        assert odds.keys() == {blocked, moved}
        assert abs(odds[moved] - 0.5) < 0.04
    assert board.undo_last_move()
    assert board.undo_last_move()
    assert board.move_history == []
    assert board.get_probability_distribution(100)[square_to_bit("b1")] == 1.0

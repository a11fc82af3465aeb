"""A long game forgets its circuit each time that everything is certain again."""

from qchess.compat import CirqBoard, square_to_bit, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["f4", "f8", "f2"]), reset_starting_states=True)
    start = board.get_full_squares_bitboard()
    assert board.perform_moves("f8^d6h6:SPLIT_JUMP:BASIC", "f4d6:JUMP:CAPTURE")
    assert not board.is_classical()
    assert len(board.circuit) > 0
    assert [qubit.name for qubit in board.path_qubits("h7", "h2")] == ["h6"]
    assert board.perform_moves("f2h6:JUMP:CAPTURE")
    assert board.is_classical()
    assert len(board.circuit) == 0
    assert board.ancilla_count == 0
    assert board.get_probability_distribution(100)[square_to_bit("d6")] == 1.0
    assert len(board.move_history) == 3
    for _ in range(3):
        assert board.undo_last_move()
    assert board.get_full_squares_bitboard() == start

"""A knight goes two ways at once and comes home: the plainest interference there is."""

from qchess.compat import CirqBoard, Move, MoveType, MoveVariant, square_to_bit, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["b1", "e1"]))
    split = Move("b1", "a3", target2="c3", move_type=MoveType.SPLIT_JUMP, move_variant=MoveVariant.BASIC)
    assert board.do_move(split)
    left, right = squares_to_bitboard(["a3", "e1"]), squares_to_bitboard(["c3", "e1"])
    assert set(board.sample(500)) == {left, right}
    odds = board.get_probability_distribution(5000)
    assert abs(odds[square_to_bit("a3")] - 0.5) < 0.04
    assert odds[square_to_bit("e1")] == 1.0
    merge = Move("a3", "b1", source2="c3", move_type=MoveType.MERGE_JUMP, move_variant=MoveVariant.BASIC)
    assert board.do_move(merge)
    assert board.sample(100) == [squares_to_bitboard(["b1", "e1"])] * 100
    assert board.is_classical()

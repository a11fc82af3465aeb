"""Looks for the pair of squares from which a queen can come out behind a wall, by trying them all."""

from itertools import permutations

from qchess.compat import CirqBoard, Move, MoveType, MoveVariant, square_to_bit, squares_to_bitboard


def main() -> list[str]:
    board = CirqBoard(squares_to_bitboard(["b5", "c5", "d5"]))
    found = []
    for first, second in permutations(["b3", "b7", "d8", "a8"], 2):
        split = Move("d5", first, target2=second, move_type=MoveType.SPLIT_SLIDE, move_variant=MoveVariant.BASIC)
        assert board.do_move(split)
        merge = Move(first, "f3", source2=second, move_type=MoveType.MERGE_SLIDE, move_variant=MoveVariant.BASIC)
        try:
            assert board.do_move(merge)
            if board.get_probability_distribution(300)[square_to_bit("f3")] == 1.0:
                found.append(str(merge))
        except ValueError:  # one of the two is on no line with f3
            board.with_state(squares_to_bitboard(["b5", "c5", "d5"]))
            continue
        assert board.undo_last_move()
        assert board.undo_last_move()
    assert board.get_full_squares_bitboard() == squares_to_bitboard(["b5", "c5", "d5"])
    return found

"""One game with sixteen measurements: two kings keep stepping onto squares that knights may hold."""

from qchess.compat import CirqBoard, num_ones, squares_to_bitboard

ROUNDS = [(f, rank) for rank in (1, 3) for f in "abcdefgh"]


def main() -> list[bool]:
    board = CirqBoard(squares_to_bitboard([f"{f}{rank}" for f, rank in ROUNDS]))
    for f, rank in ROUNDS:
        assert board.perform_moves(f"{f}{rank}^{f}{rank + 1}{f}{rank + 4}:SPLIT_JUMP:BASIC") is True
    found = [board.perform_moves(f"{f}{rank + 1}{f}{rank}:JUMP:CAPTURE") for f, rank in ROUNDS]
    assert len(board.move_history) == 32
    assert board.is_classical()
    expected = [f"{f}{rank if there else rank + 4}" for (f, rank), there in zip(ROUNDS, found, strict=True)]
    assert set(board.sample(50)) == {squares_to_bitboard(expected)}
    assert num_ones(board.get_full_squares_bitboard()) == 16
    return [bool(there) for there in found]

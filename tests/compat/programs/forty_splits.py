"""One king is split forty times, until it stands on forty-one squares at once."""

from collections import deque

from qchess.compat import CirqBoard, bit_to_square, num_ones, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["a1"]))
    parts, free = deque(["a1"]), deque(bit_to_square(bit) for bit in range(1, 64))
    for _ in range(40):
        source, first, second = parts.popleft(), free.popleft(), free.popleft()
        assert board.perform_moves(f"{source}^{first}{second}:SPLIT_JUMP:BASIC")
        parts.extend((first, second))
        free.append(source)
        odds = board.get_probability_distribution(200)
        assert abs(sum(odds) - 1) < 1e-9
    assert len(parts) == 41
    possible = {squares_to_bitboard([square]) for square in parts}
    samples = board.sample(2000)
    assert len(samples) == 2000
    assert set(samples) <= possible
    assert all(num_ones(sample) == 1 for sample in samples)
    assert num_ones(board.get_empty_squares_bitboard()) == 64 - 41

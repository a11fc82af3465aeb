"""Two knights share a square; the histogram of whole boards must show all four ways, evenly."""

from qchess.compat import CirqBoard, bitboard_to_squares, squares_to_bitboard


def main() -> None:
    board = CirqBoard(squares_to_bitboard(["e1", "g1"]))
    assert board.perform_moves("e1^d3f3:SPLIT_JUMP:BASIC", "g1^h3f3:SPLIT_JUMP:BASIC")
    ways = [["d3", "f3"], ["d3", "h3"], ["f3", "g1"], ["g1", "h3"]]
    odds = board.get_board_probability_distribution(8000)
    assert sorted(sorted(bitboard_to_squares(bits)) for bits in odds) == ways
    shots = board.sample(500)
    counts = [shots.count(squares_to_bitboard(way)) for way in ways]
    assert sum(counts) == 500
    chi_squared = sum((count - 125) ** 2 / 125 for count in counts)
    assert chi_squared < 30.7  # three degrees of freedom: p = 1e-6

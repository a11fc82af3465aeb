"""The lines of a board with pieces on crossings, as text: ranks, palaces with double lines, and the river."""

from __future__ import annotations

from qchess.showing.view import View

#: a line of a rank, a crossing, one in a palace, a line in a palace, water; with Unicode and without
SIGNS = {True: "─┼╳═~", False: "-+x=~"}


class Lines:
    """The text between the pieces and on free crossings."""

    def __init__(self, view: View, unicode: bool = True) -> None:
        self.rank, self.crossing, self.centre, self.double, self.water = tuple(SIGNS[unicode])
        self._view = view
        corners = [(_at(a), _at(b)) for a, b in view.grid]
        diagonals = [(a, b) for a, b in corners if a[0] != b[0] and a[1] != b[1]]
        self._palaces = [(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])) for a, b in diagonals]
        self._files = [(a, b) for a, b in corners if a[0] == b[0]]

    def free(self, square: str) -> str:
        """Return a free crossing; the middle of a palace is where its diagonals meet."""
        x, y = _at(square)
        middle = any((left + right, low + high) == (2 * x, 2 * y) for left, low, right, high in self._palaces)
        return self.centre if middle else self.crossing

    def between(self, square: str, other: str) -> str:
        """Return the line between two neighbours of a rank."""
        inside = any(
            left <= x <= right and low <= y <= high
            for left, low, right, high in self._palaces
            for x, y in [_at(square)]
            if left <= _at(other)[0] <= right
        )
        return self.double if inside else self.rank

    def is_river(self, rank: int, other: int) -> bool:
        """Tell whether only the files at the edges connect two ranks."""
        low, high = sorted((rank, other))
        crossing = {a[0] for a, b in self._files if min(a[1], b[1]) <= low and max(a[1], b[1]) >= high}
        return crossing <= {0, self._view.width - 1}


def _at(square: str) -> tuple[int, int]:
    return ord(square[0]) - ord("a"), int(square[1:])

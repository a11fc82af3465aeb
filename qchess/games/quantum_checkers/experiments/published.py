"""The published figures for comparison, and their sources.

Complexity: the authors' public data of 2025-03-12 (``random_vs_random_results.py`` at 9a6a970), 1,000 games a cell,
and for games without draws the numbers of their plot script. Ratings: their ``trueskillplot.py``. The printed bars of
Fig. 7 are standard deviations; a standard error is the deviation over sqrt(1000).
"""

from __future__ import annotations

import math
from typing import NamedTuple

#: games in each published cell
GAMES = 1000
SIZES = (5, 6, 7, 8, 10, 12, 14)
LEVELS = (0, 1, 2, 3)


class Cell(NamedTuple):
    """One published cell; unpublished values are None."""

    plies: float
    deviation: float
    draws: float | None = None
    white: float | None = None
    branching: float | None = None
    #: True: the figure's origin is documented
    reliable: bool = True

    @property
    def error(self) -> float:
        """Return the standard error of the mean length."""
        return self.deviation / math.sqrt(GAMES)


#: size, level; mean length, its deviation, draws, white's wins, legal moves
_WITH_DRAWS = """
 5 0  15.189   7.01   .000   .506  2.506
 5 1  16.178   8.83   .003   .558  3.427
 5 2  17.928   9.57   .002   .531  3.409
 5 3  17.840   9.67   .005   .528  3.480
 6 0  24.903  13.19   .016   .467  3.219
 6 1  29.016  17.02   .080   .462  5.392
 6 2  31.213  17.34   .107   .447  5.286
 6 3  31.300  17.39   .101   .445  5.509
 7 0  36.556  19.14   .065   .466  4.021
 7 1  40.788  22.05   .159   .411  6.868
 7 2  45.676  22.53   .203   .401  6.803
 7 3  43.942  23.15   .175   .414  7.177
 8 0  49.054  23.47   .223   .377  4.633
 8 1  55.318  24.54   .360   .302  8.713
 8 2  59.489  25.25   .402   .288  8.614
 8 3  58.064  26.05   .388   .286  9.167
10 0  74.417  25.43   .501   .262  6.043
10 1  81.091  28.60   .648   .166 11.981
10 2  83.936  30.59   .659   .179 11.829
10 3  84.637  28.63   .651   .165 12.498
12 0  89.341  31.90   .737   .134  7.654
12 1  65.947  40.01   .913   .047 15.516
12 2  61.887  37.75   .933   .035 15.311
12 3  67.882  41.63   .926   .031 16.032
14 0  54.078  33.50   .974   .014 10.527
14 1  42.979  17.03   .994   .002 19.619
14 2  42.936  17.30   .998   .001 19.630
14 3  43.754  20.12   .993   .001 20.520
"""

#: mean and deviation; a star marks numbers typed into the plot script without recorded origin
_WITHOUT_DRAWS = """
5  15.119 7.12     16.456 9.61     18.616 10.60    18.120 9.66
6  24.493 13.63    31.079 21.00    33.636 22.96    33.115 21.91
7  36.759 21.70    50.389 36.82    52.561 36.53    53.639 37.08
8  53.689 33.75    77.024 60.29    87.547 64.82    88.869 65.89
10 113.285 68.37   192.813 161.46  164.482* 105.12 -
12 201.501 114.63  334.856* 212.53 300.817* 190.79 -
14 316.446 182.94  601.970* 357.61 499.214* 289.23 -
"""

_RATINGS_5 = """
0 18.990 .980 24.988 .851 26.514 .856 28.716 .878
1 21.553 .880 27.364 .833 26.097 .829 28.267 .832
2 22.712 .888 26.725 .832 28.829 .833 28.646 .842
3 23.171 .930 27.541 .839 28.918 .839 30.506 .864
"""

_RATINGS_8 = """
0 9.301 3.117  26.033 1.510 28.836 1.397 30.526 1.568
1 14.841 2.358 31.208 1.369 28.299 1.339 30.182 1.419
2 14.282 2.342 26.088 1.312 29.344 1.307 29.838 1.400
3 10.655 3.066 26.449 1.485 30.721 1.417 31.233 1.551
"""


def _with_draws() -> dict[tuple[int, int], Cell]:
    cells = {}
    for line in _WITH_DRAWS.split("\n")[1:-1]:
        size, level, *numbers = line.split()
        plies, deviation, draws, white, branching = map(float, numbers)
        cells[int(size), int(level)] = Cell(plies, deviation, draws, white, branching)
    return cells


def _without_draws() -> dict[tuple[int, int], Cell]:
    cells = {}
    for line in _WITHOUT_DRAWS.split("\n")[1:-1]:
        size, *numbers = line.split()
        for level, (mean, deviation) in enumerate(zip(numbers[::2], numbers[1::2], strict=False)):
            cells[int(size), level] = Cell(float(mean.rstrip("*")), float(deviation), reliable="*" not in mean)
    return cells


def _ratings(text: str) -> dict[int, tuple[tuple[float, float], ...]]:
    rows = (line.split() for line in text.split("\n")[1:-1])
    return {int(level): tuple(zip(map(float, n[::2]), map(float, n[1::2]), strict=True)) for level, *n in rows}


#: (size, level) -> the values of Fig. 7, by whether games can be drawn
COMPLEXITY = {True: _with_draws(), False: _without_draws()}
#: board size -> level -> (mu, sigma) of random and of 200, 400, 800 rollouts (Figs. 9 and 10)
RATINGS = {5: _ratings(_RATINGS_5), 8: _ratings(_RATINGS_8)}

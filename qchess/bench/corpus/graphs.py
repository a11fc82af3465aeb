"""Graphs of chips of any size: which wires are neighbours.

    grid         rows and columns, as on Google's chips
    heavy-hex    lines of wires with a bridge at every fourth, shifted by two from line to line, as on IBM's

A graph is a list of neighbours by number; numbers run from left to right and from top to bottom.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count

Graph = list[list[int]]
#: the distance of wires that are not connected
NOWHERE = 1 << 20


def graph(name: str, wires: int) -> Graph:
    """Return the smallest graph of that kind with at least `wires` wires.

    >>> graph("grid", 4)
    [[1, 2], [0, 3], [0, 3], [1, 2]]
    """
    makers = {"grid": grids, "heavy-hex": heavy_hexes}
    return next(made for made in makers[name]() if len(made) >= wires)


def grids() -> Iterator[Graph]:
    """Yield grids, smallest first: as many columns as rows, or one more."""
    for rows in count(1):
        yield from (_grid(rows, columns) for columns in (rows, rows + 1))


def _grid(rows: int, columns: int) -> Graph:
    number = {(row, column): row * columns + column for row in range(rows) for column in range(columns)}
    below = [((row, column), (row + 1, column)) for row, column in number]
    beside = [((row, column), (row, column + 1)) for row, column in number]
    edges = [(number[a], number[b]) for a, b in below + beside if b in number]
    return linked(edges, len(number))


def heavy_hexes() -> Iterator[Graph]:
    """Yield heavy hexagons, smallest first: lines of 4m + 1 wires, with bridges between them."""
    for lines in count(2):
        yield _heavy_hex(lines, 4 * ((lines + 1) // 2) + 1)


def _heavy_hex(lines: int, width: int) -> Graph:
    edges: list[tuple[int, int]] = []
    start = [0]
    for line in range(lines - 1):
        bridges = range(0 if line % 2 == 0 else 2, width, 4)
        start.append(start[-1] + width + len(bridges))
        for k, column in enumerate(bridges):
            bridge = start[line] + width + k
            edges += [(start[line] + column, bridge), (bridge, start[line + 1] + column)]
    edges += [(first + k, first + k + 1) for first in start for k in range(width - 1)]
    return linked(edges, start[-1] + width)


def linked(edges: list[tuple[int, int]], size: int) -> Graph:
    """Return the neighbours of each wire, in ascending order."""
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    return [sorted(found) for found in neighbours]


def distances(graph: Graph) -> list[list[int]]:
    """Return the number of steps from each wire to each other."""
    return [_from(graph, start) for start in range(len(graph))]


def _from(graph: Graph, start: int) -> list[int]:
    found = [NOWHERE] * len(graph)
    found[start] = 0
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in graph[here]:
            if found[there] == NOWHERE:
                found[there] = found[here] + 1
                waiting.append(there)
    return found

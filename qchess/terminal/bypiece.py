"""Lists too long to read, by the square that each move starts from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

#: the first square that a move names, whatever stands before it
START = re.compile(r"[a-z]\d\d?")
#: how many moves of a piece are shown as examples
SHOWN = 3


def by_piece(moves: Iterable[str]) -> Iterator[str]:
    """One line a square: how many moves start there, and the first of them.

    >>> list(by_piece(['b1a3', 'b1c3', 'b1^a3oc3o', 'b1^a3oc3p', 'X:g1h3']))
    ['b1  4 moves: b1a3  b1c3  b1^a3oc3o ...', 'g1  1 move: X:g1h3']
    """
    pieces: dict[str, list[str]] = {}
    for move in moves:
        found = START.search(move)
        pieces.setdefault(found[0] if found else move, []).append(move)
    for start, mine in pieces.items():
        more = " ..." if len(mine) > SHOWN else ""
        yield f"{start}  {len(mine)} move{'s' if len(mine) > 1 else ''}: {'  '.join(mine[:SHOWN])}{more}"

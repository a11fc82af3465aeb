"""The schedule: every pairing with both colours, in the order of the paper's tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from qchess import reading


class Fixture(NamedTuple):
    """One game to be played: its number, the player of each seat, and the opening shared with its return game."""

    number: int
    seats: tuple[str, str]
    opening: int


def round_robin(entrants: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every ordered pair once, each pairing followed by its return game.

    >>> list(round_robin('abc'))
    [('a', 'b'), ('b', 'a'), ('a', 'c'), ('c', 'a'), ('b', 'c'), ('c', 'b')]
    """
    for first, second in combinations(entrants, 2):
        yield first, second
        yield second, first


def gauntlet(entrants: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the first player against each of the others, with both colours.

    >>> list(gauntlet('abc'))
    [('a', 'b'), ('b', 'a'), ('a', 'c'), ('c', 'a')]
    """
    for other in entrants[1:]:
        yield entrants[0], other
        yield other, entrants[0]


SYSTEMS = {"round-robin": round_robin, "gauntlet": gauntlet}


def fixtures(system: str, entrants: Sequence[str], rounds: int) -> Iterator[Fixture]:
    """Yield all games of a tournament, in order; the two games of a pairing in one round share their opening."""
    reading.one_of(system, "the system", SYSTEMS)
    pairs = list(SYSTEMS[system](entrants))
    for number in range(rounds * len(pairs)):
        yield Fixture(number, pairs[number % len(pairs)], number // 2)

"""Systems: which pieces the rules count as entangled, as classical bookkeeping.

The engine's registers may be finer, since they split whenever the state is a product; but "measure the whole system"
and the limit of eight use systems. A piece in no listed system is alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from qchess.circuits import Qubit

System = tuple[Qubit, ...]
Systems = tuple[System, ...]

#: a system of this many pieces collapses
LIMIT = 8


def system_of(systems: Systems, piece: Qubit) -> System:
    """Return the system of a piece, itself included."""
    for system in systems:
        if piece in system:
            return system
    return (piece,)


def merged(systems: Systems, pieces: Iterable[Qubit], apart: Collection[Qubit] = ()) -> System:
    """Return the systems of these pieces as one, in order of appearance, without those that stay apart."""
    members = dict.fromkeys(member for piece in pieces for member in system_of(systems, piece))
    return tuple(member for member in members if member not in apart)


def joined(systems: Systems, one: System) -> Systems:
    """Return the systems after `one` has become a system of its own."""
    return (*without(systems, one), one) if len(one) > 1 else without(systems, one)


def without(systems: Systems, leaving: Collection[Qubit]) -> Systems:
    """Return the systems without the leaving pieces; a piece left alone is in none."""
    if not leaving:
        return systems
    left = (tuple(member for member in system if member not in leaving) for system in systems)
    return tuple(system for system in left if len(system) > 1)

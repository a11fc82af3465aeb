"""Systems: which pieces the rules count as entangled. Classical bookkeeping, beside the registers.

The engine's registers may be finer, since they split wherever the state is a product; but "measure the
whole system" and the limit of eight go by systems. A piece in no listed system is alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from qchess.circuits import Qubit

System = tuple[Qubit, ...]
Systems = tuple[System, ...]

#: a system of so many pieces collapses
LIMIT = 8


def system_of(systems: Systems, piece: Qubit) -> System:
    """The system of a piece, itself included."""
    for system in systems:
        if piece in system:
            return system
    return (piece,)


def merged(systems: Systems, pieces: Iterable[Qubit], apart: Collection[Qubit] = ()) -> System:
    """The systems of these pieces as one, in order of appearance, without those that stay apart."""
    members = dict.fromkeys(member for piece in pieces for member in system_of(systems, piece))
    return tuple(member for member in members if member not in apart)


def joined(systems: Systems, one: System) -> Systems:
    """The systems once `one` has become a system of its own."""
    return (*without(systems, one), one) if len(one) > 1 else without(systems, one)


def without(systems: Systems, leaving: Collection[Qubit]) -> Systems:
    """The systems without the pieces that leave; who is left alone is in none."""
    if not leaving:
        return systems
    left = (tuple(member for member in system if member not in leaving) for system in systems)
    return tuple(system for system in left if len(system) > 1)

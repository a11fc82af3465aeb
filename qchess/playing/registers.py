"""Numbers of a game's registers that stay the same through joins and splits: they choose the colours.

A new register gets the lowest number that is free and was free for the last few plies. When two join, the larger keeps
its number; when one splits, its oldest square keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from qchess.showing.view import View

#: a freed number is not used again for this many plies
REST = 6

Group = tuple[str, ...]


class Numbered(NamedTuple):
    """The numbered registers of a position, and what the next one needs."""

    groups: Mapping[Group, int] = {}
    #: for each square, the ply at which it came into its register
    since: Mapping[str, int] = {}
    #: for each freed number, its ply
    given_up: Mapping[int, int] = {}
    ply: int = -1

    def then(self, groups: Iterable[Group]) -> Numbered:
        """Return the registers after one more ply.

        >>> first = Numbered().then([('a3', 'c3')]).then([('a3', 'c3'), ('f6', 'h6')])
        >>> joined = first.then([('a3', 'b5', 'c3', 'f6', 'h6')])
        >>> list(first.groups.values()), list(joined.groups.values())
        ([0, 1], [0])
        """
        new, ply = tuple(groups), self.ply + 1
        kept: dict[Group, int] = {}
        for group in sorted(self.groups, key=lambda group: (-len(group), self.groups[group])):
            heir = self._heir(group, new)
            if heir is not None:
                kept.setdefault(heir, self.groups[group])
        gone = dict.fromkeys(set(self.groups.values()) - set(kept.values()), ply)
        given_up = {number: at for number, at in {**self.given_up, **gone}.items() if ply - at <= REST}
        free = (number for number in count() if number not in kept.values() and number not in given_up)
        numbers = {group: kept[group] if group in kept else next(free) for group in new}
        old = {name: self.groups[group] for group in self.groups for name in group}
        since = {
            name: self.since[name] if old.get(name) == number else ply
            for group, number in numbers.items()
            for name in group
        }
        return Numbered(numbers, since, given_up, ply)

    def on(self, view: View) -> View:
        """Return the view of this position, with the numbers."""
        return replace(view, registers=tuple(self.groups[group] for group in view.groups))

    def _heir(self, group: Group, new: Iterable[Group]) -> Group | None:
        """Return the register that contains the oldest of the squares still in one."""
        where = {name: other for other in new for name in other}
        return next((where[name] for name in sorted(group, key=self.since.__getitem__) if name in where), None)

"""The book of one game: its level, its board and its options."""

from __future__ import annotations

from dataclasses import dataclass

from qchess.games.quantum_checkers.board import Board
from qchess.games.quantum_checkers.options import Options

#: each level adds to those below: splits with measurement, entangling captures, merges
CLASSICAL, SPLITS, ENTANGLES, MERGES = range(4)
LEVELS = (CLASSICAL, SPLITS, ENTANGLES, MERGES)


@dataclass(frozen=True, slots=True)
class Book:
    """The settings that decide which moves there are, and what they do."""

    level: int
    board: Board
    options: Options

    @property
    def splits(self) -> bool:
        """Tell whether pieces split."""
        return self.level >= SPLITS

    @property
    def entangles(self) -> bool:
        """Tell whether an unsplit piece captures a split one without a measurement."""
        return self.level >= ENTANGLES

    @property
    def merges(self) -> bool:
        """Tell whether parts merge."""
        return self.level >= MERGES

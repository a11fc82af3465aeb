"""A state that is held to the laws, with what several of them ask of it, worked out once."""

from __future__ import annotations

import random
from functools import cached_property
from zlib import crc32

from qchess.games.niels_chess import nfen
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.effects import Outcome, outcomes
from qchess.games.niels_chess.keys import effective
from qchess.games.niels_chess.listing import legal_moves
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.units import State


class Case:
    """A state under the rules of a book: its text, its moves, and chance that is always the same for it."""

    def __init__(self, book: Book, state: State) -> None:
        self.book, self.state = book, state

    @cached_property
    def text(self) -> str:
        """The state as NFEN."""
        return nfen.write(self.book, self.state)

    @cached_property
    def moves(self) -> list[Move]:
        """Every legal move."""
        return legal_moves(self.book, self.state)

    @cached_property
    def effective(self) -> object:
        """What the state is in effect, whatever its marks are called."""
        return effective(self.book, self.state)

    def dice(self) -> random.Random:
        """Chance that is the same whenever the same state is looked at."""
        return random.Random(crc32(self.text.encode()))

    def sample(self, count: int) -> list[Move]:
        """Some of the moves, or all if there are few."""
        return self.dice().sample(self.moves, min(count, len(self.moves)))

    def outcomes(self, move: Move) -> list[Outcome]:
        """Every way a move can end."""
        return outcomes(self.book, self.state, move)

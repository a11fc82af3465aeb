"""A state to be checked against the laws, with values that several laws share."""

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
    """A state under the rules of a book: its text, its moves, and reproducible random numbers."""

    def __init__(self, book: Book, state: State) -> None:
        self.book, self.state = book, state

    @cached_property
    def text(self) -> str:
        """Return the state as NFEN."""
        return nfen.write(self.book, self.state)

    @cached_property
    def moves(self) -> list[Move]:
        """Return every legal move."""
        return list(legal_moves(self.book, self.state))

    @cached_property
    def effective(self) -> object:
        """Return the state without arbitrary names of marks."""
        return effective(self.book, self.state)

    def dice(self) -> random.Random:
        """Return random numbers that are the same for the same state."""
        return random.Random(crc32(self.text.encode()))

    def sample(self, count: int) -> list[Move]:
        """Return some of the moves, or all if there are few."""
        return self.dice().sample(self.moves, min(count, len(self.moves)))

    def outcomes(self, move: Move) -> list[Outcome]:
        """Return every way a move can end."""
        return outcomes(self.book, self.state, move)

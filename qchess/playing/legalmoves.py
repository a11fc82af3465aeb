"""The legal moves of a position: a sequence of the game's moves, in which texts can be looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

from qchess.errors import QchessError
from qchess.rules import Rules, Turn

M = TypeVar("M")
#: how many moves are printed
SHOWN = 6


class LegalMoves(Sequence[M], Generic[M]):
    """Every legal move once, in a fixed order. Test with ``in`` whether a move, or a text that names one, is legal.

    >>> import qchess
    >>> game = qchess.new('quantum-chess', seed=1)
    >>> 'e2-e4' in game.legal_moves, 'Nc3' in game.legal_moves, 'e2-e5' in game.legal_moves
    (True, True, False)
    >>> game.legal_moves.count() == len(game.legal_moves)
    True
    """

    __slots__ = ("_moves", "_position", "_rules")

    def __init__(self, rules: Rules[Any, M], position: Any, moves: Sequence[M]) -> None:
        self._rules, self._position, self._moves = rules, position, moves

    def __call__(self) -> LegalMoves[M]:
        """Return these moves: ``game.legal_moves()`` is what other libraries have."""
        return self

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[M]:
        return iter(self._moves)

    @overload
    def __getitem__(self, place: int) -> M: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[M]: ...
    def __getitem__(self, place: int | slice) -> M | Sequence[M]:
        return self._moves[place]

    def __contains__(self, what: object) -> bool:
        if not self._moves:
            return False
        if isinstance(what, Turn):
            what = what.move
        if isinstance(what, str) and self._rules.move_type is not None:
            try:
                what = self._rules.read(self._position, what)[0]
            except QchessError:
                return False
            return True
        return what in self._moves

    def count(self, move: Any = ...) -> int:
        """Count the moves; or how often a move is among them, once or not at all."""
        return len(self) if move is ... else int(move in self)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        texts = [self._rules.write(self._position, move) for move in self._moves[:SHOWN]]
        more = ", ..." if len(self) > SHOWN else ""
        return f"<{len(self)} legal moves: {', '.join(texts)}{more}>"

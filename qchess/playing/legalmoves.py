"""The legal moves of a position: as values, in which texts can be looked up, and as texts, written when looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
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


class MoveTexts(list[str], Generic[M]):
    """A list of texts, the same for everybody who reads, searches, sorts, changes, compares or pickles it.

    A text that is looked up by its place is written alone; whatever else is done needs all of them.

    >>> import qchess
    >>> moves = qchess.new('quantum-chess', seed=1).moves()
    >>> len(moves), moves[0], moves == [*moves]
    (22, 'b1-a3', True)
    """

    __slots__ = ("_moves", "_written", "position", "rules")

    def __init__(self, rules: Rules[Any, M], position: Any, moves: Sequence[M]) -> None:
        super().__init__([""] * len(moves))  # no move has an empty text
        self.rules, self.position = rules, position
        #: the moves whose texts are not all written yet
        self._moves: Sequence[M] | None = moves
        self._written: dict[str, M] = {}

    def move(self, text: str) -> M | None:
        """Return the move of a text that was looked at, or None."""
        return self._written.get(text)

    def __getitem__(self, place: Any) -> Any:
        moves = self._moves
        if moves is None:
            return super().__getitem__(place)
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        text = super().__getitem__(place)
        if not text:
            move = moves[place]
            text = self.rules.write(self.position, move)
            super().__setitem__(place, text)
            self._written[text] = move
        return text

    def write(self) -> None:
        """Write all texts."""
        moves, self._moves = self._moves, None
        if moves is not None:
            texts = self.rules.texts(self.position, moves)
            super().__setitem__(slice(None), texts)
            self._written = dict(zip(texts, moves, strict=True))

    def __radd__(self, other: list[str]) -> list[str]:
        return [*other, *self]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, ([*self],)


def _of_all(name: str) -> Callable[..., Any]:
    """Make a method of lists write all texts first."""
    method = getattr(list, name)

    @wraps(method)
    def of_all(self: MoveTexts[Any], *arguments: Any, **options: Any) -> Any:
        for one in (self, *arguments):
            if isinstance(one, MoveTexts):
                one.write()
        return method(self, *arguments, **options)

    return of_all


for _name in (
    "__add__", "__contains__", "__delitem__", "__eq__", "__ge__", "__gt__", "__iadd__", "__imul__", "__iter__",
    "__le__", "__lt__", "__mul__", "__ne__", "__repr__", "__reversed__", "__rmul__", "__setitem__",
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort",
):  # fmt: skip
    setattr(MoveTexts, _name, _of_all(_name))

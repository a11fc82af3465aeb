"""Symmetries: exchanges that do not affect play, and mirrors that preserve it."""

from __future__ import annotations

from collections.abc import Callable

from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.case import Case
from qchess.games.niels_chess.keys import effective
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.units import State, Unit, place, unit_at
from qchess.proving.laws import require

#: how many moves are compared in all their outcomes
SAMPLE = 4


def marks_are_free(case: Case) -> None:
    """Check that exchanging the diagonals, or a pair's marks with its facing, has no effect."""
    book, state = case.book, case.state
    plain = [
        pair for pair in state.pairs if not (book.variant.hadamard or book.variant.simplified or book.marks_fixed(pair))
    ]
    _same(case, swapped_diagonals(state), "the diagonals")
    if plain:
        pair = case.dice().choice(plain)
        _same(case, swapped_marks(state, pair), f"the marks of {book.names[pair.at]}")


def swapped_diagonals(state: State) -> State:
    """Return the same position with the two diagonals exchanged."""
    men = list(state.men)
    for pair in state.pairs:
        if pair.diag:
            place(men, pair._replace(diag="-" if pair.diag == "+" else "+"))
    return state._replace(men=tuple(men))


def swapped_marks(state: State, pair: Unit) -> State:
    """Return the same position with a pair's marks exchanged and its coin kept."""
    men = list(state.men)
    place(men, pair._replace(at=pair.second, second=pair.at, x=1 - pair.x))
    return state._replace(men=tuple(men))


def _same(case: Case, exchanged: State, what: str) -> None:
    book, where = case.book, case.text
    other = Case(book, exchanged)
    require(other.effective == case.effective, f"exchanging {what} changes {where}")
    require(len(case.moves) == len(other.moves), f"exchanging {what} changes the number of moves in {where}")
    pairs = {frozenset(book.names[k] for k in pair.squares) for pair in case.state.pairs}
    renamed = {_unmarked(book, exchanged, move, pairs): move for move in other.moves}
    for move in case.sample(SAMPLE):
        twin = renamed.get(_unmarked(book, case.state, move, pairs))
        require(twin is not None, f"exchanging {what} loses {move} in {where}")
        assert twin is not None, "just required"
        ours, theirs = (
            {(end.chance, end.rolls, effective(book, end.state)) for end in one.outcomes(played)}
            for one, played in ((case, move), (other, twin))
        )
        require(ours == theirs, f"exchanging {what} changes what {move} does in {where}")


def _unmarked(book: Book, state: State, move: Move, pairs: set[frozenset[str]]) -> Move:
    """Return the move with the squares of a named pair in a fixed order."""
    if frozenset(move.squares) in pairs:
        return move._replace(squares=tuple(sorted(move.squares)))
    if len(move.squares) == 4:
        joined = unit_at(state.men, book.numbers[move.squares[3]])
        name = min(book.names[k] for k in joined.squares)
        return move._replace(squares=(*move.squares[:3], name))
    return move


# -- boards that are mirrored ------------------------------------------------------------------------------


class Mirror:
    """A mirrored board: where each square goes, and whether the players are exchanged."""

    def __init__(self, book: Book, turned: Callable[[int], int], swaps: bool) -> None:
        self.turned, self.swaps = turned, swaps
        self.names = {name: book.names[turned(square)] for name, square in book.numbers.items()}

    def move(self, move: Move) -> Move:
        """Return the mirrored move."""
        kind, squares, *rest = move
        return Move(kind, tuple([self.names[name] for name in squares]), *rest)

    def state(self, real: State) -> State:
        """Return the mirrored state, without its counters."""
        turned = self.turned
        men: list[Unit | None] = [None] * len(real.men)
        for unit in real.units:
            second = turned(unit.second) if unit.is_pair else -1
            place(men, unit._replace(colour=unit.colour ^ self.swaps, at=turned(unit.at), second=second))
        return State(
            tuple(men),
            real.turn ^ self.swaps,
            "".join(sorted(real.castling.swapcase() if self.swaps else real.castling)),
            (turned(real.ep[0]), turned(real.ep[1])) if real.ep else None,
            pending=turned(real.pending) if real.pending >= 0 else -1,
            offer=self.move(real.offer) if real.offer is not None else None,
            declined=real.declined,
        )


def mirrors_are_fair(case: Case) -> None:
    """Check that play is preserved by exchanging ranks and players; and by mirroring files, without castling."""
    book, width = case.book, case.book.board.width
    _mirrored_alike(case, Mirror(book, book.board.mirrored, True), "ranks and players")
    if not case.state.castling:
        files = Mirror(book, lambda square: square + width - 1 - 2 * (square % width), False)
        _mirrored_alike(case, files, "files")


def _mirrored_alike(case: Case, mirror: Mirror, what: str) -> None:
    image = Case(case.book, mirror.state(case.state))
    moves = {mirror.move(move) for move in case.moves}
    require(moves == set(image.moves), f"exchanging {what} changes the moves of {case.text}")
    for move in case.sample(SAMPLE):
        ours = [(end.chance, end.rolls, mirror.state(end.state)) for end in case.outcomes(move)]
        theirs = [(end.chance, end.rolls, _bare(end.state)) for end in image.outcomes(mirror.move(move))]
        require(ours == theirs, f"exchanging {what} changes what {move} does in {case.text}")


def _bare(state: State) -> State:
    """Return the state without its counters, its rights in order."""
    return State(
        state.men,
        state.turn,
        "".join(sorted(state.castling)),
        state.ep,
        pending=state.pending,
        offer=state.offer,
        declined=state.declined,
    )

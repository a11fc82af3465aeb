"""Symmetries: exchanges that change nothing in how a game goes on, and mirrors that change it alike."""

from __future__ import annotations

from collections.abc import Callable

from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.case import Case
from qchess.games.niels_chess.keys import effective
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.units import State, Unit, place
from qchess.proving.laws import require

#: how many moves are compared in all their outcomes
SAMPLE = 4


def marks_are_free(case: Case) -> None:
    """Exchanging the diagonals, or the marks of a pair together with its facing, changes nothing in effect."""
    book, state = case.book, case.state
    plain = [
        pair for pair in state.pairs if not (book.variant.hadamard or book.variant.simplified or book.marks_fixed(pair))
    ]
    _same(case, swapped_diagonals(state), "the diagonals")
    if plain:
        pair = case.dice().choice(plain)
        _same(case, swapped_marks(state, pair), f"the marks of {book.names[pair.at]}")


def swapped_diagonals(state: State) -> State:
    """The same position with the two diagonals exchanged."""
    men = list(state.men)
    for pair in state.pairs:
        if pair.diag:
            place(men, pair._replace(diag="-" if pair.diag == "+" else "+"))
    return state._replace(men=tuple(men))


def swapped_marks(state: State, pair: Unit) -> State:
    """The same position with the first and second mark of a pair exchanged and its coin kept."""
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
    """The move with the squares of a named pair in one order."""
    if frozenset(move.squares) in pairs:
        return move._replace(squares=tuple(sorted(move.squares)))
    if len(move.squares) == 4:
        joined = state.men[book.numbers[move.squares[3]]]
        assert joined is not None, "a listed move joins a pair"
        name = min(book.names[k] for k in joined.squares)
        return move._replace(squares=(*move.squares[:3], name))
    return move


# -- boards that are mirrored ------------------------------------------------------------------------------


def mirrors_are_fair(case: Case) -> None:
    """With ranks and players exchanged everything goes on alike; so it does with files, where nobody castles."""
    board = case.book.board
    _mirrored_alike(case, board.mirrored, 1, "ranks and players")
    if not case.state.castling:
        width = board.width
        _mirrored_alike(case, lambda square: square + width - 1 - 2 * (square % width), 0, "files")


def _mirrored_alike(case: Case, turned: Callable[[int], int], other: int, what: str) -> None:
    book, names, where = case.book, case.book.names, case.text

    def move_of(move: Move) -> Move:
        return move._replace(squares=tuple(names[turned(book.numbers[name])] for name in move.squares))

    def state_of(real: State) -> State:
        men: list[Unit | None] = [None] * len(real.men)
        for unit in real.units:
            second = turned(unit.second) if unit.is_pair else -1
            place(men, unit._replace(colour=unit.colour ^ other, at=turned(unit.at), second=second))
        return State(
            tuple(men),
            real.turn ^ other,
            "".join(sorted(real.castling.swapcase() if other else real.castling)),
            (turned(real.ep[0]), turned(real.ep[1])) if real.ep else None,
            pending=turned(real.pending) if real.pending >= 0 else -1,
            offer=move_of(real.offer) if real.offer is not None else None,
            declined=real.declined,
        )

    image = Case(book, state_of(case.state))
    require(
        {move_of(move) for move in case.moves} == set(image.moves), f"exchanging {what} changes the moves of {where}"
    )
    for move in case.sample(SAMPLE):
        ours, theirs = (
            [(end.chance, end.rolls, turn(end.state)) for end in one.outcomes(played)]
            for one, played, turn in ((case, move, state_of), (image, move_of(move), _bare))
        )
        require(ours == theirs, f"exchanging {what} changes what {move} does in {where}")


def _bare(state: State) -> State:
    """The state without its counters, its rights in order."""
    return State(
        state.men,
        state.turn,
        "".join(sorted(state.castling)),
        state.ep,
        pending=state.pending,
        offer=state.offer,
        declined=state.declined,
    )

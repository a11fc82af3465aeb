"""List legal moves fast: moves that cannot affect the own king's safety are not tested for it.

Most variants are listed by a kernel (`fast`), in the same order; the others are listed here, and all where nothing is
compiled. The slow, simple version is `objections.objection`, which tries every outcome of a move; a law compares them.
Order: units by square, each half's moves at its square, a pair's own moves at its first mark.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations

from qchess.games.niels_chess.book import PROMOTIONS, Book
from qchess.games.niels_chess.coins import collapse, interferes, possible
from qchess.games.niels_chess.effects import made_pair, outcomes
from qchess.games.niels_chess.fast.packing import Rows, rows_of
from qchess.games.niels_chess.move import (
    AGREE,
    DECLINE,
    HADAMARD,
    INVERT,
    MOVE,
    REMOTE,
    TUNNEL,
    Move,
    Z,
    joins,
    splits,
    steps,
)
from qchess.games.niels_chess.safety import Safety
from qchess.games.niels_chess.units import State, Unit, place, tandem, unit_at

ANSWERS = (Move(AGREE, ()), Move(DECLINE, ()))
#: the letter of whatever is not promoted
NONE = ("",)


def legal_moves(book: Book, state: State) -> Sequence[Move]:
    """Return every legal move of the player to move."""
    if state.offer is not None:
        return list(ANSWERS)
    if state.suicide >= 0:
        return []
    return listed(book, state).moves


def any_legal_move(book: Book, state: State) -> Move | None:
    """Return one legal move without listing them all; None if there is none."""
    if state.offer is not None:
        return ANSWERS[0]
    if state.suicide >= 0:
        return None
    return listed(book, state).first()


def random_legal_move(book: Book, state: State, rng: random.Random) -> Move | None:
    """Return a random move of a random piece; None if there is none."""
    if state.offer is not None:
        return rng.choice(ANSWERS)
    if state.suicide >= 0:
        return None
    listing = listed(book, state)
    origins = list(listing.origins)
    rng.shuffle(origins)
    for square in origins:
        if moves := listing.moves_of(square):
            return rng.choice(moves)
    return None


def listed(book: Book, state: State) -> Rows | Listing:
    """Return what lists the moves of a state; the last one is kept, since whoever asks for one move often wants all."""
    last = book.listed
    if not isinstance(last, (Rows, Listing)) or last.state is not state:
        rows = rows_of(book, state)
        book.listed = last = Listing(book, state) if rows is None else rows
    return last


class Listing(Safety):
    """Lists the moves of a state, piece by piece."""

    def __init__(self, book: Book, state: State) -> None:
        super().__init__(book, state)
        self.names, self.steps = book.names, steps(book.names)
        #: what has not to be asked for each piece: whether River and Palace matter, and where opposing pairs stand
        self.bounded = book.variant.xiangqi and not book.variant.drop_river
        self.pairs: set[int] = set()
        #: the player's squares whose units may move now
        self.origins: list[int] = []
        for square, unit in enumerate(state.men):
            if unit is not None:
                if unit.colour == state.turn:
                    self.origins.append(square)
                elif unit.second >= 0:
                    self.pairs.add(square)
        if state.pending >= 0:
            self.origins = [state.pending]

    @property
    def moves(self) -> list[Move]:
        """Return every legal move."""
        return [move for square in self.origins for move in self.moves_of(square)]

    def first(self) -> Move | None:
        """Return the first legal move, or None."""
        return next((move for square in self.origins for part in self.moves_from(square) for move in part), None)

    def moves_of(self, square: int) -> list[Move]:
        """Return the legal moves from a square."""
        found: list[Move] = []
        for part in self.moves_from(square):
            found += part
        return found

    def moves_from(self, square: int) -> Iterator[Iterable[Move]]:
        """Yield the legal moves from a square, class by class."""
        unit = unit_at(self.men, square)
        empty, taken = self.pieces.reach(self.men, unit, square)
        if empty:
            free = self.untouched(unit, square, *empty)
            safe = empty if free else [to for to in empty if self.may_go(unit, square, to)]
            yield self._quiet(unit, square, safe)
        if taken:
            yield self._captures(unit, square, taken)
        if unit.kind == "P" and self.state.ep is not None:
            yield self._in_passing(unit, square)
        if unit.second >= 0:
            if square == unit.at and self.state.pending < 0:
                yield self._marks(unit)
            return
        if unit.kind == "K" and self.state.castling:
            yield self._castlings(unit)
        if empty:
            yield self._splits(unit, square, empty, safe, free)
            if self.pairs:
                yield self._joins(unit, square, empty, taken, free)
        if self.book.variant.tunnelling and unit.kind in self.pieces.tunnellers:
            yield self._tunnels(unit, square)

    # -- moves and captures -----------------------------------------------------------------------------

    def _letters(self, unit: Unit, *squares: int) -> tuple[str, ...]:
        """Return the letters of the pieces that a unit may become on these squares."""
        return NONE if unit.kind != "P" or not self.book.promotes(unit, *squares) else PROMOTIONS

    def _plain(self, unit: Unit, square: int, to: int) -> list[Move]:
        """Return a move or capture, with each letter of a promotion."""
        move = self.steps[square][to]
        if unit.kind != "P" or not self.book.promotes(unit, to):
            return [move]
        return [move._replace(promotion=letter) for letter in PROMOTIONS]

    def _quiet(self, unit: Unit, square: int, safe: list[int]) -> list[Move]:
        if unit.kind == "P":
            return [move for to in safe for move in self._plain(unit, square, to)]
        row = self.steps[square]
        return [row[to] for to in safe]

    def _captures(self, unit: Unit, square: int, taken: list[int]) -> list[Move]:
        found: list[Move] = []
        for to in taken:
            target = unit_at(self.men, to)
            if target.kind == "K" and possible(self.book.variant, unit, square, target, to):
                continue
            if self._capture_is_safe(unit, square, target, to):
                found += self._plain(unit, square, to)
        return found

    def _capture_is_safe(self, unit: Unit, square: int, target: Unit, to: int) -> bool:
        if unit.second >= 0 or target.second >= 0:
            return (self.calm(square) and self.calm(to)) or self.attempt_is_safe(square, to, to)
        if not self.checked and unit is not self.king and square not in self.left:
            return True  # where the target stood, the capturer stands
        return not self.hopeless(unit, square, to) and self.safe_with(unit, unit.moved(square, to))

    def _in_passing(self, unit: Unit, square: int) -> Iterator[Move]:
        assert self.state.ep is not None, "only called where a pawn has passed"
        passed, victim = self.state.ep
        if passed not in self.pieces.strikes[unit.colour][square]:
            return
        target = unit_at(self.men, victim)
        if unit.second >= 0 or target.second >= 0:
            safe = self.attempt_is_safe(square, passed, victim, 2 * passed - victim)
        else:
            men = list(self.men)
            men[victim] = men[square] = None
            men[passed] = unit._replace(at=passed)
            safe = self.safe(men)
        if safe:
            option = "" if self.men[passed] is None else "ep"
            yield Move(MOVE, (self.names[square], self.names[passed]), "", "", option)

    def _castlings(self, unit: Unit) -> Iterator[Move]:
        if self.checked:
            return
        for start, end, _, _ in self.book.castlings(self.state):
            if self.book.castles_safely(self.men, self.colour, start, end):
                move = Move(MOVE, (self.names[start], self.names[end]))
                if self.safe(outcomes(self.book, self.state, move)[0].state.men):
                    yield move

    # -- superposition, entanglement, tunnelling ----------------------------------------------------------

    def _splits(self, unit: Unit, square: int, empty: list[int], safe: list[int], free: bool) -> list[Move]:
        """Return superpositions: two squares, perhaps including the present one, in every marking.

        `safe` are the squares on which the piece alone would leave the king safe; `free`: all are, alone or together.
        """
        book, stays = self.book, True
        by_marks = unit is self.king and book.variant.deterministic
        if unit is self.king and self.pieces.free_kings and not by_marks:
            empty, stays, free = safe, not self.checked, True
        targets = [(square, to) for to in empty] if stays else []
        if not book.variant.slow:
            targets += combinations(empty, 2)
        fixed, found = book.marks_fixed(unit), []
        for a, b in targets:
            if self.bounded and not book.may_split(unit, a, b):
                continue
            if by_marks:
                marked = self._marked(unit, a, b, fixed)
                found += [move for move in marked if self.safe_with(unit, made_pair(book, unit, move))]
            elif free or self.may_split(unit, a, b):
                found += self._marked(unit, a, b, fixed)
        return found

    def _marked(self, unit: Unit, a: int, b: int, fixed: bool) -> tuple[Move, ...]:
        """Return every marking of a superposition on two squares."""
        if fixed and a != self.book.farther(unit, a, b):
            a, b = b, a
        names = self.names
        return splits(names[unit.at], names[a], names[b], fixed, self.book.facings, self._letters(unit, a, b))

    def _joins(self, unit: Unit, square: int, empty: list[int], taken: list[int], free: bool) -> list[Move]:
        """Return entanglements: an arrival, and an opposing pair that one of the two halves then attacks."""
        found: list[Move] = []
        for to in empty:
            if self.bounded and not self.book.may_join(unit, to):
                continue
            for letter in self._letters(unit, to) if unit.kind == "P" else NONE:
                new, here = unit, taken
                if letter:
                    new = unit._replace(kind=letter)
                    here = self.pieces.targets(self.men, new, square)
                hit = self.pairs.intersection(self.pieces.struck(self.men, new, to, here))
                if not hit:
                    continue
                if not free and unit is not self.king and not self.may_split(unit, square, to):
                    break
                pairs = {pair.at: pair for at in hit if (pair := self.men[at]) is not None}
                for at in sorted(pairs):
                    found += self._joining(unit, to, pairs[at], letter)
        return found

    def _joining(self, unit: Unit, to: int, joined: Unit, letter: str) -> Sequence[Move]:
        """Return every marking with which a piece may join a pair."""
        book, names = self.book, self.names
        diag = joined.diag or self.free
        if diag is None:
            return ()
        fixed, first, second = book.marks_fixed(unit), unit.at, to
        if fixed and first != book.farther(unit, first, second):
            first, second = second, first
        moves = joins(
            names[unit.at], names[first], names[second], fixed, names[joined.at], joined.z, book.turns, letter
        )
        if unit is not self.king:
            return moves
        return [move for move in moves if self._king_joins_safely(made_pair(book, unit, move, diag), joined)]

    @cached_property
    def free(self) -> str | None:
        """Return the diagonal for the next group, or None if both are in use."""
        return next(iter(self.book.free_diagonals(self.men)), None)

    def _king_joins_safely(self, new: Unit, joined: Unit) -> bool:
        after = list(self.men)
        place(after, joined._replace(diag=new.diag))
        place(after, new)
        return self.safe(after)

    def _tunnels(self, unit: Unit, square: int) -> Iterator[Move]:
        """Yield tunnelling through a piece to the empty square behind; a bounce must leave the king safe too."""
        if self.checked:
            return
        for barrier, to in self.pieces.barriers(self.men, unit, square):
            other = unit_at(self.men, barrier)
            if other.second >= 0 or (other.colour == self.colour and self.book.variant.tunnel_barrier != "any"):
                continue
            if self.may_go(unit, square, to):
                yield Move(TUNNEL, (self.names[square], self.names[to]))

    # -- moves of marks ----------------------------------------------------------------------------------

    def _marks(self, pair: Unit) -> Iterator[Move]:
        variant = self.book.variant
        named = (self.names[pair.at], self.names[pair.second])
        inverts = self.book.differs(pair) and not variant.simplified
        away = (inverts or variant.hadamard) and self.book.one_away(self.men, pair)
        if inverts and away and self._inverts_safely(pair):
            yield Move(INVERT, named)
        if variant.hadamard:
            yield from self._z_moves(pair, named)
            if away and self._interferes_safely(pair):
                yield Move(HADAMARD, named)
        if variant.remote_collapse and self._may_collapse(pair, named):
            yield Move(REMOTE, named)

    def _inverts_safely(self, pair: Unit) -> bool:
        """Tell whether the own king is safe once a pair is inverted: only the king's own marks matter."""
        return self.safe_with(pair, pair._replace(x=1 - pair.x)) if pair is self.king else not self.checked

    def _z_moves(self, pair: Unit, named: tuple[str, ...]) -> Iterator[Move]:
        if pair.diag and not self.book.variant.hadamard_plus:
            return
        men = list(self.men)
        for member in tandem(men, pair):
            place(men, member._replace(z=1 - member.z))
        if self.safe(men):
            yield Move(Z, named)
            if not pair.diag and not self.book.variant.simplified:
                yield Move(Z, named, "", "", self.book.first_mark)

    def _interferes_safely(self, pair: Unit) -> bool:
        variant = self.book.variant
        if pair.diag and not (
            variant.hadamard_plus and not self.state.declined and self.book.group_away(self.men, pair)
        ):
            return False
        return self.safe(collapse(variant, self.men, pair, interferes(pair)))

    def _may_collapse(self, pair: Unit, named: tuple[str, ...]) -> bool:
        """Tell whether the resulting piece can move, however the coin lands."""
        move = Move(REMOTE, named)
        return all(
            any_legal_move(self.book, outcome.state) is not None for outcome in outcomes(self.book, self.state, move)
        )

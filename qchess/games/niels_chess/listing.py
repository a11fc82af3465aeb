"""List legal moves fast: moves that cannot affect the own king's safety are not tested for it.

The slow, simple version is `objections.objection`, which tries every outcome of one move; a law compares the two.
Order: units by square, each half's moves at its square, a pair's own moves at its first mark.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cached_property

from qchess.games.niels_chess.attempts import Attempt
from qchess.games.niels_chess.book import PROMOTIONS, Book
from qchess.games.niels_chess.coins import collapse, interferes, possible
from qchess.games.niels_chess.effects import outcomes
from qchess.games.niels_chess.move import (
    AGREE,
    DECLINE,
    HADAMARD,
    INVERT,
    JOIN,
    MOVE,
    REMOTE,
    SPLIT,
    TUNNEL,
    Move,
    Z,
)
from qchess.games.niels_chess.safety import Safety
from qchess.games.niels_chess.units import State, Unit, facing, place, tandem

ANSWERS = (Move(AGREE, ()), Move(DECLINE, ()))


def legal_moves(book: Book, state: State) -> list[Move]:
    """Return every legal move of the player to move."""
    if state.offer is not None:
        return list(ANSWERS)
    if state.suicide >= 0:
        return []
    return list(Listing(book, state).moves())


def any_legal_move(book: Book, state: State) -> Move | None:
    """Return one legal move without listing them all; None if there is none."""
    if state.offer is not None:
        return ANSWERS[0]
    if state.suicide >= 0:
        return None
    return next(Listing(book, state).moves(), None)


def random_legal_move(book: Book, state: State, rng: random.Random) -> Move | None:
    """Return a random move of a random piece; None if there is none."""
    if state.offer is not None:
        return rng.choice(ANSWERS)
    if state.suicide >= 0:
        return None
    listing = Listing(book, state)
    origins = list(listing.origins)
    rng.shuffle(origins)
    for square in origins:
        if moves := list(listing.moves_from(square)):
            return rng.choice(moves)
    return None


class Listing(Safety):
    """Lists the moves of a state, piece by piece."""

    def __init__(self, book: Book, state: State) -> None:
        super().__init__(book, state)
        self.names = book.names

    @cached_property
    def joinable(self) -> bool:
        """Tell whether the opponent has a pair."""
        return any(unit is not None and unit.second >= 0 and unit.colour != self.colour for unit in self.men)

    @property
    def origins(self) -> Iterator[int]:
        """Yield the player's squares whose units may move now."""
        if self.state.pending >= 0:
            yield self.state.pending
            return
        colour = self.colour
        for square, unit in enumerate(self.men):
            if unit is not None and unit.colour == colour:
                yield square

    def moves(self) -> Iterator[Move]:
        """Yield every legal move."""
        for square in self.origins:
            yield from self.moves_from(square)

    def moves_from(self, square: int) -> Iterator[Move]:
        """Yield the legal moves from a square."""
        unit = self.men[square]
        assert unit is not None, "moves start from a unit"
        quiet = self.pieces.quiet(self.men, unit, square)
        yield from self._quiet(unit, square, quiet)
        yield from self._captures(unit, square)
        if unit.second >= 0:
            if square == unit.at and self.state.pending < 0:
                yield from self._marks(unit)
            return
        if unit.kind == "K" and self.state.castling:
            yield from self._castlings(unit)
        if quiet:
            yield from self._splits(unit, square, quiet)
            if self.joinable:
                yield from self._joins(unit, square, quiet)
        if self.book.variant.tunnelling and unit.kind in self.pieces.tunnellers:
            yield from self._tunnels(unit, square)

    # -- moves and captures -----------------------------------------------------------------------------

    def _quiet(self, unit: Unit, square: int, quiet: list[int]) -> Iterator[Move]:
        names, start = self.names, self.names[square]
        for to in quiet:
            if self.untouched(unit, square, to) or self.safe_with(unit, unit.moved(square, to)):
                if self.book.promotes(unit, to):
                    for letter in PROMOTIONS:
                        yield Move(MOVE, (start, names[to]), "", letter)
                else:
                    yield Move(MOVE, (start, names[to]))

    def _captures(self, unit: Unit, square: int) -> Iterator[Move]:
        names, start = self.names, self.names[square]
        for to in self.pieces.targets(self.men, unit, square):
            target = self.men[to]
            assert target is not None, "a target is occupied"
            if target.kind == "K" and possible(self.book.variant, unit, square, target, to):
                continue
            if self._capture_is_safe(unit, square, target, to):
                for letter in PROMOTIONS if self.book.promotes(unit, to) else ("",):
                    yield Move(MOVE, (start, names[to]), "", letter)
        if unit.kind == "P" and self.state.ep is not None:
            yield from self._in_passing(unit, square)

    def _capture_is_safe(self, unit: Unit, square: int, target: Unit, to: int) -> bool:
        if unit.second >= 0 or target.second >= 0:
            return self.attempt_is_safe(Attempt(square, to, to))
        if not self.checked and unit is not self.king and square not in self.left:
            return True  # where the target stood, the capturer stands
        return self.safe_with(unit, unit.moved(square, to))

    def _in_passing(self, unit: Unit, square: int) -> Iterator[Move]:
        assert self.state.ep is not None, "only called where a pawn has passed"
        passed, victim = self.state.ep
        if passed not in self.pieces.strikes[unit.colour][square]:
            return
        target = self.men[victim]
        assert target is not None, "what passed still stands"
        if unit.second >= 0 or target.second >= 0:
            safe = self.attempt_is_safe(Attempt(square, passed, victim, 2 * passed - victim))
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
                if self.safe(outcomes(self.book, self.state, move)[0].state.men):  # type: ignore[arg-type]
                    yield move

    # -- superposition, entanglement, tunnelling ----------------------------------------------------------

    def _splits(self, unit: Unit, square: int, quiet: list[int]) -> Iterator[Move]:
        """Yield superpositions: two squares, perhaps including the present one, in every marking."""
        book = self.book
        targets = [(square, to) for to in quiet]
        if not book.variant.slow:
            targets += [(a, b) for k, a in enumerate(quiet) for b in quiet[k + 1 :]]
        fixed = book.marks_fixed(unit)
        for a, b in targets:
            if not book.may_split(unit, a, b):
                continue
            if unit.kind == "K" and book.variant.deterministic:
                yield from self._marked_king(unit, a, b)
            elif self.untouched(unit, -1 if a == square else square, a, b) or self.safe_with(
                unit, Unit(unit.colour, unit.kind, a, b)
            ):
                yield from self._marked(unit, a, b, fixed)

    def _marked(self, unit: Unit, a: int, b: int, fixed: bool) -> Iterator[Move]:
        """Yield every marking of a superposition on two squares."""
        book, names = self.book, self.names
        start = names[unit.at]
        if fixed:
            first = book.farther(unit, a, b)
            orders = [(start, names[first], names[a + b - first])]
        else:
            orders = [(start, names[a], names[b]), (start, names[b], names[a])]
        letters = PROMOTIONS if book.promotes(unit, a, b) else ("",)
        for order in orders:
            for turned in book.facings:
                for letter in letters:
                    yield Move(SPLIT, order, turned, letter)

    def _marked_king(self, unit: Unit, a: int, b: int) -> Iterator[Move]:
        """Yield the markings that keep a king safe in the game without dice, where they decide its place."""
        for move in self._marked(unit, a, b, False):
            first, second = (self.book.numbers[name] for name in move.squares[1:])
            if self.safe_with(unit, Unit(unit.colour, unit.kind, first, second, *facing(move.facing))):
                yield move

    def _joins(self, unit: Unit, square: int, quiet: list[int]) -> Iterator[Move]:
        """Yield entanglements: an arrival, and an opposing pair that one of the two halves then attacks."""
        book = self.book
        for to in quiet:
            if not book.may_join(unit, to):
                continue
            letters = PROMOTIONS if book.promotes(unit, to) else ("",)
            for letter in letters:
                new = Unit(unit.colour, letter or unit.kind, square, to)
                men = list(self.men)
                place(men, new)
                for joined in self._attacked_pairs(men, new):
                    yield from self._joining(unit, new, joined, men, letter)

    def _attacked_pairs(self, men: list[Unit | None], new: Unit) -> list[Unit]:
        hit = self.pieces.threatens(men, new, new.at) + self.pieces.threatens(men, new, new.second)
        found = {other.at: other for to in hit if (other := men[to]) is not None and other.second >= 0}
        return [found[at] for at in sorted(found)]

    def _joining(self, unit: Unit, new: Unit, joined: Unit, men: list[Unit | None], letter: str) -> Iterator[Move]:
        """Yield every marking with which a piece may join a pair."""
        book, names = self.book, self.names
        diag = book.diagonal(self.men, joined)
        if diag is None:
            return
        plain = unit is not self.king
        if plain and not self.untouched(unit, -1, new.second) and not self.safe(men):
            return
        orders = [(new.at, new.second), (new.second, new.at)]
        if book.marks_fixed(unit):
            orders = [order for order in orders if order[0] == book.farther(unit, *order)]
        start, with_ = names[unit.at], names[joined.at]
        for first, second in orders:
            for x in book.turns:
                marked = new._replace(at=first, second=second, x=x, z=joined.z, diag=diag)
                if plain or self._king_joins_safely(men, marked, joined):
                    marks = "op"[x] + "op"[x ^ joined.z]
                    yield Move(JOIN, (start, names[first], names[second], with_), marks, letter)

    def _king_joins_safely(self, men: list[Unit | None], new: Unit, joined: Unit) -> bool:
        after = list(men)
        place(after, joined._replace(diag=new.diag))
        place(after, new)
        return self.safe(after)

    def _tunnels(self, unit: Unit, square: int) -> Iterator[Move]:
        """Yield tunnelling through a piece to the empty square behind; a bounce must leave the king safe too."""
        if self.checked:
            return
        for barrier, to in self.pieces.barriers(self.men, unit, square):
            other = self.men[barrier]
            assert other is not None, "a barrier is occupied"
            if other.second >= 0 or (other.colour == self.colour and self.book.variant.tunnel_barrier != "any"):
                continue
            if self.untouched(unit, square, to) or self.safe_with(unit, unit._replace(at=to)):
                yield Move(TUNNEL, (self.names[square], self.names[to]))

    # -- moves of marks ----------------------------------------------------------------------------------

    def _marks(self, pair: Unit) -> Iterator[Move]:
        variant = self.book.variant
        named = (self.names[pair.at], self.names[pair.second])
        away = self.book.one_away(self.men, pair)
        inverts = away and not variant.simplified and self.book.differs(pair)
        if inverts and self.safe_with(pair, pair._replace(x=1 - pair.x)):
            yield Move(INVERT, named)
        if variant.hadamard:
            yield from self._z_moves(pair, named)
            if away and self._interferes_safely(pair):
                yield Move(HADAMARD, named)
        if variant.remote_collapse and self._may_collapse(pair, named):
            yield Move(REMOTE, named)

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

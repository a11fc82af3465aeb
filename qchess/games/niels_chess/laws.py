"""Laws of the coin form: what must hold in every position, checked by slower and more literal ways.

Each raises `LawError` with one sentence. They are laws of the game, not of one test: `check_game` asks them of
every position that random play meets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from zlib import crc32

from qchess.games.niels_chess import nfen, notation
from qchess.games.niels_chess.attempts import endings
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.coins import chance, odds
from qchess.games.niels_chess.effects import attempt_of, outcomes
from qchess.games.niels_chess.keys import effective
from qchess.games.niels_chess.listing import any_legal_move, legal_moves
from qchess.games.niels_chess.move import AGREE, DECLINE, HADAMARD, INVERT, REMOTE, SPLIT, TUNNEL, Move, Z
from qchess.games.niels_chess.objections import objection
from qchess.games.niels_chess.soundness import fault
from qchess.games.niels_chess.units import Men, State, Unit, king, place, tandem
from qchess.proving.laws import require

#: how many moves a law looks at in one position, and how many coins it tosses in every way
SAMPLE, COINS = 12, 8
#: the denominators of all chances divide this
DENOMINATOR = 36


def hold(book: Book, state: State) -> None:
    """Holds a state to every law."""
    for law in (is_sound, text_reads_back, list_is_right, outcomes_are_right, check_is_right, marks_are_free):
        law(book, state)


def dice(book: Book, state: State) -> random.Random:
    """Chance that is the same whenever the same state is looked at."""
    return random.Random(crc32(nfen.write(book, state).encode()))


def is_sound(book: Book, state: State) -> None:
    """The invariants of positions hold."""
    wrong = fault(book, state)
    require(not wrong, f"{wrong} in {nfen.write(book, state)}")


def text_reads_back(book: Book, state: State) -> None:
    """NFEN and move strings name what they were written from."""
    text = nfen.write(book, state)
    again = nfen.read(book, text, sound=False)
    require(nfen.write(book, again) == text, f"{text} reads back as {nfen.write(book, again)}")
    require(effective(book, again) == effective(book, state), f"{text} reads back as another position")


def list_is_right(book: Book, state: State) -> None:
    """The list holds each legal move once, and no other; one legal move is found iff there is one."""
    moves, where = legal_moves(book, state), nfen.write(book, state)
    listed, rng = set(moves), dice(book, state)
    require(len(listed) == len(moves), f"a move is listed twice in {where}")
    require((any_legal_move(book, state) in listed) or not moves, f"the one legal move of {where} is not in its list")
    for move in rng.sample(moves, min(SAMPLE, len(moves))):
        wrong = objection(book, state, move)
        require(not wrong, f"{move} is listed in {where}, but {wrong}")
        read = notation.read(book, state, str(move)).move
        require(read == move, f"{move} reads back as {read} in {where}")
    for move in strangers(book, state, rng):
        if move not in listed and _is_canonical(book, state, move):
            require(
                bool(objection(book, state, move)), f"{move} is not listed in {where}, but nothing speaks against it"
            )


def strangers(book: Book, state: State, rng: random.Random) -> Iterator[Move]:
    """Moves that may be legal or not: any two or three squares, from those of units first."""
    own = [book.names[k] for k, unit in enumerate(state.men) if unit is not None and unit.colour == state.turn]
    theirs = [book.names[k] for k, unit in enumerate(state.men) if unit is not None and unit.colour != state.turn]
    named = [tuple(book.names[k] for k in pair.squares) for pair in state.pairs]
    for _ in range(SAMPLE):
        start, a, b = rng.choice(own), rng.choice(book.names), rng.choice([*book.names, *own])
        letter = rng.choice(("", "", "Q"))
        yield Move("move", (start, rng.choice((a, *theirs))), "", letter)
        yield Move(TUNNEL, (start, a))
        yield Move(SPLIT, (start, a, rng.choice((b, start))), rng.choice(("oo", "op", "po", "pp")), letter)
        if named:
            joined = rng.choice(named)[0]
            order = rng.choice(((start, a), (a, start)))
            yield Move("join", (start, *order, joined), rng.choice(("oo", "op", "po", "pp")), letter)
            yield Move(rng.choice((INVERT, Z, HADAMARD, REMOTE)), rng.choice(named))
    yield Move(AGREE, ())
    yield Move(DECLINE, ())


def _is_canonical(book: Book, state: State, move: Move) -> bool:
    """Whether the move is written as lists write it."""
    try:
        return notation.read(book, state, str(move)).move == move
    except (ValueError, IndexError):
        return False


def outcomes_are_right(book: Book, state: State) -> None:
    """The chances of a move sum to 1, its outcomes are sound, and an attempt ends as every toss of all coins says."""
    moves, rng, where = legal_moves(book, state), dice(book, state), nfen.write(book, state)
    for move in rng.sample(moves, min(SAMPLE, len(moves))):
        found = outcomes(book, state, move)
        told = f"{move} in {where}"
        require(sum(end.chance for end in found) == 1, f"the chances of {told} do not sum to 1")
        require(len(found) <= (1 if book.variant.deterministic else 4), f"{told} has {len(found)} outcomes")
        for end in found:
            fits = end.chance > 0 and DENOMINATOR % end.chance.denominator == 0
            require(fits, f"{told} has an outcome of chance {end.chance}")
            wrong = fault(book, end.state)
            require(not wrong, f"{told} can lead to {nfen.write(book, end.state)}: {wrong}")
            require(end.state.ply == state.ply + 1, f"{told} does not count as a turn")
        _attempt_is_right(book, state, move, told)


def _attempt_is_right(book: Book, state: State, move: Move, told: str) -> None:
    attempt = attempt_of(book, state, move)
    if attempt is None:
        return
    attacker, target = state.men[attempt.start], state.men[attempt.victim]
    assert attacker is not None, "an attempt has an attacker"
    assert target is not None, "an attempt has a target"
    found = sum((end.chance for end in endings(book.variant, state.men, attempt) if end.captured), Fraction(0))
    told_chance = chance(book.variant, attacker, attempt.start, target, attempt.victim)
    require(found == told_chance, f"{told} succeeds with {found}, its chance is told as {told_chance}")
    if not book.variant.deterministic and _coins(state.men) <= COINS:
        tossed = sum(
            (
                weight
                for weight, at in tosses(book, state.men)
                if at[attacker] == attempt.start and at[target] == attempt.victim
            ),
            Fraction(0),
        )
        require(found == tossed, f"{told} succeeds with {found}, tossing every coin gives {tossed}")


def _coins(men: Men) -> int:
    return len({pair.diag or pair.at for pair in men if pair is not None and pair.is_pair})


def tosses(book: Book, men: Men) -> Iterator[tuple[Fraction, dict[Unit, int]]]:
    """Every way in which all coins can land at once: its chance, and where each unit then is."""
    units = {unit.at: unit for unit in men if unit is not None}
    coins: dict[object, Unit] = {}
    for unit in units.values():
        if unit.is_pair:
            coins.setdefault(unit.diag or unit.at, unit)
    names = list(coins)
    for landed in product((1, 0), repeat=len(names)):
        weight = Fraction(1)
        lands = dict(zip(names, landed, strict=True))
        for name, coin in lands.items():
            major = odds(book.variant, coins[name])
            weight *= major if coin else 1 - major
        yield (
            weight,
            {
                unit: unit.at if not unit.is_pair else (unit.major if lands[unit.diag or unit.at] else unit.minor)
                for unit in units.values()
            },
        )


def check_is_right(book: Book, state: State) -> None:
    """The cheap test of check says what tossing every coin in every way says."""
    if book.variant.deterministic or _coins(state.men) > COINS:
        return
    for colour in (0, 1):
        own = king(state.men, colour)
        assert own is not None, "each side has a king"
        attacks = [(at, k) for k in own.squares for at in book.pieces.attackers(state.men, k, colour)]
        literal = any(
            at == places[attacker] and k == places[own]
            for _, places in (tosses(book, state.men) if attacks else ())
            for at, k in attacks
            for attacker in (state.men[at],)
            if attacker is not None
        )
        cheap = book.in_check(state.men, colour)
        require(cheap == literal, f"check of {colour} in {nfen.write(book, state)}: {cheap}, literally {literal}")
        seen = [at for k in own.squares for at in _attack(book, state.men, colour, k)]
        require(sorted(seen) == sorted(at for at, _ in attacks), f"attackers in {nfen.write(book, state)} differ")


def _attack(book: Book, men: Men, colour: int, square: int) -> list[int]:
    """The attackers of a king's square, each asked what it threatens."""
    return [
        at
        for at, unit in enumerate(men)
        if unit is not None and unit.colour != colour and square in book.pieces.threatens(men, unit, at)
    ]


# -- marks that mean the same ------------------------------------------------------------------------------


def marks_are_free(book: Book, state: State) -> None:
    """Exchanging the diagonals, or the marks of a pair together with its facing, changes nothing in effect."""
    rng = dice(book, state)
    plain = [
        pair for pair in state.pairs if not (book.variant.hadamard or book.variant.simplified or book.marks_fixed(pair))
    ]
    _same(book, state, swapped_diagonals(state), "the diagonals")
    if plain:
        pair = rng.choice(plain)
        _same(book, state, swapped_marks(state, pair), f"the marks of {book.names[pair.at]}")


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


def _same(book: Book, state: State, other: State, what: str) -> None:
    where = nfen.write(book, state)
    require(effective(book, other) == effective(book, state), f"exchanging {what} changes {where}")
    here, there = (legal_moves(book, one) for one in (state, other))
    require(len(here) == len(there), f"exchanging {what} changes the number of moves in {where}")
    pairs = {frozenset(book.names[k] for k in pair.squares) for pair in state.pairs}
    renamed = {_unmarked(book, other, move, pairs): move for move in there}
    rng = dice(book, state)
    for move in rng.sample(here, min(4, len(here))):
        twin = renamed.get(_unmarked(book, state, move, pairs))
        require(twin is not None, f"exchanging {what} loses {move} in {where}")
        assert twin is not None, "just required"
        ours, theirs = (
            {(end.chance, end.rolls, effective(book, end.state)) for end in outcomes(book, one, played)}
            for one, played in ((state, move), (other, twin))
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


__all__ = ["hold", "tandem"]

"""Laws of the coin form, checked in every position by slower and more literal methods.

Each raises `LawError` with one sentence. `check_game` checks them in every position of random play.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from qchess.games.niels_chess import nfen, notation
from qchess.games.niels_chess.attempts import endings
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.case import Case
from qchess.games.niels_chess.coins import chance, odds
from qchess.games.niels_chess.effects import attempt_of
from qchess.games.niels_chess.fast.packing import rows_of
from qchess.games.niels_chess.listing import Listing, any_legal_move
from qchess.games.niels_chess.move import AGREE, DECLINE, HADAMARD, INVERT, REMOTE, SPLIT, TUNNEL, Move, Z
from qchess.games.niels_chess.objections import objection
from qchess.games.niels_chess.soundness import fault
from qchess.games.niels_chess.symmetries import marks_are_free, mirrors_are_fair
from qchess.games.niels_chess.units import Men, State, Unit, king, unit_at
from qchess.proving.laws import require

#: how many moves a law checks in one position, and for how many coins it tries all tosses
SAMPLE, COINS = 12, 8
#: the denominators of all probabilities divide this
DENOMINATOR = 36


def hold(book: Book, state: State) -> None:
    """Check a state against every law."""
    case = Case(book, state)
    for law in LAWS:
        law(case)


def is_sound(case: Case) -> None:
    """Check the invariants of positions."""
    wrong = fault(case.book, case.state)
    require(not wrong, f"{wrong} in {case.text}")


def text_reads_back(case: Case) -> None:
    """Check that NFEN and move strings read back as what they were written from."""
    again = Case(case.book, nfen.read(case.book, case.text, sound=False))
    require(again.text == case.text, f"{case.text} reads back as {again.text}")
    require(again.effective == case.effective, f"{case.text} reads back as another position")


def list_is_right(case: Case) -> None:
    """Check that the list holds each legal move once, and no other; one legal move is found iff there is one.

    Where a kernel lists, the code in Python lists the same moves in the same order.
    """
    book, state, moves, where = case.book, case.state, case.moves, case.text
    if (rows := rows_of(book, state)) is not None:
        clear = Listing(book, state)
        same = clear.moves == moves and clear.checked == rows.checked
        require(same, f"the kernel lists other moves of {where} than the code in Python")
    listed, rng = set(moves), case.dice()
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
    """Yield moves that may be legal or not: any two or three squares, mostly from units."""
    own = [book.names[k] for k, unit in enumerate(state.men) if unit is not None and unit.colour == state.turn]
    castlings = [(book.names[start], book.names[end]) for start, end, _, _ in book.castlings(state)]
    theirs = [book.names[k] for k, unit in enumerate(state.men) if unit is not None and unit.colour != state.turn]
    named = [tuple(book.names[k] for k in pair.squares) for pair in state.pairs]
    for _ in range(SAMPLE):
        start, a, b = rng.choice(own), rng.choice(book.names), rng.choice([*book.names, *own])
        letter = rng.choice(("", "", "Q"))
        yield Move("move", (start, rng.choice((a, *theirs))), "", letter)
        yield Move(TUNNEL, (start, a), "", letter)
        yield Move(SPLIT, (start, a, rng.choice((b, start))), rng.choice(("oo", "op", "po", "pp")), letter)
        if named:
            joined = rng.choice(named)[0]
            order = rng.choice(((start, a), (a, start)))
            yield Move("join", (start, *order, joined), rng.choice(("oo", "op", "po", "pp")), letter)
            yield Move(rng.choice((INVERT, Z, HADAMARD, REMOTE)), rng.choice(named))
    for squares in castlings:
        yield Move("move", squares, "", "Q")
    yield Move(AGREE, ())
    yield Move(DECLINE, ())


def _is_canonical(book: Book, state: State, move: Move) -> bool:
    """Tell whether the move is written as in lists."""
    try:
        return notation.read(book, state, str(move)).move == move
    except (ValueError, IndexError):
        return False


def outcomes_are_right(case: Case) -> None:
    """Check that probabilities sum to 1, outcomes are sound, and an attempt agrees with all coin tosses."""
    book, state = case.book, case.state
    for move in case.sample(SAMPLE):
        found = case.outcomes(move)
        told = f"{move} in {case.text}"
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
    attacker, target = unit_at(state.men, attempt.start), unit_at(state.men, attempt.victim)
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
    """Yield all joint results of the coins: the probability, and where each unit then is."""
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


def check_is_right(case: Case) -> None:
    """Check that the cheap test of check agrees with all coin tosses."""
    book, state = case.book, case.state
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
        require(cheap == literal, f"check of {colour} in {case.text}: {cheap}, literally {literal}")
        seen = [at for k in own.squares for at in _attack(book, state.men, colour, k)]
        require(sorted(seen) == sorted(at for at, _ in attacks), f"attackers in {case.text} differ")


def _attack(book: Book, men: Men, colour: int, square: int) -> list[int]:
    """Return the attackers of a king's square, from what each threatens."""
    return [
        at
        for at, unit in enumerate(men)
        if unit is not None and unit.colour != colour and square in book.pieces.threatens(men, unit, at)
    ]


LAWS: tuple[Callable[[Case], None], ...] = (
    is_sound, text_reads_back, list_is_right, outcomes_are_right, check_is_right, marks_are_free, mirrors_are_fair
)  # fmt: skip

"""Attempted captures: who rolls, in which order, and the board after each result."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import NamedTuple

from qchess.games.niels_chess.coins import collapse, collapsed, interferes, is_unequal, landed, share, share_coin
from qchess.games.niels_chess.units import ONE, Men, Unit, lift, place, tandem, unit_at
from qchess.games.niels_chess.variant import Variant


class Ending(NamedTuple):
    """One way a move can end: its probability, the results of its rolls in order, the units, and if it captured."""

    chance: Fraction
    rolls: tuple[int, ...]
    men: list[Unit | None]
    captured: bool = False
    #: True: the moved unit reached its target
    arrived: bool = True


class Attempt(NamedTuple):
    """An attempted capture: from where to where, and the square where the victim really stands."""

    start: int
    end: int
    victim: int
    #: where a pawn captured en passant is put back if it collapsed to the square passed over
    back: int = -1
    promotion: str = ""


def rollers(variant: Variant, men: Men, attempt: Attempt) -> tuple[Unit, ...]:
    """Return the pairs whose coins decide the attempt, in rolling order: victim's first, except in the no-box game."""
    units = (unit_at(men, square) for square in (attempt.victim, attempt.start))
    pairs = [unit for unit in units if unit.second >= 0]
    if variant.no_box:
        pairs.reverse()
    if len(pairs) == 2 and share_coin(*pairs):
        return (pairs[0],)
    return tuple(pairs)


def stops(variant: Variant, men: Men, attempt: Attempt, first: Unit, coin: int) -> bool:
    """Tell whether the no-box game ends the attempt after the first roll: the attacker is not there."""
    attacker = men[attempt.start]
    if not variant.no_box or first is not attacker:
        return False
    return (first.major if coin else first.minor) != attempt.start


def endings(variant: Variant, men: Men, attempt: Attempt) -> list[Ending]:
    """Return every way the attempt can end, with its exact probability."""
    men = _promoted(variant, men, attempt)
    asked = rollers(variant, men, attempt)
    return [
        settled(after, attempt, _chance(variant, asked, rolls), rolls)
        for rolls, after in _fallen(variant, men, attempt, asked)
    ]


def boards(variant: Variant, men: Men, attempt: Attempt) -> Iterator[Men]:
    """Yield the board after each way the attempt can end."""
    men = _promoted(variant, men, attempt)
    for rolls, after in _fallen(variant, men, attempt, rollers(variant, men, attempt)):
        yield settled(after, attempt, ONE, rolls).men


def _chance(variant: Variant, asked: tuple[Unit, ...], rolls: tuple[int, ...]) -> Fraction:
    """Return the probability of the results of rolls; those of different coins are independent."""
    return _joint(tuple([is_unequal(variant, pair) for pair in asked]), rolls)


@lru_cache(maxsize=64)
def _joint(unequal: tuple[bool, ...], rolls: tuple[int, ...]) -> Fraction:
    """Return the probability of the results of coins, of equal pairs or not."""
    shares = [share(*one) for one in zip(unequal, rolls, strict=False)]
    return prod(shares[1:], start=shares[0]) if shares else ONE


def _fallen(
    variant: Variant, men: Men, attempt: Attempt, asked: tuple[Unit, ...], rolls: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Men]]:
    """Yield the results of the remaining rolls, each with the board on which all coins have landed.

    In the game without dice each pair goes through a Hadamard move instead.
    """
    if not asked:
        yield rolls, men
        return
    first, rest = asked[0], asked[1:]
    if variant.deterministic:
        yield from _fallen(variant, collapse(variant, men, first, interferes(first)), attempt, rest)
        return
    group = tandem(men, first)
    for coin in (1, 0):
        after = landed(variant, men, group, coin)
        left = () if stops(variant, men, attempt, first, coin) else rest
        yield from _fallen(variant, after, attempt, left, (*rolls, coin))


def settled(men: Men, attempt: Attempt, chance: Fraction, rolls: tuple[int, ...]) -> Ending:
    """Return the result after the rolls: a capture, if both stand where they touched."""
    after = list(men)
    attacker, target = after[attempt.start], after[attempt.victim]
    if attacker is None:
        return Ending(chance, rolls, after, arrived=False)
    if target is not None:
        lift(after, target)
    elif attempt.back >= 0 and (passed := after[attempt.end]) is not None:
        lift(after, passed)
        place(after, passed._replace(at=attempt.back))
    lift(after, attacker)
    after[attempt.end] = Unit(attacker.colour, attempt.promotion or attacker.kind, attempt.end)
    return Ending(chance, rolls, after, captured=target is not None)


def _promoted(variant: Variant, men: Men, attempt: Attempt) -> Men:
    """Exchange a pawn pair before the roll, under that reading of the rules."""
    attacker = unit_at(men, attempt.start)
    if not attempt.promotion or variant.promo_on_attempt == "after_roll" or not attacker.is_pair:
        return men
    after = list(men)
    place(after, attacker._replace(kind=attempt.promotion))
    return after


__all__ = ["Attempt", "Ending", "boards", "collapsed", "endings", "rollers", "settled", "stops"]

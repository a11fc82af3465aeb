"""Coins: how pairs collapse, with which odds, and which captures are impossible.

Every un-entangled pair has its own coin, every group one for all its pairs; different coins are independent. So every
probability is a product of a few exact fractions.
"""

from __future__ import annotations

from fractions import Fraction

from qchess.games.niels_chess.units import HALF, ONE, THIRD, TWO_THIRDS, Men, Unit, lift, tandem
from qchess.games.niels_chess.variant import Variant


def odds(variant: Variant, pair: Unit, coin: int = 1) -> Fraction:
    """Return the probability that the coin of a pair lands 1, its major half, or 0."""
    return share(is_unequal(variant, pair), coin)


def is_unequal(variant: Variant, pair: Unit) -> bool:
    """Tell whether one half of a pair is likelier than the other."""
    return pair.z == 1 and not variant.hadamard


def share(unequal: bool, coin: int) -> Fraction:
    """Return the probability that the coin of an unequal pair, or of an equal one, lands so."""
    if not unequal:
        return HALF
    return TWO_THIRDS if coin else THIRD


def collapsed(variant: Variant, pair: Unit, coin: int) -> Unit:
    """Return the piece that a pair becomes when its coin has landed."""
    slow = pair.kind == "P" and variant.double_step == "never_after_split"
    return Unit(pair.colour, pair.kind, pair.major if coin else pair.minor, slow=slow)


def collapse(variant: Variant, men: Men, pair: Unit, coin: int) -> list[Unit | None]:
    """Return the board after the coin of a pair has landed: all pairs that share it become pieces."""
    return landed(variant, men, tandem(men, pair), coin)


def landed(variant: Variant, men: Men, group: list[Unit], coin: int) -> list[Unit | None]:
    """Return the board after the coin of a whole group has landed."""
    after = list(men)
    for other in group:
        lift(after, other)
        piece = collapsed(variant, other, coin)
        after[piece.at] = piece
    return after


def share_coin(first: Unit, second: Unit) -> bool:
    """Tell whether two units are pairs of one group."""
    return bool(first.diag) and first.diag == second.diag


def interferes(pair: Unit) -> int:
    """Return how the coin of a pair certainly lands after a Hadamard move.

    An equal pair comes out on the first mark's square, one with a phase on the second mark's.
    """
    return 1 - (pair.x ^ pair.z)


def chance(variant: Variant, attacker: Unit, start: int, target: Unit, end: int) -> Fraction:
    """Return the probability that a capture of `target` on `end` by the attacker's part on `start` succeeds."""
    if variant.deterministic:
        return ONE if _certainly(attacker, start, target, end) else Fraction(0)
    if not target.is_pair and not attacker.is_pair:
        return ONE
    if share_coin(attacker, target):
        same = (start == attacker.major) == (end == target.major)
        return _share(variant, target, end) if same else Fraction(0)
    return _share(variant, attacker, start) * _share(variant, target, end)


def possible(variant: Variant, attacker: Unit, start: int, target: Unit, end: int) -> bool:
    """Tell whether that probability is greater than zero; used for check and captures of a king."""
    if variant.deterministic:
        return _certainly(attacker, start, target, end)
    if attacker.diag and attacker.diag == target.diag:
        return (start == attacker.major) == (end == target.major)
    return True


def _share(variant: Variant, unit: Unit, square: int) -> Fraction:
    return odds(variant, unit, int(square == unit.major)) if unit.is_pair else ONE


def _certainly(attacker: Unit, start: int, target: Unit, end: int) -> bool:
    """Tell whether a capture without dice succeeds: the target's pair interferes first, then the attacker's."""
    if target.is_pair:
        coin = interferes(target)
        if end != (target.major if coin else target.minor):
            return False
        if share_coin(attacker, target):
            return start == (attacker.major if coin else attacker.minor)
    if not attacker.is_pair:
        return True
    return start == (attacker.major if interferes(attacker) else attacker.minor)

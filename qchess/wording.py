"""Words that all texts share: how likely something is."""

from __future__ import annotations

from math import floor

from qchess.circuits.precision import SAME


def percent(probability: float, decimals: int = 0, *, words: bool = False) -> str:
    """Return a probability between 0 and 1 in percent, rounded to so many decimals; half goes up.

    What is open never reads as 0% or 100%.

    >>> [percent(p) for p in (0.0, 1 / 3, 0.125, 1.0, 1e-6, 0.999)]
    ['0%', '33%', '13%', '100%', '<1%', '>99%']
    >>> percent(0.125, 1), percent(0.5, 1), percent(0.0004, 1)
    ('12.5%', '50%', '<0.1%')
    >>> percent(0.002, words=True), percent(0.995, words=True)
    ('less than 1%', 'more than 99%')
    """
    if probability < SAME:
        return "0%"
    if probability > 1 - SAME:
        return "100%"
    steps: int = 10**decimals
    least = 0.01 / steps
    if probability < least - SAME:
        return f"{'less than ' if words else '<'}{100 * least:g}%"
    if probability > 1 - least + SAME:
        return f"{'more than ' if words else '>'}{100 - 100 * least:g}%"
    return f"{floor(100 * steps * probability + 0.5 + SAME) / steps:g}%"

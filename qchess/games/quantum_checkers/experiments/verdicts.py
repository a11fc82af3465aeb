"""Short texts that compare an experiment with the published figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from qchess.games.quantum_checkers.experiments.complexity import PROFILE, Cell

#: a cell beyond this many standard errors needs an explanation; one in twenty may be beyond
FAR, ALLOWED = 3.0, 1 / 20


def complexity(cells: Sequence[Cell], profile: str) -> str:
    """Return how many cells lie far from the published values, and how far all of them do."""
    lengths = [c for c in cells if c.z is not None and c.reliable]
    if not lengths:
        return "No cell of this run has a published value that could be compared."
    said = [f"Rules: {profile}. {len(lengths)} cells have a published mean length of known origin."]
    if profile != PROFILE:
        said.append(
            f"The published games followed {PROFILE}; under other rules games of levels 1 to 3 last 2 to 3 % longer."
        )
    for draws in (True, False):
        group = [c for c in lengths if c.draws == draws]
        if group:
            said.append(_group(f"Games {'with' if draws else 'without'} draws", [(c, c.z or 0.0) for c in group]))
    rates = [(c, c.z_draw_rate) for c in cells if c.z_draw_rate is not None]
    if rates:
        said.append(_group("Draw rates", rates))
    far = sum(abs(c.z or 0.0) > FAR for c in lengths) + sum(abs(z) > FAR for _, z in rates)
    allowed = math.floor(ALLOWED * (len(lengths) + len(rates)))
    said.append(f"Beyond |z| = {FAR:g}: {far} of {len(lengths) + len(rates)} figures; at most {allowed} may be.")
    return "\n".join(said)


def _group(name: str, figures: Sequence[tuple[Cell, float]]) -> str:
    square, count = math.fsum(z * z for _, z in figures), len(figures)
    worst, z = max(figures, key=lambda pair: abs(pair[1]))
    text = f"{name}: chi-square {square:.1f} for {count} cells (99 % point {chi_square_point(count):.1f}); "
    text += f"largest |z| {abs(z):.2f} at n = {worst.size}, level {worst.level}."
    far = [f"n = {c.size} level {c.level} (z = {z:+.2f})" for c, z in figures if abs(z) > FAR]
    return text + (f" Beyond {FAR:g}: {', '.join(far)}." if far else "")


def chi_square_point(freedom: int, probability: float = 0.99) -> float:
    """Return the point below which a chi-square variable stays with this probability (Wilson and Hilferty's cube).

    >>> round(chi_square_point(28), 1)
    48.3
    """
    part = 2 / (9 * freedom)
    return freedom * (1 - part + NormalDist().inv_cdf(probability) * math.sqrt(part)) ** 3

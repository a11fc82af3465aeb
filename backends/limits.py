"""Checks shared by all our engines: invalid limits, and impossible answers."""

from __future__ import annotations

from qchess.circuits.errors import BackendError, ImpossibleOutcomeError
from qchess.circuits.precision import CERTAIN
from qchess.circuits.predicates import Predicate


def checked_limit(branch_limit: int) -> int:
    """Return the branch limit if it is valid; raises otherwise."""
    if not isinstance(branch_limit, int) or branch_limit < 1:
        raise BackendError(f"a branch limit is a whole number from 1 on, got {branch_limit!r}")
    return branch_limit


def require_possible(probability: float, predicate: Predicate, answer: int) -> None:
    """Raise an error if an answer of this probability cannot be forced."""
    if answer not in (0, 1):
        raise BackendError(f"the answer to '{predicate}' is 0 or 1, got {answer!r}")
    if probability < CERTAIN:
        raise ImpossibleOutcomeError(
            f"the answer {answer} to '{predicate}' has probability {probability:.3g} and cannot be forced"
        )

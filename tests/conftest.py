"""What every test may rely on: seeded property tests, and ``--vectors`` for rule vectors from elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The same examples on every machine and every run; a slow machine is no failure.
settings.register_profile("qchess", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("qchess")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds ``--vectors``; tests read it with ``pytestconfig.getoption("vectors")``."""
    parser.addoption(
        "--vectors",
        metavar="DIR",
        default=None,
        help="also check the rule vectors in this folder, one JSON file a game (write --vectors=DIR)",
    )

"""What every test may rely on: seeded property tests, and ``--vectors`` for rule vectors from elsewhere."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import settings

COUNTER = count()

# The same examples on every machine and every run; a slow machine is no failure.
settings.register_profile("qchess", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("qchess")


@pytest.fixture(autouse=True)
def state_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What programs keep between runs is kept apart for each test."""
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path_factory.getbasetemp() / f"state{next(COUNTER)}"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds ``--vectors``; tests read it with ``pytestconfig.getoption("vectors")``."""
    parser.addoption(
        "--vectors",
        metavar="DIR",
        default=None,
        help="also check the rule vectors in this folder, one JSON file a game (write --vectors=DIR)",
    )

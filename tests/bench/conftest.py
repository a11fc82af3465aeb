"""What tests of the benchmark share, so that it is measured once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.result_files import measure


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a real run, which nobody changes."""
    return measure(tmp_path_factory.mktemp("measured") / "out.jsonl")

"""What every test may rely on: seeded property tests, workers for whole runs, ``--vectors`` for vectors of yours."""

from __future__ import annotations

import gc
import os
import platform
from collections import Counter
from collections.abc import Generator, Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, settings

Reporting = Generator[None, pytest.CollectReport, pytest.CollectReport]
COUNTER = count()
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
# Little is garbage in cycles, and to look for it among all that vendors' packages hold takes a sixth of a run's time.
gc.set_threshold(100_000, 20, 20)
# A worker has a core of its own: libraries that start a thread a core would fight with the other workers.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Tests build with what is installed; a newer pip refuses that together with versions for builds of their own.
os.environ.pop("PIP_BUILD_CONSTRAINT", None)
# Cirq takes gates apart by linear algebra whose last bit, and with it the choice among equal circuits, follows the
# processor's vector units: printed figures are those of one kind, which every newer machine has too.
if platform.machine() in ("x86_64", "AMD64"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

# The same examples on every machine and every run; a slow machine is no failure.
SLOW_IS_FINE = [HealthCheck.too_slow]
settings.register_profile(
    "qchess", derandomize=True, deadline=None, database=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile("qchess")


@pytest.fixture(autouse=True)
def state_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What programs keep between runs is kept apart for each test; no screen has a width unless a test gives it one."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path_factory.getbasetemp() / f"state{next(COUNTER)}"))


@pytest.fixture(scope="module")
def nearby() -> Iterator[None]:
    """Makes the samplers of a file's tests in this process, which loads their packages once."""
    from qchess.backends.devices import subprocess_sampler
    from tests.nearby import Nearby

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess_sampler, "Child", Nearby)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Gives a run of everything a worker a core; what somebody names runs in this process, where it starts at once."""
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    return cores() if whole else 0


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Reporting:
    """Lets every second worker read from the last file on: what one has compiled, the other need not compile again."""
    report = yield
    if isinstance(collector, pytest.Directory) and WORKER.endswith(("1", "3", "5", "7", "9")):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives all workers one order, whichever way they read; whatever opens a browser is slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    if WORKER:
        items.sort(key=lambda item: str(item.path))


def pytest_collection_finish() -> None:
    """Leaves out, whenever garbage is looked for, what lives as long as the run does."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds ``--vectors``; tests read it with ``pytestconfig.getoption("vectors")``."""
    parser.addoption(
        "--vectors",
        metavar="DIR",
        default=None,
        help="also check the rule vectors in this folder, one JSON file a game (write --vectors=DIR)",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says in one line what was left out, and what it needs."""
    reports = terminalreporter.getreports("skipped")
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)
    if reasons:
        told = "; ".join(f"{count} ({reason})" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"left out: {told}")

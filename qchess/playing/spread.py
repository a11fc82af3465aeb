"""Spread work over processes or machines; the results do not depend on where it was done.

``workers`` counts processes on this machine; ``cluster`` is the address of a Dask scheduler (extra ``dask``), or
``local-cluster``. Both are used through `concurrent.futures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from qchess.errors import InvalidMoveError
from qchess.playing.workers import pool

J = TypeVar("J")
R = TypeVar("R")
#: how many jobs wait for every worker
AHEAD = 3


def spread(
    work: Callable[[J], R], jobs: Iterable[J], *, workers: int = 1, cluster: str | None = None
) -> Iterator[tuple[J, R]]:
    """Yield each job with its result, as they finish; with one worker in this process, in order."""
    with team(workers, cluster) as found:
        yield from found.spread(work, jobs)


class Team:
    """Workers that are ready: processes, or threads of a cluster; without an executor this process alone.

    `done_by` is called on the worker, with the work and the job.
    """

    def __init__(
        self, executor: Executor | None = None, size: int = 1, done_by: Callable[..., Any] | None = None
    ) -> None:  # fmt: skip
        self.executor, self.size, self.done_by = executor, size, done_by

    @property
    def is_here(self) -> bool:
        """Tell whether this process does the work."""
        return self.executor is None

    def spread(self, work: Callable[[J], R], jobs: Iterable[J]) -> Iterator[tuple[J, R]]:
        """Yield each job with its result, as they finish; in this process, in order."""
        if self.executor is None:
            return ((job, work(job)) for job in jobs)
        there = partial(self.done_by, work) if self.done_by else work
        return _flow(self.executor, self.size * AHEAD, there, iter(jobs))


@contextmanager
def team(workers: int = 1, cluster: str | None = None) -> Iterator[Team]:
    """Yield a team, which is gone at the end; a cluster of others stays."""
    if workers < 1:
        raise InvalidMoveError(f"expected at least one worker; got {workers!r}")
    if cluster is not None:
        from qchess.playing.cluster import connected, only_if_same, versions

        with connected(cluster, workers) as (executor, threads):
            yield Team(executor, threads, partial(only_if_same, versions()))
    elif workers > 1:
        with pool(workers) as executor:
            yield Team(executor, workers)
    else:
        yield Team()


def _flow(executor: Executor, most: int, work: Callable[[J], R], jobs: Iterator[J]) -> Iterator[tuple[J, R]]:
    """Keep `most` jobs running; when the caller stops, jobs not yet begun are cancelled."""
    under_way: dict[Future[R], J] = {}
    try:
        while True:
            for job in islice(jobs, most - len(under_way)):
                under_way[executor.submit(work, job)] = job
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                yield under_way.pop(future), future.result()
    finally:
        for future in under_way:
            future.cancel()

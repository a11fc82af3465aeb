"""Spread work over processes or machines; the results do not depend on where it was done.

``workers`` counts processes on this machine; ``cluster`` is the address of a Dask scheduler (extra ``dask``), or
``local-cluster``. Both are used through `concurrent.futures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

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
    if workers < 1:
        raise InvalidMoveError(f"expected at least one worker; got {workers!r}")
    if workers == 1 and cluster is None:
        yield from ((job, work(job)) for job in jobs)
        return
    with _executor(workers, cluster) as (executor, hands):
        yield from _flow(executor, hands * AHEAD, work, iter(jobs))


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


@contextmanager
def _executor(workers: int, cluster: str | None) -> Iterator[tuple[Executor, int]]:
    """Yield the executor and its number of workers."""
    if cluster is None:
        with pool(workers) as executor:
            yield executor, workers
        return
    from qchess.arena.cluster import connected

    with connected(cluster, workers) as found:
        yield found

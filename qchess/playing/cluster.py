"""A Dask cluster as an executor: it is checked before work begins, and what goes wrong is told in one sentence."""

from __future__ import annotations

import asyncio
import platform
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from qchess.errors import BackendError, MissingExtraError
from qchess.version import __version__

J = TypeVar("J")
R = TypeVar("R")
#: instead of an address: a cluster on this machine, for as long as the work takes
LOCAL = "local-cluster"
#: seconds until a scheduler has answered
ANSWERS_WITHIN = 10
GO_ON = "what is finished is kept, and the same command goes on from there"


@cache
def versions() -> dict[str, str]:
    """Return what decides results: this package, how its kernels run, Python and NumPy."""
    import numpy

    from qchess.circuits.kernels.library import CLEAR, report

    ours = [library for library in report(every=True) if library.module.startswith("qchess.")]
    clear = [library.module for library in ours if library.way == CLEAR]
    return {
        "qchess": f"{__version__} (source {_source()})",
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "NumPy": numpy.__version__,
        "kernels": f"not compiled ({', '.join(clear)})" if clear else "compiled",
    }


def _source() -> str:
    """Return a hash of the package's Python files, the same for a checkout and a wheel."""
    found: dict[str, bytes] = {}
    for package in ("qchess", "qchess.circuits", "qchess.backends"):
        home = Path(import_module(package).__path__[0])
        for path in home.rglob("*.py"):
            text = path.read_bytes().replace(b"\r\n", b"\n")
            found["/".join((*package.split("."), *path.relative_to(home).parts))] = text
    digest = sha256()
    for name, text in sorted(found.items()):
        digest.update(f"{name} {sha256(text).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


def difference(found: Mapping[str, object], here: Mapping[str, str]) -> str | None:
    """Return in one sentence why the first of these workers, by name, would not give the results of this process.

    For each worker `found` holds its versions, or the exception raised instead.
    """
    for worker, has in sorted(found.items()):
        if isinstance(has, ImportError) or "No module named" in str(has):
            return f"the worker {worker} cannot import qchess as it is here ({has}): install the same on both"
        if not isinstance(has, Mapping):
            return f"the worker {worker} cannot say which versions it has: {has}"
        other = [
            f"{name} {has.get(name, 'none')}, here {value}" for name, value in here.items() if has.get(name) != value
        ]
        if other:
            return f"the worker {worker} has {'; '.join(other)}: install the same on both"
    return None


def only_if_same(here: Mapping[str, str], work: Callable[[J], R], job: J) -> R:
    """Do a job on a worker, which may have joined after all were asked: it refuses if its results may be others."""
    if said := difference({f"on {platform.node()}": versions()}, here):
        raise BackendError(f"{said}; {GO_ON}")
    return work(job)


@contextmanager
def connected(address: str, workers: int) -> Iterator[tuple[Executor, int]]:
    """Yield an executor on a cluster whose workers are like this process, and the number of their threads."""
    with ExitStack() as stack:
        distributed = stack.enter_context(_quiet_dask())
        if address == LOCAL:
            local = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0"
            )
            address = stack.enter_context(local).scheduler_address
        _require_scheduler(distributed, address)
        client = stack.enter_context(distributed.Client(address, timeout=ANSWERS_WITHIN))
        threads = client.nthreads()
        if not threads:
            raise BackendError(f"the Dask scheduler at {address} has no workers; start one: dask worker {address}")
        said = difference(client.run(versions, on_error="return"), versions())
        if said:
            raise BackendError(f"{said}; nothing has begun")
        try:
            yield client.get_executor(pure=False), sum(threads.values())
        except (CancelledError, distributed.comm.CommClosedError) as error:
            raise BackendError(f"the Dask scheduler at {address} is gone: {GO_ON}") from error
        except distributed.KilledWorker as error:
            raise BackendError(f"a job has ended every worker that tried it ({error}): {GO_ON}") from error


@contextmanager
def _quiet_dask() -> Iterator[Any]:
    """Yield Dask, which logs and warns of nothing meanwhile; what matters becomes an error."""
    try:
        import dask

        with dask.config.set({"logging": {"distributed": "critical", "distributed.client": "critical"}}):
            import distributed
    except ImportError as error:
        raise MissingExtraError("a cluster needs Dask: pip install 'qchess[dask]'") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield distributed


def _require_scheduler(distributed: Any, address: str) -> None:
    """Refuse an address at which no Dask scheduler answers; Dask itself would wait for ever for another server."""
    expected = f"expected the address of a Dask scheduler, such as tcp://host:8786, or {LOCAL}"
    try:
        with ThreadPoolExecutor(1) as thread:  # the caller's thread may have an event loop, as in a notebook
            kind = thread.submit(asyncio.run, _kind(distributed, address)).result()
    except ValueError as error:
        raise BackendError(f"{expected}; got {address!r} ({error})") from error
    except Exception as error:  # another kind of server may say anything, and Dask reads it as lengths and pickles
        raise BackendError(f"no Dask scheduler answers at {address} within {ANSWERS_WITHIN} s; {expected}") from error
    if kind != "Scheduler":
        raise BackendError(f"{expected}; at {address} is a {kind}")


async def _kind(distributed: Any, address: str) -> Any:
    async def asked() -> Any:
        async with distributed.rpc(
            address, connection_args=distributed.Security().get_connection_args("client")
        ) as server:
            return (await server.identity())["type"]

    return await asyncio.wait_for(asked(), ANSWERS_WITHIN)

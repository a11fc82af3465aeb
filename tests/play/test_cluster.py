"""Work on a Dask cluster, of real processes: the same results as here, and one sentence for what can go wrong."""

from __future__ import annotations

import dataclasses
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from qchess import bench
from qchess.arena.plan import Plan
from qchess.arena.resultfile import read
from qchess.arena.tournament import run
from qchess.bench.running import runner, schema
from qchess.bench.running.results import Results
from qchess.circuits.locks import taken
from qchess.errors import BackendError, MissingExtraError
from qchess.games.quantum_checkers.experiments import complexity
from qchess.playing.cluster import LOCAL, difference, versions
from qchess.playing.measuring import measure
from qchess.playing.spread import spread, team
from tests.forks import Forks
from tests.patience import wait_until
from tests.play.test_measuring import two_questions, without_times

NUMBERS = count()
SMALL = Plan("tests.toygame:Toy", ("random", "greedy", "mcts@20"), rounds=2, seed=7)
HERE = {"qchess": "0.1.0 (source aa)", "Python": "3.12", "NumPy": "2.1.0", "kernels": "compiled"}

#: a scheduler or a worker, which writes its address into a file
SERVER = """
import asyncio, os, sys
from distributed import Scheduler, Worker
async def serve(file, kind, *scheduler):
    if kind == "another":
        import qchess.playing.cluster as cluster
        other = {**cluster.versions(), "NumPy": "1.0"}
        cluster.versions = lambda: other
    if kind == "without":
        sys.modules["qchess"] = None
    if kind == "scheduler":
        server = Scheduler(host="127.0.0.1", port=0, dashboard=False)
    else:
        server = Worker(*scheduler, host="127.0.0.1", nthreads=1, dashboard=False)
    async with server:
        with open(file + ".part", "w") as draft:
            draft.write(server.address)
        os.replace(file + ".part", file)
        await server.finished()
sys.path[:0] = sys.argv.pop().split(os.pathsep)
asyncio.run(serve(*sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Processes of a cluster begin with Dask loaded; with the module they end."""
    pytest.importorskip("distributed", reason="needs Dask, of the extra `dask`")
    made = Forks(tmp_path_factory.mktemp("cluster"), "distributed", "networkx", "llvmlite.binding")
    yield made
    made.close()


class Server:
    """A process of a cluster, and its address."""

    def __init__(self, forks: Forks, *arguments: str) -> None:
        file = forks.folder / str(next(NUMBERS))
        self.pid = forks.start(SERVER, str(file), *arguments, os.pathsep.join(map(os.path.abspath, sys.path)))
        wait_until(file.exists, f"{arguments} has begun")
        self.address, self.is_killed = file.read_text(), False

    @property
    def lives(self) -> bool:
        """Tell whether it has not ended, by itself or killed."""
        return bool(Path(f"/proc/{self.pid}/cmdline").read_bytes())

    def kill(self) -> None:
        """End it without warning."""
        if not self.is_killed:
            os.kill(self.pid, signal.SIGKILL)
        self.is_killed = True


Cluster = Callable[..., AbstractContextManager[tuple[Server, list[Server]]]]


@pytest.fixture
def cluster(forks: Forks) -> Cluster:
    """Start a scheduler and workers of these kinds."""

    @contextmanager
    def started(*kinds: str) -> Iterator[tuple[Server, list[Server]]]:
        with ExitStack() as stack:
            scheduler = Server(forks, "scheduler")
            stack.callback(scheduler.kill)
            workers = []
            for kind in kinds:
                workers.append(Server(forks, kind, scheduler.address))
                stack.callback(workers[-1].kill)
            yield scheduler, workers

    return started


def test_workers_like_this_process_are_accepted() -> None:
    assert difference({"tcp://a:1": dict(HERE), "tcp://b:1": dict(HERE)}, HERE) is None
    assert difference({"here": versions()}, versions()) is None


@pytest.mark.parametrize("what", HERE)
def test_a_worker_with_another_version_is_named_in_one_sentence(what: str) -> None:
    found = {"tcp://a:1": dict(HERE), "tcp://b:1": {**HERE, what: "another"}}
    said = f"the worker tcp://b:1 has {what} another, here {HERE[what]}: install the same on both"
    assert difference(found, HERE) == said


def test_a_worker_without_qchess_is_named_in_one_sentence() -> None:
    said = difference({"tcp://a:1": ModuleNotFoundError("No module named 'qchess'")}, HERE)
    assert said == (
        "the worker tcp://a:1 cannot import qchess as it is here (No module named 'qchess'): install the same on both"
    )
    other = difference({"tcp://a:1": RuntimeError("broken")}, HERE)
    assert other == "the worker tcp://a:1 cannot say which versions it has: broken"


def test_without_dask_one_sentence_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(MissingExtraError, match=r"qchess\[dask\]"):
        run(SMALL, tmp_path / "a", cluster=LOCAL)


@pytest.mark.slow
def test_two_workers_of_a_cluster_give_the_files_that_one_process_gives(tmp_path: Path, cluster: Cluster) -> None:
    setting = complexity.Setting(sizes=(5,), levels=(0, 2), games=300, seed=3)
    run(SMALL, tmp_path / "here")
    complexity.run(setting, tmp_path / "figures here")
    with cluster("worker", "worker") as (scheduler, _):
        run(SMALL, tmp_path / "there", cluster=scheduler.address)
        complexity.run(setting, tmp_path / "figures there", cluster=scheduler.address)
    run(SMALL, tmp_path / "local", cluster=LOCAL, workers=2)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes() == (tmp_path / "local").read_bytes()
    assert (tmp_path / "figures here").read_bytes() == (tmp_path / "figures there").read_bytes()


def compared(found: Results) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the runs of a benchmark without times, memory, and the machine."""
    left_out = {"lower", "desk", "first", "read", "sample", "warm", "new", "memory", "load", "machine", "remarks"}
    return {key: {name: run[name] for name in run.keys() - left_out} for key, run in found.runs.items()}


@pytest.mark.long
def test_a_benchmark_and_a_trial_of_devices_on_four_workers_give_what_one_process_gives(
    tmp_path: Path, cluster: Cluster
) -> None:
    """Four workers, of which one is killed after the first result; each row of the benchmark has its machine."""
    devices = ("aer-noisy,shots=20", "sparse-shots")
    simulators, made = ("sparse", "cirq"), [bench.family("cat", n) for n in (2, 3, 4)]
    here = bench.measure(made, simulators, seconds=100, warm=0, path=tmp_path / "here")
    measure(two_questions(), devices, tmp_path / "measured here", seed=5)
    with (
        cluster("worker", "worker", "worker", "worker") as (scheduler, workers),
        team(cluster=scheduler.address) as four,
    ):
        killed: list[str] = []

        def told(done: int, total: int) -> None:
            if done and not killed:
                workers[0].kill()
                killed.append(workers[0].address)

        there = runner.run(here.plan, made, tmp_path / "there", told, four)
        assert runner.machine_of(four) == here.plan.machine
        measure(two_questions(), devices, tmp_path / "measured there", seed=5, cluster=scheduler.address)
    assert killed
    assert schema.checked(tmp_path / "there")[1] == []
    assert there.plan == here.plan
    assert compared(there) == compared(here)
    assert all(run["machine"] == here.plan.machine for run in there.runs.values())
    assert without_times(tmp_path / "measured here") == without_times(tmp_path / "measured there")


@pytest.mark.slow
def test_a_worker_that_joins_later_is_asked_for_its_versions(tmp_path: Path, cluster: Cluster, forks: Forks) -> None:
    plan = dataclasses.replace(SMALL, rounds=20)
    with cluster("worker") as (scheduler, _), ExitStack() as stack:

        def told(done: int, total: int) -> None:
            if done == 1:
                stack.callback(Server(forks, "another", scheduler.address).kill)

        with pytest.raises(
            BackendError,
            match=r"the worker on .* has NumPy 1.0, here .*; what is finished is kept",
        ):
            run(plan, tmp_path / "a", cluster=scheduler.address, told=told)
    assert 1 <= len(read(tmp_path / "a")[1]) < plan.games


def ends_its_worker_once(folder: Path, job: int) -> int:
    """Note each attempt; at the first one of job 5 its worker ends without warning."""
    with (folder / str(job)).open("a") as file:
        file.write(".")
    if job == 5 and (folder / "5").stat().st_size == 1:
        os._exit(1)
    return job * job


@pytest.mark.slow
def test_the_job_of_a_worker_that_ends_is_done_by_another(tmp_path: Path, cluster: Cluster) -> None:
    with cluster("worker", "worker") as (scheduler, workers):
        found = list(spread(partial(ends_its_worker_once, tmp_path), range(20), cluster=scheduler.address))
        assert sorted(found) == [(job, job * job) for job in range(20)]
        assert (tmp_path / "5").stat().st_size == 2
        assert sorted(worker.lives for worker in workers) == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize("killed", ["a worker", "the scheduler"])
def test_what_is_finished_stays_when_a_part_of_the_cluster_is_killed(
    killed: str, tmp_path: Path, cluster: Cluster
) -> None:
    plan, file = dataclasses.replace(SMALL, rounds=6), tmp_path / "there"
    run(plan, tmp_path / "here")
    with cluster("worker", "worker") as (scheduler, workers):
        victim = scheduler if killed == "the scheduler" else workers[0]

        def told(done: int, total: int) -> None:
            if done == 3:
                victim.kill()

        if victim is scheduler:
            with pytest.raises(BackendError, match=r"is gone: what is finished is kept, and the same command goes on"):
                run(plan, file, cluster=scheduler.address, told=told)
            assert 3 <= len(read(file)[1]) < plan.games
        else:
            run(plan, file, cluster=scheduler.address, told=told)
    run(plan, file)
    assert file.read_bytes() == (tmp_path / "here").read_bytes()


#: plays a tournament on a cluster until three games are done, and then waits for its end
CLIENT = """
import sys, os, time
sys.path[:0] = sys.argv.pop().split(os.pathsep)
from pathlib import Path
from qchess.arena.tournament import run
from tests.play.test_cluster import LONG
file, address = sys.argv[1:]
run(LONG, Path(file), cluster=address, told=lambda done, total: time.sleep(1000 if done == 3 else 0))
"""
LONG = dataclasses.replace(SMALL, rounds=6)


def is_free(path: Path) -> bool:
    """Whether nobody holds the file."""
    with path.open("a+b") as file:
        return taken(file)


@pytest.mark.slow
def test_what_is_finished_stays_when_the_client_is_killed(tmp_path: Path, cluster: Cluster, forks: Forks) -> None:
    """The cluster stays, with the jobs of the client under way; another one goes on at once."""
    file = tmp_path / "there"
    run(LONG, tmp_path / "here")
    with cluster("worker", "worker") as (scheduler, workers):
        path = os.pathsep.join(map(os.path.abspath, sys.path))
        client = forks.start(CLIENT, str(file), scheduler.address, path)
        wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= 4, "three games are done")
        os.kill(client, signal.SIGKILL)
        wait_until(lambda: is_free(file), "the last thread of the client has ended")
        finished = file.read_bytes()
        assert len(read(file)[1]) == 3
        played: list[int] = []
        run(LONG, file, cluster=scheduler.address, told=lambda done, total: played.append(done))
        assert all(worker.lives for worker in workers)
    assert played[0] == 3
    assert file.read_bytes().startswith(finished[: finished.index(b"\n")])
    assert file.read_bytes() == (tmp_path / "here").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ((), "has no workers; start one: dask worker tcp://"),
        (("worker", "another"), "NumPy 1.0, here .*; nothing has begun"),
        (("without",), "cannot import qchess as it is here .*; nothing has begun"),
    ],
)  # fmt: skip
def test_a_cluster_that_cannot_give_the_same_results_is_refused(
    kinds: tuple[str, ...], said: str, tmp_path: Path, cluster: Cluster
) -> None:
    with cluster(*kinds) as (scheduler, _), pytest.raises(BackendError, match=said):
        run(SMALL, tmp_path / "a", cluster=scheduler.address)
    assert not (tmp_path / "a").exists()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["nonsense", "http://here", "tcp://127.0.0.1:port"])
def test_an_address_that_is_none_is_refused(address: str, forks: Forks) -> None:
    with pytest.raises(BackendError, match="expected the address of a Dask scheduler"):
        list(spread(abs, [1], cluster=address))


@contextmanager
def greets(said: bytes | None) -> Iterator[str]:
    """Yield the address of a server that says this to everybody, or keeps silent; without an answer nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept = []

        def serve() -> None:
            while True:
                try:
                    kept.append(server.accept()[0])
                except OSError:
                    return
                if said:
                    kept[-1].sendall(said)

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        for other in kept:
            other.close()


@pytest.mark.slow
@pytest.mark.parametrize("greeting", [None, b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 99])
def test_another_kind_of_server_is_refused(
    greeting: bytes | None, monkeypatch: pytest.MonkeyPatch, forks: Forks
) -> None:
    monkeypatch.setattr("qchess.playing.cluster.ANSWERS_WITHIN", 1)
    with greets(greeting) as address, pytest.raises(BackendError, match=f"no Dask scheduler answers at {address}"):
        list(spread(abs, [1], cluster=address))


@pytest.mark.slow
def test_where_nobody_listens_or_a_worker_does_is_refused(monkeypatch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    with cluster("worker") as (_, (worker,)), pytest.raises(BackendError, match=f"at {worker.address} is a Worker"):
        list(spread(abs, [1], cluster=worker.address))
    monkeypatch.setattr("qchess.playing.cluster.ANSWERS_WITHIN", 1)
    with pytest.raises(BackendError, match="no Dask scheduler answers"):
        list(spread(abs, [1], cluster=worker.address))

"""Samplers in a separate process that can be stopped, so that a late simulation ends at once.

The process is started with the path of a maker, ``"package.module:function"``, and its options. It makes the
sampler, reports its name and capabilities, and runs circuits until its input ends. The heavy library and memory
of the sampler stay in that process.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

from qchess.backends.devices.sampler import Capabilities, Shots, Shown
from qchess.circuits.errors import BackendError
from qchess.circuits.program import Program

#: the path is passed first, so that the process imports the same qchess
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {module} import serve; serve()"


class StoppedError(BackendError):
    """The process of a sampler ended before it had answered."""


class Apart:
    """A sampler whose work is done in another process, and can be stopped.

    The process starts at once, to be ready in time; after a `stop` or a crash the next call starts a new one.
    """

    def __init__(self, maker: str, options: Mapping[str, Any] | None = None) -> None:
        self._order = (maker, dict(options or {}))
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._hello: tuple[str, Capabilities] | None = None
        self._begin()

    @property
    def name(self) -> str:
        """Return the machine's name for players."""
        return self.ready()[0]

    @property
    def capabilities(self) -> Capabilities:
        """Return what the machine can do."""
        return self.ready()[1]

    def ready(self) -> tuple[str, Capabilities]:
        """Return name and capabilities, once the process has made its sampler; raises its error if it could not."""
        with self._lock:
            return self._ready()

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Sequence[Shots]:
        """Return the shots of each circuit, in order."""
        runs: Sequence[Shots] = self._call("run", circuits, shots, seed)
        return runs

    def expected_fidelity(self, circuits: Sequence[Program]) -> Sequence[float] | None:
        """Return the expected fidelity of each circuit; None if unknown."""
        told: Sequence[float] | None = self._call("expected_fidelity", circuits)
        return told

    def expected_seconds(self, circuits: Sequence[Program], shots: int) -> tuple[float, float] | None:
        """Return the expected seconds of use of a job, and the fixed part of them; None if unknown."""
        told: tuple[float, float] | None = self._call("expected_seconds", circuits, shots)
        return told

    def show(self, circuits: Sequence[Program]) -> Sequence[Shown] | None:
        """Return the circuits as the machine would get them; None if unknown."""
        shown: Sequence[Shown] | None = self._call("show", circuits)
        return shown

    def preflight(
        self, circuits: Sequence[Program], shots: int, seed: int | None, most: int | None = None
    ) -> Mapping[str, Any] | None:
        """Move the circuits away from bad qubits; None if the sampler has no qubits to test."""
        told: Mapping[str, Any] | None = self._call("preflight", circuits, shots, seed, most)
        return told

    def read_out_errors(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Any:
        """Return how often each bit of each answer is misread; None if the sampler has no qubits to test."""
        return self._call("read_out_errors", circuits, shots, seed)

    def shots_given(self, shots: int) -> int:
        """Return how many shots of a circuit come if this many are requested."""
        told: int | None = self._call("shots_given", None, shots)
        return shots if told is None else told

    def _call(self, method: str, circuits: Sequence[Program] | None, *others: Any) -> Any:
        with self._lock:
            self._ready()
            process = self._process
            assert process is not None, "a ready sampler has a process"
            _send(process.stdin, (method, None if circuits is None else tuple(circuits), others))
            return self._receive(process)

    def stop(self) -> None:
        """End the process, whatever it is doing; a new one starts at the next call."""
        if self._process is not None:
            _killed(self._process)

    def _begin(self) -> None:
        self._hello = None
        self._process = _started()
        # also when this interpreter ends, in whatever order things go then: the process first, so that nobody reads on
        self._end = weakref.finalize(self, _ended, self._process)
        _send(self._process.stdin, self._order)

    def _ready(self) -> tuple[str, Capabilities]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._begin()
        if self._hello is None:
            assert self._process is not None, "it was just begun"
            self._hello = self._receive(self._process)
        return self._hello

    def _receive(self, process: subprocess.Popen[bytes]) -> Any:
        assert process.stdout is not None, "it was opened with a pipe"
        try:
            done, what = pickle.load(process.stdout)
        except (EOFError, pickle.UnpicklingError) as error:
            code = process.wait()
            raise StoppedError(f"the process of {self._order[0]} ended ({_how(code)}) without an answer") from error
        if done:
            return what
        raise what

    def close(self) -> None:
        """End the process until the next call, if there is one."""
        self._end()
        self._process = None


def _started() -> subprocess.Popen[bytes]:
    start = _START.format(module=__name__)
    command = [sys.executable, "-c", start, json.dumps([os.path.abspath(p or os.curdir) for p in sys.path])]  # noqa: PTH100
    # a session of its own: Ctrl-C at the terminal is for this process, which then stops that one
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def _killed(process: subprocess.Popen[bytes]) -> None:
    """End a process, whatever it is doing."""
    if process.poll() is None:
        process.kill()
        process.wait()


def _ended(process: subprocess.Popen[bytes]) -> None:
    """End a process and close its pipes."""
    _killed(process)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # what was still to be sent has nobody to read it
                pipe.close()


def serve() -> None:
    """Run in the process: make the sampler, then answer until the input ends.

    What the sampler prints goes to the error output; the pipe carries answers only.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    gc.disable()  # what a vendor's package loads is no garbage, and to look for some takes a fifth of the time
    for told in answered(iter(lambda: _next(sys.stdin.buffer), None)):
        _send(answers, told)


def answered(orders: Iterator[Any]) -> Iterator[tuple[bool, Any]]:
    """Make the sampler that is ordered first, then run what is ordered; with each answer, or error, which it is."""
    maker, options = next(orders)

    def made() -> Any:
        module, _, function = maker.partition(":")
        sampler = getattr(import_module(module), function)(**options)
        gc.enable()
        return sampler, (sampler.name, sampler.capabilities)

    try:
        sampler, hello = made()
    except Exception as error:  # noqa: BLE001 (sent to whoever asked, and raised there)
        yield False, _sendable(error)
        return
    yield True, hello
    for method, circuits, others in orders:
        fresh = [] if circuits is None else [[Program(*each.steps) for each in circuits]]  # hashes do not travel
        try:
            asked = getattr(sampler, method, None)
            told = True, None if asked is None else asked(*fresh, *others)
        except Exception as error:  # noqa: BLE001 (sent to whoever asked, and raised there)
            told = False, _sendable(error)
        yield told


def _next(pipe: IO[bytes]) -> Any:
    try:
        return pickle.load(pipe)
    except EOFError:
        return None


def _send(pipe: IO[bytes] | None, value: Any) -> None:
    assert pipe is not None, "it was opened with a pipe"
    try:
        pipe.write(pickle.dumps(value))  # whole or not at all
        pipe.flush()
    except BrokenPipeError as error:
        raise StoppedError("the process of a sampler has ended and cannot take more circuits") from error


def _sendable(error: Exception) -> Exception:
    """Return the error itself if it can be pickled, otherwise its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 (a vendor's exception may do anything when it is copied)
        return BackendError(f"{type(error).__name__}: {error}")
    return error


def _how(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"exit status {code}"

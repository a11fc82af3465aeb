"""One child process with limits: it answers questions, and is killed when it is late.

    child = Child("package.module:function", "an argument")
    answer = child.ask("a question", seconds=2.0)
    child.close()

In the child the function is imported and called with the arguments; what it returns is called with each question, by
the main thread. Its errors are raised where the question was asked, and what it prints goes to the error output.

A child ends when it is late or killed, whatever it is doing; when it is closed, as a program ends; and when its parent
is gone. Then even a busy one ends at once, as a thread of it waits for the end of the pipe, unless what is called lets
no other thread run. A late child is killed, and so its pipe ends: not every system can wait for a pipe with a limit.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from math import inf
from pkgutil import resolve_name
from queue import SimpleQueue
from typing import Any

from qchess.circuits.errors import BackendError

#: seconds for a child to get ready: it may have to compile
START_SECONDS = 300.0
#: seconds for a child to end by itself; and the most between two looks at its limits
GRACE, LOOK_SECONDS = 10.0, 0.1
#: the kind of a process's clock in Linux's clock number
PROCESS_CLOCK = 2
#: the path is passed first, so that the child imports the same modules
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {} import serve; serve({})"


class ChildError(BackendError):
    """A child process gave no answer; the message says how it ended."""


class Child:
    """A process that answers one question at a time, started at once. Any thread may ask, and any may end it.

    One that `forks` must end what it forked when its pipe ends: there no thread reads the questions, which stay at
    descriptor 0, and whoever kills it first lets it end by itself.
    """

    def __init__(
        self, target: str, *arguments: Any, environment: Mapping[str, str] | None = None, forks: bool = False
    ) -> None:
        self.target, self._forks = target, forks
        #: processor seconds of the last question, even if unanswered; and its bytes with those of the answer
        self.seconds, self.size = 0.0, 0
        #: the last question was stopped because it had used its processor seconds
        self.spent = False
        self._ready, self._why, self._had = False, "", 0.0
        self._asking, self._ending = threading.Lock(), threading.RLock()
        #: the limits of the present question: seconds, until when, processor seconds, how many in all
        self._limits: tuple[float, float, float, float] | None = None
        self._is_watched = False
        path = json.dumps([os.path.abspath(place or os.curdir) for place in sys.path])  # noqa: PTH100
        # a session of its own: Ctrl-C at the terminal is for this process, which then ends that one
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START.format(__name__, forks), path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **(environment or {})},
            start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )  # fmt: skip
        self.pid = self._process.pid
        # also when this interpreter ends, in whatever order things go then
        weakref.finalize(self, _ended, self._process, forks)
        with suppress(OSError):  # its first answer, which is none, says how it ended
            _write(self._process.stdin, pickle.dumps((target, arguments)))

    @property
    def ended(self) -> bool:
        """Tell whether the process has ended."""
        return self._process.poll() is not None

    @property
    def used(self) -> float:
        """Return the processor seconds of the process so far; 0 if the system does not say."""
        if sys.platform.startswith("linux") and self._process.returncode is None:
            with suppress(OSError):
                return time.clock_gettime(~self.pid << 3 | PROCESS_CLOCK)
        return 0.0

    def ready(self, seconds: float = START_SECONDS) -> None:
        """Wait until questions can be answered; raises the error of a child that could not get ready."""
        with self._asking:
            if not self._ready:
                self._answer(None, seconds, inf)
                self._ready = True

    def ask(self, question: Any, seconds: float = inf, processor: float = inf) -> Any:
        """Return the answer, or raise its error; a child that is late is killed, and a `ChildError` says so.

        The seconds are those of the clock since the child had the question, or those of a processor that it used.
        Where a system does not count these, the clock's limit is that of both.
        """
        self.ready()
        with self._asking:
            return self._answer(pickle.dumps(question), seconds, processor)

    def kill(self, why: str = "it was killed") -> None:
        """End the process at once, whatever it is doing, and no other process."""
        self._ended(self._forks, why)

    def close(self) -> None:
        """Let the process end by itself, or kill it if it does not."""
        self._ended(True, "it was closed")

    def _answer(self, question: bytes | None, seconds: float, processor: float) -> Any:
        """Send a question, if there is one, and return the next answer."""
        before, answer = self.used, b""
        self.seconds, self.size, self.spent = 0.0, len(question or b""), False
        if min(seconds, processor) < inf:
            with self._ending:
                self._limits = (seconds, time.monotonic() + seconds, processor, before + processor)
                if not self._is_watched:
                    self._is_watched = True
                    threading.Thread(target=self._watch, name="limits of a child", daemon=True).start()
        try:
            if question is not None:
                _write(self._process.stdin, question)
            answer = _read(self._process.stdout)
        except (OSError, ValueError):  # somebody has ended it, and its pipes are closed
            pass
        except BaseException:
            self.kill("whoever asked was interrupted")  # or else its answer would be that of the next question
            raise
        finally:
            with self._ending:
                self._limits = None
        if not answer or self._why:
            self._ended(gently=True)
            self.seconds = max(0.0, self._had - before)
            raise ChildError(f"no answer from the process of {self.target}: {self._why}")
        self.size += len(answer)
        good, value, self.seconds = pickle.loads(answer)
        if good:
            return value
        if question is None:
            self.kill("it did not get ready")
        raise value

    def _watch(self) -> None:
        """Kill the process when its answer is late; the thread ends when nothing is limited."""
        pause = 0.0
        while True:
            time.sleep(pause)
            with self._ending:
                if self._limits is None or self._why:
                    self._is_watched = False
                    return
                seconds, end, processor, most = self._limits
                used, left = self.used, end - time.monotonic()
                self.spent = used >= most if used else left <= 0 and processor < inf
                if self.spent or left <= 0:
                    self.kill(f"none after {f'{processor:g} s of a processor' if self.spent else f'{seconds:g} s'}")
                pause = max(0.0, min(LOOK_SECONDS, left))

    def _ended(self, gently: bool, why: str = "") -> None:
        """End the process, and note why; of one whose pipe has ended, how it ends."""
        with self._ending:
            self._had = self.used or self._had
            code = _ended(self._process, gently)
            how = f"exit status {code}" if code >= 0 else f"killed by signal {-code} ({signal.strsignal(-code)})"
            self._why = self._why or why or how


def _ended(process: subprocess.Popen[bytes], gently: bool) -> int:
    """End a process, and then close its pipes, so that nobody still waits for them; returns its exit status."""
    if gently and process.stdin:
        with suppress(OSError, subprocess.TimeoutExpired):
            process.stdin.close()
            process.wait(GRACE)
    process.kill()  # which does nothing to one that has ended
    code = process.wait()
    for pipe in filter(None, (process.stdin, process.stdout)):
        with suppress(OSError):  # what was still to be sent has nobody to read it
            pipe.close()
    return code


# -- in the child -------------------------------------------------------------------------------------------------


def serve(forks: bool) -> None:
    """Run in the child: make what answers, then answer until there are no more questions."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer: Callable[[Any], Any] | None = None
    for question in iter(lambda: _read(sys.stdin.buffer), b"") if forks else _questions():
        start, value = time.thread_time(), None
        try:
            if answer is None:
                target, arguments = pickle.loads(question)
                answer = resolve_name(target)(*arguments)
            else:
                value = answer(pickle.loads(question))
            told = pickle.dumps((True, value, time.thread_time() - start))
        except Exception as error:  # noqa: BLE001 (sent to whoever asked, and raised there)
            told = pickle.dumps((False, sendable(error), time.thread_time() - start))
        with suppress(OSError):  # the parent is gone, and so are its questions
            _write(answers, told)
        if answer is None:
            return


def _questions() -> Iterator[bytes]:
    """Yield the questions, which a thread reads; the process ends at once if they end before the last is answered."""
    pipe, came, unanswered = os.fdopen(os.dup(0), "rb"), SimpleQueue[bytes](), list[bytes]()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def read_all() -> None:
        while question := _read(pipe):
            unanswered.append(question)
            came.put(question)
        if unanswered:
            os._exit(1)
        came.put(b"")

    threading.Thread(target=read_all, name="questions", daemon=True).start()
    while question := came.get():
        yield question
        unanswered.pop()


def sendable(error: Exception) -> Exception:
    """Return the error itself if it can be pickled, otherwise its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 (a foreign exception may do anything when it is copied)
        return BackendError(f"{type(error).__name__}: {error}")
    return error


def _write(pipe: Any, message: bytes) -> None:
    pipe.write(pickle.dumps(message))
    pipe.flush()


def _read(pipe: Any) -> bytes:
    """Return the next message; nothing if the pipe ends before."""
    try:
        message: bytes = pickle.load(pipe)
    except (EOFError, pickle.UnpicklingError):
        return b""
    return message

"""Children: they answer, they end in time and when their parent does, and it is said how."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from qchess.circuits.child import Child, ChildError
from qchess.circuits.errors import BackendError
from tests.patience import PATIENCE, wait_until

ANSWERING = "tests.circuits.answering"
Make = Callable[..., Child]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Child] = []

    def one(function: str = "echoing", **options: Any) -> Child:
        arguments = [str(tmp_path / f"asleep{len(made)}")] if function == "echoing" else []
        made.append(Child(f"{ANSWERING}:{function}", *arguments, **options))
        return made[-1]

    yield one
    for child in made:
        child.kill()


def asleep(folder: Path, number: int = 0) -> Callable[[], bool]:
    return (folder / f"asleep{number}").exists


def is_gone(pid: int) -> bool:
    """Whether no such process runs; one that nobody has waited for is gone as well."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z")
    except (ProcessLookupError, FileNotFoundError):
        return True


# -- what it answers ------------------------------------------------------------------------------------------------


def test_a_child_answers_and_what_it_raises_is_raised_here(make: Make) -> None:
    child = make()
    assert child.ask(["any", {"value": 1j}]) == ["any", {"value": 1j}]
    with pytest.raises(ValueError, match=r"^no such square$"):
        child.ask(("raise", "no such square"))
    with pytest.raises(BackendError, match="LocalError: one"):
        child.ask(("raise what cannot be copied",))
    with pytest.raises(Exception, match=r"pickle"):
        child.ask(("answer what cannot be copied",))
    with pytest.raises(Exception, match=r"pickle"):
        child.ask(lambda: None)
    assert child.ask("is it still there") == "is it still there"
    assert not child.ended


def test_a_child_prints_to_the_error_output_and_reads_nothing(make: Make, capfd: pytest.CaptureFixture[str]) -> None:
    child = make()
    assert child.ask(("write",)) == "written"
    with pytest.raises(EOFError):
        child.ask(("read",))
    assert child.ask("next") == "next"
    out, err = capfd.readouterr()
    assert out == ""
    assert "noise on the output\nand more" in err


def test_a_child_has_the_environment_of_its_parent_and_what_it_is_given(make: Make) -> None:
    assert make(environment={"CHILD": "given"}).ask(("environment",)) == "given"


def test_a_hundred_questions_in_threads_have_each_its_own_answer(make: Make) -> None:
    child = make()
    questions = [f"{number}" * (1 + number * 997) for number in range(100)]  # some are longer than a pipe holds
    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(child.ask, questions, [PATIENCE] * 100)) == questions
    assert child.size > 0


def test_a_child_that_cannot_get_ready_says_why(make: Make) -> None:
    with pytest.raises(ValueError, match="not today"):
        make("refusing").ready(PATIENCE)
    with pytest.raises(AttributeError, match="nobody"):
        make("nobody").ask("any")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        Child("no_such_module:any").ready(PATIENCE)


# -- how it ends ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "limits", "said"),
    [
        (("exit", 7), {}, "exit status 7"),
        (("exit", 0), {}, "exit status 0"),
        (("signal", signal.SIGSEGV), {}, r"killed by signal 11 \(Segmentation fault\)"),
        (("sleep",), {"seconds": 0.1}, r"none after 0\.1 s$"),
        (("sleep",), {"seconds": 0.1, "processor": 1000}, r"none after 0\.1 s$"),
        (("compute",), {"seconds": 1000, "processor": 0.1}, r"none after 0\.1 s of a processor$"),
    ],
)
def test_how_a_child_ended_is_said_and_it_is_not_started_again(
    make: Make, question: Any, limits: dict[str, float], said: str
) -> None:
    child = make()
    for again in range(2):
        with pytest.raises(ChildError, match=f"no answer from the process of {ANSWERING}:echoing: {said}"):
            child.ask(question, **limits)
        assert child.ended
        assert child.spent is (not again and "processor$" in said)
    assert is_gone(child.pid)


def test_processor_seconds_are_told_of_an_answer_and_of_a_question_that_was_stopped(make: Make) -> None:
    child = make()
    child.ask(("add", 10**6))
    assert 0 < child.seconds < 10
    with pytest.raises(ChildError):
        child.ask(("compute",), processor=0.3)
    assert child.seconds >= 0.3


def test_a_limit_ends_with_its_answer(make: Make) -> None:
    """The next question may take as long as it likes."""
    child = make()
    child.ask("first", seconds=PATIENCE, processor=PATIENCE)
    wait_until(
        lambda: not [one for one in threading.enumerate() if one.name == "limits of a child"], "no limit is left"
    )
    assert child.ask("second") == "second"


def test_one_child_is_killed_by_its_number_and_no_other_process_is(make: Make, tmp_path: Path) -> None:
    """Its sibling goes on; and once it is gone, nobody is meant by its number any more."""
    first, second = make(), make()
    with ThreadPoolExecutor(2) as pool:
        one, other = (pool.submit(child.ask, ("sleep",)) for child in (first, second))
        wait_until(asleep(tmp_path, 0), "the first sleeps")
        wait_until(asleep(tmp_path, 1), "the second sleeps")
        first.kill("it is no longer needed")
        with pytest.raises(ChildError, match="it is no longer needed"):
            one.result(PATIENCE)
        assert is_gone(first.pid)
        assert not is_gone(second.pid)
        assert not other.done()
        first.kill()
        second.kill()
        with pytest.raises(ChildError, match="it was killed"):
            other.result(PATIENCE)


def test_a_child_of_a_child_that_is_killed_is_gone(make: Make) -> None:
    child = make()
    own = child.ask(("a child of its own",))
    child.kill()
    wait_until(lambda: is_gone(own), "the child's child is gone")


def test_several_may_end_a_child_at_once_and_no_other_descriptor_is_closed(make: Make) -> None:
    """A descriptor that is closed twice may be somebody else's the second time."""

    def ends(child: Child) -> tuple[int, int]:
        child.kill()
        return os.pipe()

    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            pipes = list(pool.map(ends, [make()] * 8))
            for out, into in pipes:
                os.write(into, b"still open")
                assert os.read(out, 99) == b"still open"
                os.close(into)
                os.close(out)


def test_whoever_is_interrupted_leaves_no_answer_to_the_next(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    child = make()
    child.ready()

    def interrupted(pipe: Any) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("qchess.circuits.child._read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            child.ask("first")
    with pytest.raises(ChildError, match="whoever asked was interrupted"):
        child.ask("second")


PARENT = """
import sys
from contextlib import suppress
from threading import Thread
from pathlib import Path
from qchess.circuits.child import Child, ChildError
from tests.patience import wait_until

def ask():
    with suppress(ChildError):
        child.ask(("sleep",))

state, file = sys.argv[1:]
child = Child("tests.circuits.answering:echoing", file)
if state == "busy":
    Thread(target=ask, daemon=True).start()
    wait_until(Path(file).exists, "the child sleeps")
elif state == "idle":
    child.ready()
print(child.pid, flush=True)
sys.stdin.read(1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("state", ["begun", "idle", "busy"])
@pytest.mark.parametrize("end", ["killed", "ends"])
def test_a_child_ends_with_its_parent(tmp_path: Path, state: str, end: str) -> None:
    path = os.pathsep.join(place for place in sys.path if place)
    command = [sys.executable, "-c", PARENT, state, str(tmp_path / "asleep")]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as parent:
        assert parent.stdin
        assert parent.stdout
        assert parent.stderr
        pid = int(parent.stdout.readline())
        if end == "killed":
            parent.kill()
        else:
            parent.stdin.close()
        parent.wait(PATIENCE)
        wait_until(lambda: is_gone(pid), "the child is gone")
        assert parent.stderr.read() == ""

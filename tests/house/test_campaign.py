"""The campaign of long tests: its jobs run what is there, a kill costs one job, and what failed is named."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "campaign.py"
#: how a test reads its size
SIZE = re.compile(r'int\(os\.environ\.get\("(QCHESS_\w+)"')
#: a module of helpers that a test may take its size from
HELPER = re.compile(r"^from tests\.([\w.]+) import", re.MULTILINE)


@pytest.fixture(scope="module")
def tool() -> Any:
    """The module; tools/ is no package."""
    spec = importlib.util.spec_from_file_location("campaign", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["campaign"] = module  # where its dataclass looks for it
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def signals_as_they_were() -> Iterator[None]:
    """A campaign heeds signals; this process goes on as before."""
    before = {sign: signal.getsignal(sign) for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for sign, handler in before.items():
        signal.signal(sign, handler)


@pytest.fixture
def on_a_commit(tool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever git says."""
    monkeypatch.setattr(tool, "commit_at_hand", lambda: "abc")


def job(tool: Any, folder: Path, name: str, code: str, **sizes: int) -> Any:
    """A job that runs this code, named by a file."""
    (folder / f"{name}.py").write_text(textwrap.dedent(code), encoding="utf-8")
    return tool.Job(name, str(folder / f"{name}.py"), sizes)


def done(tool: Any, folder: Path) -> list[tuple[str, int]]:
    """What was finished."""
    return [(result["job"], result["round"]) for result in tool.results_in(folder)]


# -- the jobs -------------------------------------------------------------------------------------------


def sizes_read(path: Path) -> set[str]:
    """The sizes that a test file reads from the environment, by itself or through a module of helpers."""
    text = path.read_text(encoding="utf-8")
    named = [ROOT / "tests" / f"{name.replace('.', '/')}.py" for name in HELPER.findall(text)]
    helpers = [helper.read_text(encoding="utf-8") for helper in named if helper.is_file()]
    return set(SIZE.findall("".join([text, *helpers])))


def test_every_job_names_files_that_exist_and_sizes_that_they_read(tool: Any) -> None:
    for each in tool.JOBS:
        _, words = each.at(1, "abc")
        files = [ROOT / word for word in words if word.endswith(".py")]
        assert files or not each.sizes, each.name
        assert [path for path in files if not path.is_file()] == [], each.name
        read = [sizes_read(path) for path in files]
        assert set().union(*read) == each.sizes.keys(), each.name
        assert all(read) or not each.sizes, each.name
        if "-k" in words:
            word = words[words.index("-k") + 1]
            assert all(re.search(rf"def test_\w*{word}", path.read_text(encoding="utf-8")) for path in files), each.name


def test_every_test_that_reads_a_size_is_in_a_job(tool: Any) -> None:
    reading = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py") if sizes_read(path)}
    assert reading <= {word for each in tool.JOBS for word in each.command.split()}


def test_sizes_double_up_to_a_limit(tool: Any) -> None:
    growing = tool.Job("some", "-c {round}", {"SIZE": 30}, most=100)
    assert [growing.at(number, "abc") for number in (1, 2, 3)] == [
        ({"SIZE": 30}, ["-c", "1"]), ({"SIZE": 60}, ["-c", "2"]), ({"SIZE": 100}, ["-c", "3"]),
    ]  # fmt: skip


# -- what is kept ---------------------------------------------------------------------------------------


def test_rounds_grow_and_a_result_counts_only_for_its_commit(
    tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = [job(tool, tmp_path, "some", "import os; print(os.environ['SIZE'], 'passed')", SIZE=4)]
    for commit in ("abc", "def", "def"):
        monkeypatch.setattr(tool, "commit_at_hand", lambda commit=commit: commit)
        assert tool.main(["--rounds", "2"], jobs, tmp_path) == 0
    kept = [(each["commit"], each["round"], each["sizes"], each["passed"]) for each in tool.results_in(tmp_path)]
    once = [(1, {"SIZE": 4}, 4), (2, {"SIZE": 8}, 8)]
    assert kept == [(commit, *each) for commit in ("abc", "def") for each in once]
    assert (tmp_path / "some-2.log").read_text(encoding="utf-8") == "8 passed\n"
    capsys.readouterr()
    assert tool.main(["--list"], jobs, tmp_path) == 0
    assert re.search(r"some, round 3: SIZE=16 python .*\n +last time: some, round 2 SIZE=8: ", capsys.readouterr().out)


@pytest.mark.usefixtures("on_a_commit")
def test_failures_are_named_with_the_first_line_of_their_error(
    tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it starts sooner
    long = "a reason " * 30
    tests = f"def test_good(): pass\ndef test_bad():\n    raise ValueError('{long}\\nmore')\n"
    (tmp_path / "test_some.py").write_text(tests, encoding="utf-8")
    lives = "tools/x.py:3: a < b  ->  (a <= b)"
    jobs = [
        tool.Job("tests", f"-m pytest -p no:cacheprovider {tmp_path / 'test_some.py'}"),
        job(tool, tmp_path, "mutants", f"print('4 of 5 killed in 1 s; these live:\\n{lives}'); raise SystemExit(1)"),
        job(tool, tmp_path, "broken", "print('ERROR    said by a log'); raise ValueError('a reason')"),
    ]
    assert tool.main(["--rounds", "1"], jobs, tmp_path) == 1
    tested, mutants, broken = tool.results_in(tmp_path)
    assert (tested["passed"], tested["failed"]) == (1, 1)
    assert re.fullmatch(rf"\S*test_some\.py::test_bad - ValueError: {long.strip()}", tested["failures"][0].strip())
    assert (mutants["passed"], mutants["failed"], mutants["failures"]) == (4, 1, [lives])
    assert (broken["passed"], broken["failures"]) == (0, ["ended with 1: ValueError: a reason"])
    capsys.readouterr()
    assert tool.main(["--report", "--only", "mutants"], jobs, tmp_path) == 1
    assert re.fullmatch(
        rf"mutants, round 1: 4 passed, 1 failed, [\d.]+ s, on abc\n    {re.escape(lives)}\n", capsys.readouterr().out
    )


def test_a_tree_with_changes_is_another_commit(tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    file, names = tmp_path / "file", []
    file.write_text("one", encoding="utf-8")
    for words in (["init", "-q"], ["add", "file"], [*identity, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    for text in ("one", "two", "three", "one"):
        file.write_text(text, encoding="utf-8")
        names.append(tool.commit_at_hand())
    clean, two, three, again = names
    assert again == clean != two != three
    assert re.fullmatch(rf"{clean}\+\w+", two)
    assert re.fullmatch(rf"{clean}\+\w+", three)


# -- stopped and killed -----------------------------------------------------------------------------------

#: a campaign of two jobs
DRIVER = """
    import signal, sys
    sys.path.insert(0, sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as after & in a shell
    import campaign
    from pathlib import Path
    folder = Path(sys.argv[2])
    campaign.commit_at_hand = lambda: "abc"
    jobs = [campaign.Job(name, str(folder / f"{name}.py")) for name in ("soon", "late")]
    sys.exit(campaign.main(["--rounds", "1"], jobs, folder))
"""
LATE = """
    import os, sys, time
    from pathlib import Path
    print(os.getpid(), flush=True)
    for _ in range(10_000):
        if Path(sys.argv[0]).with_name("gate").exists():
            break
        time.sleep(0.01)
"""


@pytest.fixture
def jobs(tool: Any, tmp_path: Path) -> list[Any]:
    """Two jobs; the second waits for a file."""
    return [job(tool, tmp_path, "soon", "print('1 passed')"), job(tool, tmp_path, "late", LATE)]


@pytest.fixture
def going(jobs: list[Any], tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A campaign that has come to the second job."""
    log = tmp_path / "late-1.log"
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(DRIVER), TOOL.parent, tmp_path]) as process:
        try:
            wait_until(lambda: log.exists() and log.read_bytes().endswith(b"\n"), "the second job runs")
            yield process
        finally:
            (tmp_path / "gate").touch()  # a job that was left alone ends, too
            process.kill()


def is_there(pid: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.usefixtures("on_a_commit")
def test_a_killed_campaign_goes_on_with_the_job_that_was_not_finished(
    tool: Any, jobs: list[Any], going: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    going.kill()
    going.wait(PATIENCE)
    (tmp_path / "gate").touch()
    results = tmp_path / "results.jsonl"
    whole = results.read_bytes()
    results.write_bytes(whole + (cut := b'{"job": "late", "rou'))
    assert done(tool, tmp_path) == [("soon", 1)]
    assert tool.main(["--rounds", "1"], jobs, tmp_path) == 0
    assert done(tool, tmp_path) == [("soon", 1), ("late", 1)]
    assert results.read_bytes().startswith(whole + cut + b"\n")


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_campaign_that_is_stopped_ends_its_job_and_leaves_the_results_whole(
    tool: Any, going: subprocess.Popen[bytes], tmp_path: Path, sign: signal.Signals
) -> None:
    job = int((tmp_path / "late-1.log").read_bytes())
    assert is_there(job)
    going.send_signal(sign)
    assert going.wait(PATIENCE) == 0
    assert not is_there(job)
    assert "KeyboardInterrupt" in (tmp_path / "late-1.log").read_text(encoding="utf-8")
    assert done(tool, tmp_path) == [("soon", 1)]


@pytest.mark.usefixtures("on_a_commit")
def test_a_campaign_ends_after_its_hours(tool: Any, jobs: list[Any], tmp_path: Path) -> None:
    assert tool.main(["--only", "late", "--hours", "0.00005"], jobs, tmp_path) == 0
    assert tool.results_in(tmp_path) == []

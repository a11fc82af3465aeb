"""Runs whatever is long of the tests, job after job and round after round, for as long as one likes.

    python tools/campaign.py                       # until Ctrl-C; the next call goes on with the job it was at
    python tools/campaign.py --hours 8             # the same, stopped after eight hours (or `--rounds 2`)
    python tools/campaign.py --only games kills    # only these jobs
    python tools/campaign.py --list                # the jobs, what each runs next, and what it took last time
    python tools/campaign.py --report              # what was run so far, and the first line of each failure

The sizes of a job double with each round. build/campaign/results.jsonl gets a line for each job that is finished,
NAME-ROUND.log beside it holds all that the job said. A result counts only for the commit that it was made on.
The exit code is 1 if anything failed on the commit at hand; a change that no test notices (`mutants`) counts too.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "campaign"
PYTEST = f"-m pytest -n {os.cpu_count() or 1} --dist worksteal"
LONG = f"{PYTEST} -m 'slow or long'"
#: where pytest and tools/mutants.py begin to name what failed, the lines that do, and the number of what passed
NAMING = re.compile(r"short test summary info|these live:")
NAMED = re.compile(r"^(?:(?:FAILED|ERROR) |(?=\S+\.py:\d+: ))(.*)$", re.MULTILINE)
PASSED = re.compile(r"\b(\d+) (?:passed|of \d+ killed)\b")
Result = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """A family of tests: what Python is told to run, and the sizes of the first round, which grow up to a limit."""

    name: str
    command: str
    sizes: dict[str, int] = field(default_factory=dict)
    most: int = 1_000_000

    def at(self, number: int, commit: str) -> tuple[dict[str, int], list[str]]:
        """Give the sizes of a round, as the environment names them, and what Python is told."""
        sizes = {name: min(first << (number - 1), self.most) for name, first in self.sizes.items()}
        return sizes, shlex.split(self.command.format(round=number, commit=commit))


JOBS = (
    Job("timing", f"{PYTEST} -m timing -n 0"),
    Job("long", f"{PYTEST} -m long"),
    Job("kills", f"{LONG} -k killed tests/qrng/test_qrng.py tests/backends/test_devices_queued.py "
        "tests/backends/test_budget.py tests/backends/test_budget_kills.py "
        "tests/backends/test_devices_google.py tests/web/test_server_kill.py tests/play/test_no_game_is_lost.py",
        {"QCHESS_KILLS": 20}, most=2000),
    Job("fuzz", f"{LONG} tests/fuzz/test_parsers.py tests/servers/test_fuzz.py", {"QCHESS_FUZZ": 20_000}),
    Job("files", f"{LONG} tests/fuzz/test_formats.py tests/web/test_store_rows.py",
        {"QCHESS_FILES": 10_000}, most=100_000),
    Job("games", f"{LONG} tests/games/test_quantum_chess_random_games.py tests/games/test_niels_laws.py "
        "tests/games/test_quantum_checkers_rules.py tests/games/test_quantum_tic_tac_toe.py "
        "tests/games/test_piece_qubit_random_games.py tests/play/test_check_game.py", {"QCHESS_GAMES": 50}),
    Job("cores", f"{LONG} tests/games/test_quantum_chess_core.py tests/games/test_quantum_checkers_core.py",
        {"QCHESS_GAMES": 1000}),
    Job("plies", f"{LONG} tests/games/test_quantum_chess_plies.py tests/games/test_quantum_checkers_plies.py "
        "tests/games/test_niels_late.py", {"QCHESS_GAMES": 20_000}),
    Job("histories", f"{LONG} tests/web/test_table_histories.py", {"QCHESS_HISTORIES": 2000}),
    Job("programs", f"{LONG} tests/backends/test_engines.py tests/backends/test_programs_at_once.py",
        {"QCHESS_PROGRAMS": 2000}),
    Job("exports", f"{LONG} tests/circuits/test_export.py", {"QCHESS_CIRCUITS": 200}),
    # there are no more circuits than 200 that each reader of OpenQASM can be asked about
    Job("circuits", f"{LONG} tests/bench/test_corpus_cases.py", {"QCHESS_CIRCUITS": 200}, most=200),
    Job("browsers", f"{LONG} -k three_cuts tests/web/test_browser_tables.py", {"QCHESS_PLIES": 60}, most=60),
    Job("tables", f"{LONG} tests/bench/test_chips_tables.py", {"QCHESS_TABLES": 4}, most=4),
    Job("hands", f"{LONG} -k each_hand tests/web/test_browser_games.py", {"QCHESS_HANDS": 3}, most=3),
    Job("dice", f"{PYTEST} -k with_their_odds tests/play/test_fair_dice.py", {"QCHESS_ANSWERS": 1_000_000},
        most=16_000_000),
    Job("kernels", f"{LONG} tests/kernels/test_rebuilt.py", {"QCHESS_LIBRARIES": 3}, most=3),
    Job("rolls", f"{LONG} -k keep_the_law tests/games/test_niels_dice.py", {"QCHESS_ANSWERS": 1_000_000},
        most=16_000_000),
    Job("searches", f"{LONG} tests/play/test_mcts.py", {"QCHESS_GAMES": 400}, most=10_000),
    Job("questions", f"{PYTEST} -k near_every_limit tests/play/test_refusals.py", {"QCHESS_QUESTIONS": 500}),
    Job("mutants", "tools/mutants.py --count 20 --seed {round} --journal build/campaign/mutants-{commit}.jsonl"),
)  # fmt: skip


def commit_at_hand() -> str:
    """Name the commit; a tree with changes gets a mark that changes with them."""
    asked = (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain"], ["diff", "HEAD"])
    head, *changes = (subprocess.check_output(["git", *words], cwd=ROOT) for words in asked)
    return head.decode().strip() + (f"+{hashlib.sha256(b''.join(changes)).hexdigest()[:8]}" if any(changes) else "")


def results_in(folder: Path) -> list[Result]:
    """Read what was finished; a line that was cut off by a kill is none."""
    found, file = [], folder / "results.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        with suppress(ValueError):
            found.append(json.loads(line))
    return found


def keep(result: Result, folder: Path) -> None:
    """Append a result on a line of its own, also after a line that was cut off."""
    with (folder / "results.jsonl").open("ab+") as file:
        file.seek(max(0, file.tell() - 1))
        file.write((b"" if file.read() in (b"", b"\n") else b"\n") + json.dumps(result).encode() + b"\n")


def told(result: Result) -> str:
    """Say in a line how a job went, and in others what failed."""
    sizes = "".join(f" {name}={size}" for name, size in result["sizes"].items())
    went = "{job}, round {round}{0}: {passed} passed, {failed} failed, {seconds:g} s, on {commit}"
    return "\n    ".join([went.format(sizes, **result), *result["failures"]])


def verdict(output: str, code: int) -> tuple[int, list[str]]:
    """Read from what a job said how many passed, and what failed with the first line of its error."""
    last = [line.strip("= ") for line in output.splitlines() if line.strip("= ")][-1:]
    named = NAMED.findall("".join(NAMING.split(output)[1:][-1:])) or [f"ended with {code}: {''.join(last)}"]
    return int(PASSED.findall(f"0 passed {output}")[-1]), named if code else []


def run(job: Job, number: int, folder: Path, end: float) -> Result:
    """Run a job to its end; if something comes between, end its processes and raise that."""
    commit, log, began = commit_at_hand(), folder / f"{job.name}-{number}.log", time.monotonic()
    sizes, words = job.at(number, commit)
    # with CI pytest does not cut the lines of its summary
    environment = {**os.environ, "CI": "true", **{name: str(size) for name, size in sizes.items()}}
    with log.open("wb") as out:
        child = subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
            process_group=0,
        )  # fmt: skip
        try:
            code = child.wait(end - began)
        finally:
            if child.returncode is None:
                stop(child)
    passed, failures = verdict(log.read_text(encoding="utf-8", errors="replace"), code)
    return {
        "job": job.name, "round": number, "sizes": sizes,
        "commit": commit if commit == commit_at_hand() else f"{commit}, which was changed meanwhile",
        "passed": passed, "failed": len(failures), "seconds": round(time.monotonic() - began, 1), "failures": failures,
    }  # fmt: skip


def stop(child: subprocess.Popen[bytes]) -> None:
    """Interrupt a job and all that it started; kill what does not end."""
    print("stopping it", flush=True)
    try:
        os.killpg(child.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            child.wait(30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def next_of(jobs: Sequence[Job], folder: Path) -> tuple[int, Job]:
    """Find the first job of the first round that has no result on this commit."""
    commit = commit_at_hand()
    done = {(result["job"], result["round"]) for result in results_in(folder) if result["commit"] == commit}
    return next((n, job) for n in itertools.count(1) for job in jobs if (job.name, n) not in done)


def campaign(jobs: Sequence[Job], folder: Path, hours: float, rounds: float) -> None:
    """Run the jobs in turn until the time is over, the rounds are done, or somebody stops it."""
    end = time.monotonic() + 3600 * hours
    # a shell lets what it starts with & ignore Ctrl-C, and so would the jobs; nohup is left what it wants
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if sign is not signal.SIGHUP or signal.getsignal(sign) is signal.SIG_DFL:
            signal.signal(sign, signal.default_int_handler)
    with suppress(KeyboardInterrupt, subprocess.TimeoutExpired):
        while (found := next_of(jobs, folder))[0] <= rounds and time.monotonic() < end:
            print(f"{time.strftime('%H:%M')} {found[1].name}, round {found[0]}", flush=True)
            result = run(found[1], found[0], folder, end)
            keep(result, folder)
            print(told(result), flush=True)


def main(arguments: Sequence[str] | None = None, jobs: Sequence[Job] = JOBS, folder: Path = FOLDER) -> int:
    """Do what was asked for; the exit code says whether anything failed on this commit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="JOB", choices=[job.name for job in jobs], help="only these jobs")
    parser.add_argument("--hours", type=float, default=math.inf, help="stop after so many hours")
    parser.add_argument("--rounds", type=float, default=math.inf, help="stop when so many rounds are done")
    parser.add_argument("--list", action="store_true", help="print the jobs")
    parser.add_argument("--report", action="store_true", help="print the results")
    args = parser.parse_args(arguments)
    jobs = [job for job in jobs if not args.only or job.name in args.only]
    folder.mkdir(parents=True, exist_ok=True)
    if not (args.list or args.report):
        campaign(jobs, folder, args.hours, args.rounds)
    results = [result for result in results_in(folder) if result["job"] in {job.name for job in jobs}]
    for job in jobs if args.list else []:
        number, _ = next_of([job], folder)
        sizes, words = job.at(number, "COMMIT")
        print(f"{job.name}, round {number}:", *(f"{name}={size}" for name, size in sizes.items()), "python", *words)
        print("    last time:", *([told(each) for each in results if each["job"] == job.name][-1:] or ["never"]))
    if args.report:
        print(*map(told, results), sep="\n")
    commit = commit_at_hand()
    return int(not args.list and any(result["failed"] for result in results if result["commit"] == commit))


if __name__ == "__main__":
    sys.exit(main())

"""``qchess jobs``: the jobs that games wait for, how they stand, and their end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.commands import places
from qchess.commands.common import Commands, add_json, print_json, say
from qchess.errors import InvalidMoveError, QchessError

if TYPE_CHECKING:
    from qchess.playing.jobs import Job

#: some game has no answer after all
LOST = 1
#: how a job stands, in words
WORDS = {
    "waits": "waits", "runs": "is running", "done": "is done: qchess resume collects it", "failed": "failed",
    "cancelled": "was cancelled", "gone": "is not known there", "open": "the question is asked when the game goes on",
    "unknown": "cannot be asked",
}  # fmt: skip


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "jobs",
        help="the jobs on devices that games wait for",
        description="Lists the jobs that games wait for, and asks their devices how they stand.",
    )
    parser.add_argument(
        "game", nargs="*", metavar="GAME",
        help="a record, or a name from `qchess games --saved`; without one, every saved game",
    )  # fmt: skip
    parser.add_argument(
        "--cancel", action="append", default=[], metavar="JOB-OR-GAME",
        help="cancel this job, or the job of this game; `qchess resume` then asks again; may be given several times",
    )  # fmt: skip
    parser.add_argument("--wait", action="store_true", help="wait for the answers, and write them into the games")
    places.add_trust(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Lists jobs, ends some, or waits for them."""
    from qchess.playing import jobs
    from qchess.playing.keeping import named

    found = jobs.waiting(map(named, args.game) if args.game else None, trust=args.trust)
    if args.cancel:
        for job in [_one(name, found, args.trust) for name in args.cancel]:
            jobs.cancel(job)
            say(f"cancelled: {_title(job)}; qchess resume {_shown(job.file)} asks anew")
        return 0
    return _wait(found) if args.wait else _list(found, args.json)


def _one(name: str, found: Sequence[Job], trust: bool) -> Job:
    """The job of this name, or that of the game of this name."""
    from qchess.playing import jobs
    from qchess.playing.keeping import named

    file = named(name)
    of_file = jobs.waiting([file], trust=trust) if file.is_file() else []
    for job in [*(job for job in found if name in job.ids), *of_file]:
        return job
    raise InvalidMoveError(f"no game waits for a job {name!r}, and no game of this name waits; qchess jobs lists them")


def _wait(found: Sequence[Job]) -> int:
    from qchess.playing import jobs

    lost = 0
    for job, came in jobs.wait(found):
        if isinstance(came, QchessError):
            lost = LOST
            print(f"{_shown(job.file)}: {' '.join(str(came).split())}", file=sys.stderr)
        else:
            print(f"{_shown(job.file)}: {came.player} plays {came}", flush=True)
    return lost


def _list(found: Sequence[Job], as_json: bool) -> int:
    from qchess.playing import jobs

    told = list(zip(found, jobs.stands(found), strict=True))
    if as_json:
        print_json([_values(job, state) for job, state in told])
        return 0
    for job, state in told:
        since = f", since {_time(job.since)}" if job.since else ""
        ids = f"job {' '.join(job.ids)}" if job.ids else "no job"
        say(f"{_title(job)}\n    {ids}{since}: {_words(state)}")
    if found:
        say(f"games that wait: {len(found)}; go on with one: qchess resume FILE; end a job: qchess jobs --cancel JOB")
    else:
        print("No game waits for a job.")
    _budgets()
    return 0


def _budgets() -> None:
    """Prints what is left of each budget."""
    from qchess.backends import budget

    line = "budget of {device}: {left} of {limit} {unit} left; {spent} spent, {reserved} reserved"
    for told in budget.standing():
        say(line.format_map(told))


def _values(job: Job, state: Mapping[str, Any]) -> dict[str, Any]:
    return {"file": str(job.file), "game": job.game, "move": job.move, "question": job.question, "device": job.device,
            "jobs": list(job.ids), "since": job.since, **state}  # fmt: skip


def _title(job: Job) -> str:
    return f"{_shown(job.file)}: {job.move} asks {job.question!r} on {job.device}"


def _shown(file: Path) -> str:
    """A file as it can be typed: a saved game by its name alone."""
    from qchess.playing.keeping import folder

    return file.name if file.parent == folder() else str(file)


def _words(told: Mapping[str, Any]) -> str:
    more = [
        f"place {told['position']} in the queue" if told.get("position") is not None else "",
        f"starts {_time(told['starts'])}" if told.get("starts") else "",
        f"{told['seconds']} s of use" if told.get("seconds") is not None else "",
        " ".join(str(told["why"]).split()) if told.get("why") else "",
    ]
    return ", ".join([WORDS[told["state"]], *filter(None, more)])


def _time(told: Any) -> str:
    """A time for people; what is no ISO time stays as it is."""
    try:
        moment = datetime.fromisoformat(str(told)).astimezone(UTC)
    except (ValueError, OverflowError):
        return str(told)
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"

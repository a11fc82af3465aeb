"""The commands of ``qchess``, one small module each.

A module has `add`, which describes the command to argparse, and `run`, which gives its exit code. A new
command is one module and its name here; nothing heavy loads before a command runs.
"""

from collections.abc import Sequence

MODULES = (
    "games", "backends", "learn", "play", "resume", "jobs", "referee", "replay", "moves", "board", "circuit", "trace",
    "dice", "report", "measure", "analyse", "export", "arena", "experiment", "bench", "serve", "web", "uqci",
    "completion",
)  # fmt: skip
#: the commands that a module of another name describes
ELSEWHERE = {"verify": "replay"}
#: the module that asks what all others describe
ASKS_ALL = "completion"


def needed(words: Sequence[str]) -> Sequence[str]:
    """Return the modules that describe the command of these words: to describe all of them takes some time."""
    name = ELSEWHERE.get(words[0], words[0]) if words else ""
    return (name,) if name in MODULES and name != ASKS_ALL else MODULES

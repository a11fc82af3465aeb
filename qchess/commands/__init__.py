"""The commands of ``qchess``, one small module each.

A module has `add`, which describes the command to argparse, and `run`, which gives its exit code. A new
command is one module and its name here; nothing heavy loads before a command runs.
"""

MODULES = (
    "games", "backends", "learn", "play", "resume", "jobs", "referee", "replay", "moves", "board", "circuit", "trace",
    "dice", "report", "measure", "analyse", "export", "arena", "experiment", "bench", "serve", "web", "uqci",
    "completion",
)  # fmt: skip

"""``qchess report``: what a game's record says about its measurements."""

from __future__ import annotations

import argparse
from pathlib import Path

from qchess.commands.common import Commands, add_json, print_json
from qchess.reading import file_text


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("report", help="what a game's measurements were: circuits, devices, shots, odds")
    parser.add_argument(
        "file", metavar="RECORD", help="a record, as `qchess play --record FILE` writes it; - for input"
    )
    parser.add_argument("--plots", metavar="FOLDER", type=Path, help="also draw pictures into this folder")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows each measurement with its circuit, shots, exact and observed odds."""
    from qchess.playing.record import Record
    from qchess.playing.retelling import squares
    from qchess.showing.report import measurements, plots, text, waiting

    read = file_text(args.file, "a game record")
    record = Record.from_json(read)
    made = plots(record, args.plots) if args.plots else []
    if args.json:
        print_json({
            "game": record.game,
            "backend": record.backend,
            "waiting": waiting(record),
            "measurements": [one.values() for one in measurements(record)],
            "plots": [str(path) for path in made],
        })  # fmt: skip
        return 0
    print(text(record, squares(record)))
    for path in made:
        print(f"drawn: {path}")
    return 0

"""``qchess report``: what a game's record says about its measurements."""

from __future__ import annotations

import argparse
from pathlib import Path

from qchess import writing
from qchess.commands import places
from qchess.commands.common import Commands, add_json, print_json


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("report", help="what a game's measurements were: circuits, devices, shots, odds")
    places.add_record(parser)
    parser.add_argument("--plots", metavar="FOLDER", type=Path, help="also draw pictures into this folder")
    add_json(parser)
    writing.add_output(parser, writing.PRINTED)
    parser.set_defaults(run=run)


@writing.printed
def run(args: argparse.Namespace) -> int:
    """Shows each measurement with its circuit, shots, exact and observed odds."""
    from qchess.playing.record import Record
    from qchess.playing.replaying import squares
    from qchess.showing.plots import PLOTS
    from qchess.showing.report import measurements, plots, text, waiting

    record = Record.from_json(places.text_of(args, "a game record"))
    known = places.with_rules(record, args.rules)
    if args.plots:
        writing.check((args.plots / name for name in PLOTS if args.plots.is_dir()), args.force)
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
    print(text(record, squares(known)))
    for path in made:
        print(f"drawn: {path}")
    return 0

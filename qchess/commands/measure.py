"""``qchess measure``: a game's questions, asked again on devices, side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from qchess.commands.common import Commands, add_backend, add_json, print_json
from qchess.errors import InvalidMoveError


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "measure",
        help="ask a game's questions again on devices, side by side",
        description="Asks every measured question of a game again on each device. The same command goes on.",
    )
    parser.add_argument("file", metavar="FILE", help="a record, or a name from `qchess games --saved`")
    add_backend(
        parser, action="append", required=True, metavar="D",
        help="a device with its settings, such as ibm-fake:nairobi,strategy=replay; may be given again",
    )  # fmt: skip
    parser.add_argument("--to", type=Path, metavar="FILE", help="keep what was measured here, not beside the game")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="also draw the devices into this file, as SVG")
    parser.add_argument("--seed", type=int, metavar="N", help="the seed of all chance")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measures what is not measured yet, and prints the table."""
    from dataclasses import asdict

    from qchess.playing.keeping import named
    from qchess.playing.measuring import measure
    from qchess.playing.record import Record
    from qchess.showing.comparing import rows, text
    from qchess.showing.svgdevices import picture

    if args.picture and not args.picture.parent.is_dir():  # nobody waits and pays for it first
        raise InvalidMoveError(f"--picture names a file in a folder that is there, got {str(args.picture)!r}")
    file = named(args.file)
    record = Record.from_json(file.read_text(encoding="utf-8"))
    to = args.to or file.with_name(f"{file.stem}.measured.jsonl")
    made = rows(measure(record, args.backend, to, seed=args.seed, told=_told))
    if args.json:
        print_json([asdict(row) for row in made])
    else:
        print(f"{text(made)}\nkept in {to}")
    if args.picture:
        args.picture.write_text(picture(made) + "\n", encoding="utf-8")
    return 0


def _told(done: int, total: int) -> None:
    print(f"{done} of {total} measured", file=sys.stderr)

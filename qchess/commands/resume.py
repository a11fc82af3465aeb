"""``qchess resume``: goes on with a game that was kept, wherever it was broken off."""

from __future__ import annotations

import argparse

from qchess.commands import places
from qchess.commands.common import Commands, add_backend, add_device_options
from qchess.commands.play import add_screen, add_seats


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("resume", help="go on with a saved game")
    parser.add_argument(
        "file", nargs="?", metavar="FILE",
        help="a record, a PGN file, or a name from `qchess games --saved`; without one, the game played last",
    )  # fmt: skip
    places.add_rules(parser)
    places.add_trust(parser)
    add_seats(parser)
    add_backend(parser, help="another backend than the record's")
    parser.add_argument(
        "--ask-again", action="store_true",
        help="give up the job that the game waits for, cancel it where its device can, and ask anew",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, metavar="N", help="new dice, from this seed")
    add_device_options(parser)
    add_screen(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Goes on with the game."""
    from qchess.commands import table

    return table.resume(args, args.file)

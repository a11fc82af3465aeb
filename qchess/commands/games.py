"""``qchess games``: the games there are."""

from __future__ import annotations

import argparse

from qchess.commands.common import Commands, add_json, print_json


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("games", help="the games there are")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Lists every game with one line about it."""
    from qchess.games import rows

    if args.json:
        print_json([{"name": row.name, "summary": row.summary} for row in rows()])
        return 0
    width = max(len(row.name) for row in rows())
    for row in rows():
        print(f"{row.name:{width}}  {row.summary}")
    return 0

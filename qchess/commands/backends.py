"""``qchess backends``: what a game can run on."""

from __future__ import annotations

import argparse

from qchess.commands.common import Commands, add_json, print_json


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("backends", help="what a game can run on")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Lists every backend, and what it needs where that is missing."""
    from qchess.backends.catalogue import rows

    if args.json:
        told = ("name", "summary", "installed", "needs", "extra")
        print_json([{name: getattr(row, name) for name in told} for row in rows()])
        return 0
    width = max(len(row.name) for row in rows())
    for row in rows():
        missing = "" if row.installed else f"  (not installed: needs {', '.join(row.needs)})"
        print(f"{row.name:{width}}  {row.summary}{missing}")
    return 0

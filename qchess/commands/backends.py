"""``qchess backends``: what a game can run on."""

from __future__ import annotations

import argparse

from qchess import writing
from qchess.commands.common import Commands, add_json, print_json, say
from qchess.wording import beside, width


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("backends", help="what a game can run on")
    parser.add_argument("-v", "--verbose", action="store_true", help="also how the compiled kernels are served here")
    add_json(parser)
    writing.add_output(parser, writing.PRINTED)
    parser.set_defaults(run=run)


@writing.printed
def run(args: argparse.Namespace) -> int:
    """Lists every backend, and what it needs where that is missing."""
    from qchess.backends.catalogue import rows

    if args.json:
        told = ("name", "summary", "installed", "needs", "extra")
        found = [{name: getattr(row, name) for name in told} for row in rows()]
        print_json({"backends": found, "kernels": kernels()} if args.verbose else found)
        return 0
    wide = max(len(row.name) for row in rows()) + 2
    for row in rows():
        missing = "" if row.installed else f"  (not installed: needs {', '.join(row.needs)})"
        print("\n".join(beside(row.name, row.summary + missing, wide, width())))
    if args.verbose:
        say("\nCompiled kernels (object and bitcode come ready, numba compiles once, clear is plain Python)")
        for line in kernels():
            say(f"  {line}")
    return 0


def kernels() -> list[str]:
    """How each library of compiled kernels is served on this machine, and why in no better way."""
    from qchess.circuits.kernels import report

    return [str(library) for library in report(every=True)]

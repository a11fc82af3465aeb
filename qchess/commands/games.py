"""``qchess games``: the games there are, their small boards, and the games that are kept."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from qchess import writing
from qchess.commands.common import Commands, add_json, print_json, result_data, say
from qchess.wording import beside, width


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("games", help="the games there are, or those that were kept")
    parser.add_argument("--saved", action="store_true", help="list the saved games, the latest first")
    add_json(parser)
    writing.add_output(parser, writing.PRINTED)
    parser.set_defaults(run=run)


@writing.printed
def run(args: argparse.Namespace) -> int:
    """Lists every game with one line about it, or every saved game."""
    if args.saved:
        return _saved(args.json)
    from qchess.games import presets, rows

    if args.json:
        print_json([
            {"name": row.name, "summary": row.summary, "presets": presets.summaries(row.name)} for row in rows()
        ])  # fmt: skip
        return 0
    wide = max(len(row.name) for row in rows()) + 2
    for row in rows():
        print("\n".join(beside(row.name, row.summary, wide, width())))
        for name, summary in presets.summaries(row.name).items():
            print("\n".join(beside("", f"--preset {name}: {summary}", wide, width())))
    return 0


def _saved(as_json: bool) -> int:
    from qchess.playing.keeping import folder, kept

    found = [_told(path) for path in kept()]
    if as_json:
        print_json(found)
        return 0
    for game in found:
        say(f"{game['file']}  {game['state']}")
    say(f"{len(found)} kept in {folder()}; go on with one: qchess resume FILE")
    return 0


def _told(path: Path) -> dict[str, Any]:
    """A saved game in a few words."""
    from qchess.errors import QchessError
    from qchess.playing.record import Record

    try:
        record = Record.from_json(path.read_text(encoding="utf-8"))
    except (QchessError, OSError, UnicodeError) as error:
        return {"file": path.name, "state": f"cannot be read: {error}"}
    seats = ", ".join(f"{player} {who}" for player, who in record.players.items())
    state = f"{record.game}, {len(record.entries)} moves, {record.result or 'going on'}" + (
        f" ({seats})" if seats else ""
    )
    return {"file": path.name, "state": state, "game": record.game, "moves": len(record.entries),
            "result": result_data(record.result)}  # fmt: skip

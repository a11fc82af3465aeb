"""``qchess replay``: plays a record again, on any backend, and shows how it went."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from qchess import writing
from qchess.commands import places
from qchess.commands.common import Commands, add_backend, add_json, entry_data, print_json, result_data
from qchess.wrapping import folded, width


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("replay", help="play a record again, on any backend")
    places.add_record(parser)
    add_backend(parser, help="another backend than the record's")
    add_json(parser)
    writing.add_output(parser, writing.PRINTED)
    parser.set_defaults(run=run)


@writing.printed
def run(args: argparse.Namespace) -> int:
    """Shows what every turn came to, the last board and the result."""
    from qchess.arena.progress import Bars
    from qchess.playing.record import Record
    from qchess.playing.retelling import replay

    record = Record.from_json(places.text_of(args, "a game record"))
    told = places.with_rules(record, args.rules)
    with Bars() as bars:
        game = replay(told, backend=args.backend, told=bars.of("replay"))
    if args.json:
        record, view = game.record(), game.view()
        print_json({
            "game": record.game,
            "options": record.options,
            "backend": record.backend,
            "turns": [entry_data(entry) for entry in record.entries],
            "board": {**asdict(view), "signs": [[*squares, sign] for squares, sign in view.signs.items()]},
            "result": result_data(game.result),
        })  # fmt: skip
        return 0
    print(f"{game.rules.title} on {game.backend.name}")
    for number, played in enumerate(game.history, 1):
        print(*folded(f"{number:3}. {played.player}: {played}", width(), "     "), sep="\n")
    print(f"\n{game}\n\n{game.result or 'The game goes on.'}")
    return 0

"""``qchess replay``: plays a record again, on any backend, and shows how it went."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from qchess.commands.common import Commands, add_backend, add_json, entry_data, print_json, result_data
from qchess.reading import file_text
from qchess.wrapping import folded, width


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("replay", help="play a record again, on any backend")
    parser.add_argument(
        "file", metavar="FILE", help="a record, as `qchess play --record FILE` writes it; - for the input"
    )
    add_backend(parser, help="another backend than the record's")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Shows what every turn came to, the last board and the result."""
    from qchess.arena.progress import Bars
    from qchess.playing.retelling import replay

    text = file_text(args.file, "a game record")
    with Bars() as bars:
        game = replay(text, backend=args.backend, told=bars.of("replay"))
    if args.json:
        record = game.record()
        print_json({
            "game": record.game,
            "options": record.options,
            "backend": record.backend,
            "turns": [entry_data(entry) for entry in record.entries],
            "board": asdict(game.rules.view(game.position)),
            "result": result_data(game.result),
        })  # fmt: skip
        return 0
    print(f"{game.rules.title} on {game.backend.name}")
    for number, played in enumerate(game.history, 1):
        print(*folded(f"{number:3}. {played.player}: {played}", width(), "     "), sep="\n")
    print(f"\n{game}\n\n{game.result or 'The game goes on.'}")
    return 0

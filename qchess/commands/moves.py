"""``qchess moves``: the legal moves of a game, at the start or after some moves."""

from __future__ import annotations

import argparse

from qchess import writing
from qchess.commands.common import Commands, add_game_options, add_json, played_game, print_json, result_data


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("moves", help="the legal moves after some moves")
    parser.add_argument("game", metavar="GAME", help="a name from `qchess games`")
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="moves played before, with their answers")
    add_game_options(parser)
    add_json(parser)
    writing.add_output(parser, writing.PRINTED)
    parser.set_defaults(run=run)


@writing.printed
def run(args: argparse.Namespace) -> int:
    """Lists the legal moves, one a line."""
    game = played_game(args, args.moves)
    if args.json:
        print_json({
            "game": game.rules.name,
            "history": [played.text for played in game.history],
            "player": game.player,
            "moves": game.moves(),
            "result": result_data(game.result),
        })  # fmt: skip
    elif game.result:
        print(f"none: the game is over. {game.result}")
    else:
        print("\n".join(game.moves()))
    return 0

"""``qchess referee``: people play with wooden pieces and real dice, and qchess watches over the rules."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from qchess.commands.common import Commands, forgiving, option


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("referee", help="watch over a game on a real board with real dice")
    parser.add_argument("game", metavar="GAME", choices=("niels-chess", "niels-xiangqi"), help="%(choices)s")
    parser.add_argument(
        "--option", action="append", default=[], type=option, metavar="KEY=VALUE", help="an option of the game's rules"
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="keep the game in this file after every line, and go on from it"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Listens to the players until the game or the input ends."""
    from qchess.games.niels_chess.referee import Referee
    from qchess.playing.game import new
    from qchess.playing.keeping import Keeper
    from qchess.playing.replaying import load

    goes_on = args.record is not None and args.record.exists()
    game = load(args.record) if goes_on else new(args.game, **dict(args.option))
    forgiving(sys.stdin, sys.stdout)
    if args.record is None:
        Referee(game, sys.stdin, sys.stdout).run()
        return 0
    with Keeper(game, args.record, goes_on=goes_on) as keeper:
        if goes_on:
            print(f"Going on with {args.record}: {len(game.history)} turns were played.")
        Referee(game, sys.stdin, sys.stdout, keep=keeper.keep).run()
    return 0

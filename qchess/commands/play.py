"""``qchess play``: a game at the terminal, between people and agents."""

from __future__ import annotations

import argparse
from pathlib import Path

from qchess import writing
from qchess.commands import places
from qchess.commands.common import (
    Commands,
    add_device_options,
    add_game_options,
    backend_name,
    game_options,
    outcomes,
    whole,
)
from qchess.errors import InvalidMoveError

#: what `--resume` stands for without a file: the game played last
LATEST = ""


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("play", help="play at the terminal")
    parser.add_argument("game", nargs="?", metavar="GAME", help="a name from `qchess games`")
    add_seats(parser)
    add_game_options(parser)
    add_device_options(parser)
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the game in this file, after every move")
    writing.add_force(parser)
    parser.add_argument(
        "--resume",
        nargs="?",
        const=LATEST,
        metavar="FILE",
        help="go on with a saved game: the latest, or this file",
    )
    places.add_trust(parser)
    add_screen(parser)
    parser.set_defaults(run=run, ask_again=False, backend=None)  # a game that goes on has its own backend


def add_seats(parser: argparse.ArgumentParser) -> None:
    """Adds who plays."""
    others = "human, random, greedy or another agent, or the http:// address of a move server"
    first, second = ("--white", "--red", "--x"), ("--black", "--o")
    parser.add_argument(*first, metavar="PLAYER", help=f"who plays first: {others}; human is the default")
    parser.add_argument(*second, metavar="PLAYER", help="who plays second; greedy is the default")


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Adds how long to play, and what the screen can show."""
    parser.add_argument("--plies", type=whole(0), metavar="N", help="stop after this many turns")
    parser.add_argument("--colour", "--color", choices=("auto", "always", "never"), default="auto")
    parser.add_argument("--columns", type=whole(20, 1000), metavar="N", help="the width of the screen")


def run(args: argparse.Namespace) -> int:
    """Plays the game; however it ends, it is kept."""
    from qchess.commands import table
    from qchess.playing.game import new

    for player in filter(None, (args.white, args.black)):
        places.agent(player)

    if args.resume is not None:
        return table.resume(args, args.resume or None)
    args.backend = "sparse" if args.backend is None else args.backend
    if args.game is None:
        raise InvalidMoveError("which game? name one, such as: qchess play quantum-chess")
    game = new(args.game, backend=backend_name(args), seed=args.seed, source=outcomes(args), **game_options(args))
    return table.play(game, args, args.record)

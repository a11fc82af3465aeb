"""``qchess play``: a game at the terminal, between people and agents."""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.commands.common import Commands, add_game_options, forgiving, wants_colour

if TYPE_CHECKING:
    from qchess.playing.agents import Agent
    from qchess.playing.game import Game

HUMAN = "human"
INTERRUPTED = 130


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("play", help="play at the terminal")
    parser.add_argument("game", metavar="GAME", help="a name from `qchess games`")
    parser.add_argument(
        "--white",
        default=HUMAN,
        metavar="PLAYER",
        help="human (default), random, greedy, mcts@800 (simulations), mcts@1s (seconds), or the http:// address of a "
        "move server",
    )
    parser.add_argument("--black", default="greedy", metavar="PLAYER", help="the same; greedy is the default")
    add_game_options(parser)
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="keep the record of the game in this file, after every move"
    )
    parser.add_argument("--plies", type=int, metavar="N", help="stop after this many turns")
    parser.add_argument("--colour", "--color", choices=("auto", "always", "never"), default="auto")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays the game; however it ends, its record is kept or printed."""
    from qchess.playing.game import new
    from qchess.terminal.session import Terminal

    game = new(args.game, backend=args.backend, seed=args.seed, **dict(args.option))
    seats = dict(zip(game.rules.players, (args.white, args.black), strict=True))
    programs = {player: _program(name, game) for player, name in seats.items() if name != HUMAN}
    if args.record:
        args.record.open("a", encoding="utf-8").close()  # fails now rather than after the first move
    forgiving(sys.stdin, sys.stdout)
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # not on every system; with it, arrow keys edit the line
            import readline  # noqa: F401
    terminal = Terminal(
        game,
        programs,
        rng=random.Random(None if args.seed is None else f"agents {args.seed}"),  # not the dice of the game
        colour=wants_colour(args.colour, sys.stdout, dict(os.environ)),
        plies=args.plies,
        keep=lambda: _write(game, seats, args.record),
    )
    try:
        terminal.run()
    except KeyboardInterrupt:
        print("\nInterrupted.")
        return INTERRUPTED
    finally:
        _keep(game, seats, args.record)
    return 0


def _program(name: str, game: Game[Any, Any]) -> Agent:
    """An agent by its name, or the one behind an address."""
    if not name.startswith(("http://", "https://")):
        from qchess.playing import agents

        return agents.get(name)
    from qchess.games.quantum_chess.protocols.remote_player import RemotePlayer

    return RemotePlayer(name, token=os.environ.get("QCHESS_TOKEN"))


def _write(game: Game[Any, Any], seats: dict[str, str], file: Path | None) -> None:
    """Writes the record to its file, if there is one: whole or not at all, whatever happens meanwhile."""
    if not file:
        return
    text = game.record(**seats).to_json() + "\n"
    if not file.is_file():  # such as /dev/stdout
        file.write_text(text, encoding="utf-8")
        return
    place = file.resolve()  # a link stays, and what it points to is written
    draft = place.with_name(f"{place.name}.part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(place)


def _keep(game: Game[Any, Any], seats: dict[str, str], file: Path | None) -> None:
    """Leaves the record in its file, or prints it as one line to be copied."""
    from qchess.terminal.session import one_line_record

    if file:
        _write(game, seats, file)
        print(f"Record written to {file}; see it again with: qchess replay {file}")
    elif game.history:
        print(f"The record, for `qchess replay -`:\n{one_line_record(game.record(**seats))}")

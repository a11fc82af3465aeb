"""``qchess uqci``: an engine of Quantum Chess on standard input and output."""

from __future__ import annotations

import argparse
import sys

from qchess.commands.common import Commands, forgiving


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("uqci", help="a Quantum Chess engine on standard input and output")
    parser.add_argument("--player", default="greedy", metavar="PLAYER", help="random or greedy (default)")
    parser.add_argument("--rules", default="standard", metavar="PROFILE", help="standard (default) or sdk-0.2.2")
    parser.add_argument("--backend", default="sparse", metavar="B", help="a name from `qchess backends`")
    parser.add_argument("--seed", type=int, metavar="N", help="random seed")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answers lines until ``quit``."""
    from qchess.games.quantum_chess.protocols.uqci import Engine

    forgiving(sys.stdin, sys.stdout)
    Engine(args.player, seed=args.seed, backend=args.backend, profile=args.rules).run(sys.stdin, sys.stdout)
    return 0

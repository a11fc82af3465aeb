"""``qchess serve``: our players and our quantum boards for other programs, over HTTP."""

from __future__ import annotations

import argparse
import os
import signal
from contextlib import closing
from types import FrameType
from typing import TYPE_CHECKING

from qchess.commands.common import Commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from qchess.servers.http import LocalServer, Routes

#: where the token of a server is found, since everybody can read a command line
TOKEN = "QCHESS_TOKEN"
LAST_PORT = 65535


def add(commands: Commands) -> None:
    """Describes the command and what can be served."""
    parser = commands.add_parser("serve", help="serve a player or quantum boards over HTTP")
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=type(parser))
    move = kinds.add_parser("move", help="a custom computer player of Quantum Chess, asked by POST /move")
    move.add_argument("--player", default="greedy", metavar="PLAYER", help="random or greedy (default)")
    move.add_argument("--rules", default="standard", metavar="PROFILE", help="standard (default) or sdk-0.2.2")
    _add_common(move, usual=8001)
    move.set_defaults(run=run_move)
    state = kinds.add_parser("state", help="quantum boards for other engines: the Quantum Chess REST API")
    state.add_argument("--store", metavar="FILE", help="keep the boards in this file, and go on from it")
    _add_common(state, usual=8000)
    state.set_defaults(run=run_state)


def _add_common(parser: argparse.ArgumentParser, usual: int) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    parser.add_argument("--port", type=port, default=usual, metavar="N", help=f"the port (default {usual}; 0 for any)")
    parser.add_argument("--origin", action="append", default=[], metavar="O", help="a web page's origin that may ask")
    parser.add_argument("--backend", default="sparse", metavar="B", help="a name from `qchess backends`")
    parser.add_argument("--seed", type=int, metavar="N", help="random seed")
    parser.epilog = f"clients must send the token in the environment variable {TOKEN}, if there is one"


def run_move(args: argparse.Namespace) -> int:
    """Serves a player until it is interrupted."""
    from qchess.games.quantum_chess.protocols.move_server import VIEW_LIMIT, MoveServer

    server = MoveServer(args.player, seed=args.seed, profile=args.rules, backend=args.backend)
    return _serve(server.routes, args, limit=VIEW_LIMIT)


def run_state(args: argparse.Namespace) -> int:
    """Serves quantum boards until it is interrupted."""
    from qchess.games.quantum_chess.protocols.board_store import Store
    from qchess.games.quantum_chess.protocols.state_server import StateServer
    from qchess.servers.wire import BODY_LIMIT

    if args.store is None:
        return _serve(StateServer(args.backend, seed=args.seed).routes, args, limit=BODY_LIMIT)
    with closing(Store(args.store)) as store:
        return _serve(StateServer(args.backend, seed=args.seed, store=store).routes, args, limit=BODY_LIMIT)


def port(text: str) -> int:
    """A port that there is."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"expected a port from 0 to {LAST_PORT}, got {text!r}")
    return int(text)


def _heed_signals(server: LocalServer) -> None:
    """Lets Ctrl-C and a polite kill end the server once what it works on is answered; a second one ends it at once.

    A server that was started in the background hears them too, where Ctrl-C would be ignored.
    """

    def end(number: int, frame: FrameType | None) -> None:
        _on_signals(signal.default_int_handler)
        server.stop()

    _on_signals(end)


def _on_signals(handler: Callable[[int, FrameType | None], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def _serve(routes: Routes, args: argparse.Namespace, limit: int) -> int:
    from qchess.servers.http import LocalServer, Settings

    settings = Settings(origins=tuple(args.origin), token=os.environ.get(TOKEN) or None, limit=limit)
    server = LocalServer(routes, host=args.host, port=args.port, settings=settings)
    _heed_signals(server)
    print(f"Serving at {server.url} (stop with Ctrl-C)", flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        print("\nStopped at once.")
    else:
        print("\nStopped.")
    return 0

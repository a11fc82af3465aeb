"""``qchess web``: the board in a browser, for people around this machine or for everybody."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from qchess import private
from qchess.commands import places
from qchess.commands.common import Commands
from qchess.commands.serve import port

if TYPE_CHECKING:
    from qchess.web.settings import Settings

PORT = 8080
EXAMPLES = """\
examples:
  qchess web                                              play in the browser of this machine
  qchess web quantum-checkers                             at a table of this game at once
  qchess web --host 0.0.0.0                               with others in your network
  qchess web --public --origin https://play.example.org   behind a proxy that speaks TLS; see docs/web_hosts.md
"""


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "web",
        help="play, teach and watch in a browser",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "game", nargs="?", metavar="GAME",
        help="open a table of this game against a computer player; a game of your own as MODULE:CLASS",
    )  # fmt: skip
    parser.add_argument("--against", default="greedy", metavar="PLAYER", help="who plays the others' seats (greedy)")
    parser.add_argument("--preset", metavar="P", help="a small board by its name, from `qchess games`")
    parser.add_argument(
        "--store", metavar="PLACE", help="keep games in this file, or in postgresql://...; default: the user's folder"
    )
    parser.add_argument("--full", action="store_true", help="let the disk have each move before it is announced")
    parser.add_argument(
        "--bind", "--host", default="127.0.0.1", metavar="A", help="the address to listen on (this machine only)"
    )
    parser.add_argument("--port", type=port, default=PORT, metavar="N", help=f"the port (default {PORT}; 0 for any)")
    parser.add_argument(
        "--origin", action="append", default=[], metavar="O", help="the address that people use, with its scheme"
    )
    parser.add_argument(
        "--public", action="store_true", help="others are expected: agents, backends and registers are limited"
    )
    parser.add_argument(
        "--behind-proxy", action="store_true", help="believe the proxy of this machine whose a request is"
    )
    parser.add_argument(
        "--open", action=argparse.BooleanOptionalAction, default=None, help="open a browser (unless --public)"
    )
    parser.add_argument(
        "--plugin", action="append", default=[], metavar="M",
        help="import this module, or add the game at MODULE:CLASS, here and in every worker",
    )  # fmt: skip
    _add_limits(parser)
    parser.set_defaults(run=run)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("limits")
    for name, what in (
        ("workers", "worker processes for computer players and heavy positions"),
        ("sockets", "connected pages"),
        ("sockets-per-address", "connected pages of one address"),
        ("requests", "connections that are no pages' sockets"),
        ("requests-per-address", "such connections of one address"),
        ("tables-per-hour", "tables that one address opens"),
        ("branches", "the branches that a register may have"),
        ("plies", "the moves of a game"),
    ):
        limits.add_argument(f"--{name}", type=_count, metavar="N", help=what)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 10**9):
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted."""
    import contextlib
    import logging
    import signal

    from qchess.games import plug
    from qchess.web.serving import Serving

    if args.game and ":" in args.game:
        places.require_rules(args.game)
        args.plugin = [*args.plugin, args.game]
        args.game = plug(args.game)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    where = args.store or _own_store()
    server = Serving(_settings(args), store=where, full=args.full, bind=args.bind, port=args.port)
    path = server.opened_at_start(args.game, args.preset, args.against) if args.game else "/"
    print(f"Serving at {server.url} (stop with Ctrl-C)", flush=True)
    if path != "/":
        print(f"Your table: {server.url}{path}", flush=True)
    if args.open if args.open is not None else not args.public:
        server.when_started(lambda: _show(f"{server.url}{path}"))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both ways to stop end the same way
    with contextlib.suppress(KeyboardInterrupt):  # the server has ended by then; it passes the signal on
        server.run()
    print("\nStopped; what was played is kept.")
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    """The settings that these arguments ask for."""
    from qchess.web.settings import Settings

    made = Settings(
        origins=tuple(args.origin), public=args.public, plugins=tuple(args.plugin), proxied=args.behind_proxy
    )
    alone = args.bind in ("127.0.0.1", "::1", "localhost")
    if not args.public and (alone or args.origin):  # who sits at this machine may name any player and any backend
        made = replace(made, agents=(), backends=(), branches=2**20, opening_seconds=10.0)
    limits = ("workers", "sockets", "sockets_per_address", "requests", "requests_per_address", "tables_per_hour")
    given = {name: getattr(args, name) for name in (*limits, "branches", "plies")}
    return replace(made, **{name: value for name, value in given.items() if value is not None})


def _own_store() -> str:
    """The file in which games are kept if nobody names one."""
    from qchess.playing.keeping import folder

    place = folder().parent / "web.sqlite"
    private.make_folder(place.parent)
    private.close_to_others(place)
    return str(place)


def _show(address: str) -> None:
    """Opens a browser; where there is none, the address stands on the screen."""
    import webbrowser

    webbrowser.open(address)

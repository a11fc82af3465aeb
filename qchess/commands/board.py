"""``qchess board``: the board after some moves, as text or as a picture."""

from __future__ import annotations

import argparse

from qchess import writing
from qchess.commands.common import Commands, add_game_options, played_game, whole

FORMS = ("text", "svg", "png")
SUFFIXES = {".txt": "text", ".svg": "svg", ".png": "png"}


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("board", help="the board after some moves, as text or as a picture")
    parser.add_argument("game", metavar="GAME", help="a name from `qchess games`")
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="moves played before, with their answers")
    parser.add_argument("--to", choices=FORMS, metavar="FORM", help=f"one of {', '.join(FORMS)}")
    writing.add_output(parser, SUFFIXES)
    parser.add_argument("--from", dest="below", metavar="PLAYER", help="seen from this player's side")
    parser.add_argument("--style", choices=("auto", "light", "dark"), default="auto", help="of a picture")
    parser.add_argument("--size", type=int, default=400, metavar="PIXELS", help="the width of a picture")
    parser.add_argument("--columns", type=whole(20, 1000), default=80, metavar="N", help="the width of the text")
    parser.add_argument("--links", action="store_true", help="lines between linked squares, on a picture")
    parser.add_argument("--phases", action="store_true", help="dials of the phases, on a picture")
    parser.add_argument("--entanglement", action="store_true", help="which squares hang together, and how closely")
    add_game_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draws the board."""
    from qchess.errors import InvalidMoveError
    from qchess.showing import boardtext, picture, pixels, svg

    args.to = writing.form_of(args, SUFFIXES, "text")
    game = played_game(args, args.moves)
    view = game.view()
    below = args.below or view.players[0]
    if below not in view.players:
        raise InvalidMoveError(f"a board is seen from {' or '.join(view.players)}, got {below!r}")
    if not 40 <= args.size <= 8000:
        raise InvalidMoveError(f"a picture is 40 to 8000 pixels wide, got {args.size}")
    if args.entanglement and args.to == "text":
        from qchess.study.linktext import entanglement_text

        drawn = entanglement_text(game, columns=args.columns) + "\n"
    elif args.entanglement:
        from qchess.study.boards import entangled_board

        drawn = entangled_board(game, size=args.size, style=args.style, below=below).svg + "\n"
    elif args.to == "text":
        drawn = boardtext.draw(view, below=below, columns=args.columns) + "\n"
    else:
        asked = {"links": args.links, "phases": args.phases}
        drawn = svg.board(view, size=args.size, orientation=below, style=args.style, **asked)
        drawn = picture.labelled(drawn, game.about) + "\n"
    writing.write(args.output, pixels.png(drawn, args.size, args.style) if args.to == "png" else drawn, args.force)
    return 0

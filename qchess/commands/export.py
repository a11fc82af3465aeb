"""``qchess export``: a game as pictures, as an animated picture, or as a page that replays it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess import writing
from qchess.commands import places
from qchess.commands.common import Commands

if TYPE_CHECKING:
    from qchess.playing.game import Game

#: what a game is exported as, and what that is
FORMS = {
    "html": "a page that replays the game and needs no server",
    "svg": "a picture of a position",
    "png": "a PNG (needs the extra png)",
    "animated": "an animated SVG of the game",
}
#: what `-o` writes more, and what that is
RECORDS = {"json": "the record", "pgn": "PGN, of Quantum Chess", "pdn": "PDN, of quantum checkers"}
SUFFIXES = {f".{form}": form for form in ("html", "svg", "png", *RECORDS)}


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser("export", help="write a game as a page, a picture or an animation")
    places.add_record(parser, f"{places.FILE}; or a game in PGN or PDN")
    writing.add_output(parser, SUFFIXES)
    for form, what in FORMS.items():
        parser.add_argument(f"--{form}", metavar="FILE", type=Path, help=f"write {what}")
    parser.add_argument("--ply", type=int, metavar="N", help="of a picture: the position after N moves (the last)")
    parser.add_argument("--from", dest="below", metavar="PLAYER", help="seen from this player's side")
    parser.add_argument("--style", choices=("auto", "light", "dark"), default="auto", help="of pictures")
    parser.add_argument("--size", type=int, default=400, metavar="PIXELS", help="the width of pictures")
    parser.add_argument("--seconds", type=float, default=1.2, metavar="S", help="how long each position is shown")
    parser.add_argument("--game", type=int, default=1, metavar="N", help="which game of a file that holds several")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes each file that was asked for."""
    from qchess.errors import InvalidMoveError
    from qchess.playing.replaying import replay
    from qchess.web.studies.opening import record

    wanted = [(form, path) for form in FORMS if (path := getattr(args, form))]
    if args.output:
        wanted.append((writing.form(args.output, SUFFIXES), args.output))
    if not wanted:
        raise InvalidMoveError(f"choose a form: -o FILE ({', '.join(SUFFIXES)}), or --animated FILE")
    writing.check((path for _, path in wanted), args.force)
    game = replay(places.with_rules(record(places.text_of(args, "a game"), args.game), args.rules))
    _require(game, args)
    for form, path in wanted:
        data = _made(game, form, args)
        writing.write(path, data, args.force)
        if path != writing.STDOUT:
            print(f"{path}: {({**FORMS, **RECORDS})[form]}, {len(data)} bytes")
    return 0


def _require(game: Game[Any, Any], args: argparse.Namespace) -> None:
    """An error where the game has no such player, no such position, or no picture has such a size."""
    from qchess import reading
    from qchess.errors import InvalidMoveError

    players = game.rules.players
    args.below = args.below or players[0]
    if args.below not in players:
        raise InvalidMoveError(f"a board is seen from {' or '.join(players)}, got {args.below!r}")
    if not 40 <= args.size <= 8000:
        raise InvalidMoveError(f"a picture is 40 to 8000 pixels wide, got {args.size}")
    moves = len(game.history)
    args.ply = moves if args.ply is None else reading.integer(args.ply, "how many moves were played", 0, moves)


def _made(game: Game[Any, Any], form: str, args: argparse.Namespace) -> bytes:
    from qchess.showing import pixels, svg
    from qchess.web.studies import exports

    if form in RECORDS:
        return _notation(game, form).encode()
    if form == "html":
        return exports.page(game).encode()
    if form == "animated":
        shown = {"size": args.size, "below": args.below, "style": args.style, "seconds": args.seconds}
        return exports.animated(game, **shown).encode()
    drawn = svg.board(game.view(args.ply), size=args.size, orientation=args.below, style=args.style) + "\n"
    return pixels.png(drawn, args.size, args.style) if form == "png" else drawn.encode()


def _notation(game: Game[Any, Any], form: str) -> str:
    """The game's record, or its text in a notation that this game has."""
    from qchess.errors import InvalidMoveError
    from qchess.games import catalogue

    record = game.record()
    if form == "json":
        return record.to_json() + "\n"
    found = [row.written(record, form) for row in catalogue.rows() if row.name == record.game]
    if not found or found[0] is None:
        raise InvalidMoveError(f"{game.rules.title} is not written as {form.upper()}; choose .json for its record")
    return found[0]

"""``qchess analyse``: a game's registers, branches, entropies and circuits, turn by turn."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from qchess import writing
from qchess.commands import places
from qchess.commands.common import Commands, say
from qchess.errors import InvalidMoveError

if TYPE_CHECKING:
    from qchess.playing.record import Record

FORMS = ("text", "json", "html")
SUFFIXES = {".txt": "text", ".json": "json", ".html": "html"}
LEVELS = ("naive", "exact", "aware")


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "analyse",
        help="a game turn by turn: registers, branches, entropies, two-qubit gates",
        description="Shows the quantum figures of a game, turn by turn. Every figure comes from exact amplitudes.",
    )
    places.add_record(parser, f"{places.FILE}; or a PGN file of Quantum Chess")
    parser.add_argument("--to", choices=FORMS, metavar="FORM", help=f"one of {', '.join(FORMS)}")
    parser.add_argument("--json", action="store_const", const="json", dest="to", help="the same as --to json")
    writing.add_output(parser, SUFFIXES, "--out")
    parser.add_argument("--game", metavar="N", type=int, help="which game of a PGN file, from 1")
    parser.add_argument("--level", choices=LEVELS, default="aware", help="how circuits are compiled to be counted")
    parser.add_argument("--backend", metavar="B", default="sparse", help="the backend used to replay the game (sparse)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replays the record and writes its timeline."""
    from qchess.arena.progress import Bars
    from qchess.playing.replaying import replay
    from qchess.study.timeline import timeline

    to = writing.form_of(args, SUFFIXES, "text")
    record = places.with_rules(_record(places.text_of(args, "a game"), args.game), args.rules)
    with Bars() as bars:
        game = replay(record, backend=args.backend, told=bars.of("replay"))
        told = timeline(game, args.level, told=bars.of("analyse"))
    if to == "json":
        written = json.dumps(told.values(), indent=1, ensure_ascii=False)
    elif to == "html":
        from qchess.study.page import page

        written = page(game, told)
    else:
        written = told.text()
    if args.output is None or args.output == writing.STDOUT:
        print(written) if to != "text" else say(written)
    else:
        writing.write(args.output, written + "\n", args.force)
        print(f"written: {args.output}")
    return 0


def _record(text: str, number: int | None) -> Record:
    """The record of the text, which is one itself or holds games as PGN."""
    from qchess.playing.record import Record

    if text.lstrip().startswith("{"):
        if number is not None:
            raise InvalidMoveError(f"--game goes with a PGN file, got a record and --game {number}")
        return Record.from_json(text)
    from qchess.games.quantum_chess import pgn

    records = pgn.loads(text)
    if not records:
        raise InvalidMoveError("expected a game record or a PGN file, got a text without a game")
    if number is None and len(records) == 1:
        return records[0]
    if number is None or not 1 <= number <= len(records):
        came = "" if number is None else f", got {number}"
        raise InvalidMoveError(f"the file holds {len(records)} games; name one with --game{came}")
    return records[number - 1]

"""``qchess analyse``: a game's registers, branches, entropies and circuits, turn by turn."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from qchess.commands.common import Commands, say
from qchess.errors import InvalidMoveError
from qchess.reading import file_text

if TYPE_CHECKING:
    from qchess.playing.record import Record

FORMS = ("text", "json", "html")
LEVELS = ("naive", "exact", "aware")


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "analyse",
        help="a game turn by turn: registers, branches, entropies, two-qubit gates",
        description="Shows the quantum figures of a game, turn by turn. Every figure comes from exact amplitudes.",
    )
    parser.add_argument("file", metavar="RECORD", help="a record or a PGN file of Quantum Chess; - for the input")
    parser.add_argument("--to", choices=FORMS, default="text", metavar="FORM", help=f"one of {', '.join(FORMS)}")
    parser.add_argument("--json", action="store_const", const="json", dest="to", help="the same as --to json")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write there, not to the screen")
    parser.add_argument("--game", metavar="N", type=int, help="which game of a PGN file, from 1")
    parser.add_argument("--level", choices=LEVELS, default="aware", help="how circuits are compiled to be counted")
    parser.add_argument("--backend", metavar="B", default="sparse", help="the backend used to replay the game (sparse)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replays the record and writes its timeline."""
    from qchess.arena.progress import Bars
    from qchess.playing.retelling import replay
    from qchess.study.timeline import timeline

    if args.out is not None and args.out.exists():
        raise InvalidMoveError(f"{str(args.out)!r} exists already; no file is overwritten")
    text = file_text(args.file, "a game")
    with Bars() as bars:
        game = replay(_record(text, args.game), backend=args.backend, told=bars.of("replay"))
        told = timeline(game, args.level, told=bars.of("analyse"))
    if args.to == "json":
        written = json.dumps(told.values(), indent=1, ensure_ascii=False)
    elif args.to == "html":
        from qchess.study.page import page

        written = page(game, told)
    else:
        written = told.text()
    if args.out is None:
        print(written) if args.to != "text" else say(written)
    else:
        args.out.write_text(written + "\n", encoding="utf-8")
        print(f"written: {args.out}")
    return 0


def _record(text: str, number: int | None) -> Record | str:
    """The record of the text, which is one itself or holds games as PGN."""
    if text.lstrip().startswith("{"):
        if number is not None:
            raise InvalidMoveError(f"--game goes with a PGN file, got a record and --game {number}")
        return text
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

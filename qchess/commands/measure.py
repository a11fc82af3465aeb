"""``qchess measure``: a game's questions, asked again on devices, side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from qchess import writing
from qchess.commands import places
from qchess.commands.common import Commands, add_backend, add_json, add_workers, print_json
from qchess.reading import file_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qchess.showing.comparing import Row

#: the width of a picture in pixels
WIDE = 1800
#: what is written: the table or the picture
SUFFIXES = {**writing.PRINTED, ".svg": "svg", ".png": "png"}
PICTURES = {suffix: SUFFIXES[suffix] for suffix in (".svg", ".png")}


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "measure",
        help="ask a game's questions again on devices, side by side",
        description="Asks every measured question of a game again on each device. The same command goes on.",
    )
    parser.add_argument("file", metavar="FILE", help="a record, or a name from `qchess games --saved`")
    places.add_rules(parser)
    add_backend(
        parser, action="append", required=True, metavar="D",
        help="a device with its settings, such as ibm-fake:nairobi,strategy=replay; may be given again",
    )  # fmt: skip
    parser.add_argument("--to", type=Path, metavar="FILE", help="keep what was measured here, not beside the game")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="also draw the devices into this file, .svg or .png"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what each device would be sent, and send nothing")
    parser.add_argument("--seed", type=int, metavar="N", help="random seed")
    add_workers(parser)
    add_json(parser)
    writing.add_output(parser, SUFFIXES)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measures what is not measured yet, and prints the table or writes it to the file of ``-o``."""
    pictures = _pictures(args)  # nobody waits and pays for it first
    if args.output in pictures:
        return _run(args, pictures)
    return writing.printed(lambda args: _run(args, pictures))(args)


def _run(args: argparse.Namespace, pictures: Sequence[Path]) -> int:
    from dataclasses import asdict

    from qchess.arena.progress import Bars
    from qchess.backends.devices.queued import QueuedSource
    from qchess.playing.foreseeing import foresee
    from qchess.playing.keeping import named
    from qchess.playing.measuring import measure, opened
    from qchess.playing.record import Record
    from qchess.showing.comparing import rows, text

    file = named(args.file)
    record = places.with_rules(Record.from_json(file_text(file, "a game record")), args.rules)
    to = args.to or file.with_name(f"{file.stem}.measured.jsonl")
    if args.dry_run:
        told = foresee(record, args.backend, to)
        if args.json:
            print_json([one.values() for one in told])
        else:
            print(*told, sep="\n")
        return 0
    devices = opened(record, args.backend, to, args.seed)
    if queues := [one for one in devices if not isinstance(one, str) and isinstance(one.source(0), QueuedSource)]:
        print(*foresee(record, queues, to), sep="\n", file=sys.stderr)
    with Bars(to) as bars:
        measured = measure(
            record, devices, to, seed=args.seed, workers=args.workers, cluster=args.cluster, told=bars.of("measure")
        )
    made = rows(measured)
    if args.json:
        print_json([asdict(row) for row in made])
    else:
        print(f"{text(made)}\nsaved in {to}")
    for picture in pictures:
        _draw(made, picture, args.force)
    return 0


def _pictures(args: argparse.Namespace) -> list[Path]:
    """The pictures to draw, of ``--picture`` and ``-o``; an error where one cannot be drawn or written."""
    from qchess.showing.pixels import png

    writing.check([args.output, args.picture], args.force)
    if args.picture:
        writing.form(args.picture, PICTURES)
    if args.output and args.output.suffix:
        writing.form(args.output, SUFFIXES)
    found = [file for file in (args.picture, args.output) if file and file.suffix.lower() in PICTURES]
    if any(writing.form(file, PICTURES) == "png" for file in found):
        png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 1)  # it needs an extra
    return found


def _draw(made: Sequence[Row], file: Path, force: bool) -> None:
    from qchess.showing.pixels import png
    from qchess.showing.svgdevices import picture

    drawn = picture(made)
    writing.write(file, png(drawn, WIDE) if writing.form(file, PICTURES) == "png" else drawn + "\n", force)

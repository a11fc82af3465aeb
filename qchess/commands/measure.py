"""``qchess measure``: a game's questions, asked again on devices, side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from qchess.commands.common import Commands, add_backend, add_json, print_json
from qchess.errors import InvalidMoveError
from qchess.reading import file_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qchess.showing.comparing import Row

#: the width of a picture in pixels
WIDE = 1800


def add(commands: Commands) -> None:
    """Describes the command."""
    parser = commands.add_parser(
        "measure",
        help="ask a game's questions again on devices, side by side",
        description="Asks every measured question of a game again on each device. The same command goes on.",
    )
    parser.add_argument("file", metavar="FILE", help="a record, or a name from `qchess games --saved`")
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
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measures what is not measured yet, and prints the table."""
    from dataclasses import asdict

    from qchess.arena.progress import Bars
    from qchess.backends.devices.queued import QueuedSource
    from qchess.playing.keeping import named
    from qchess.playing.measuring import foresee, measure, opened
    from qchess.playing.record import Record
    from qchess.showing.comparing import rows, text

    if args.picture:
        _check_picture(args.picture)  # nobody waits and pays for it first
    file = named(args.file)
    record = Record.from_json(file_text(file, "a game record"))
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
    with Bars() as bars:
        made = rows(measure(record, devices, to, seed=args.seed, told=bars.of("measure")))
    if args.json:
        print_json([asdict(row) for row in made])
    else:
        print(f"{text(made)}\nkept in {to}")
    if args.picture:
        _draw(made, args.picture)
    return 0


def _check_picture(file: Path) -> None:
    """Refuses a file that no picture can be drawn into."""
    from qchess.showing.pixels import png

    if not file.parent.is_dir():
        raise InvalidMoveError(f"--picture names a file in a folder that is there, got {str(file)!r}")
    if file.suffix.lower() not in (".svg", ".png"):
        raise InvalidMoveError(f"--picture names a file that ends with .svg or .png, got {str(file)!r}")
    if file.suffix.lower() == ".png":
        png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 1)


def _draw(made: Sequence[Row], file: Path) -> None:
    from qchess.showing.pixels import png
    from qchess.showing.svgdevices import picture

    if file.suffix.lower() == ".svg":
        file.write_text(picture(made) + "\n", encoding="utf-8")
    else:
        file.write_bytes(png(picture(made), WIDE))

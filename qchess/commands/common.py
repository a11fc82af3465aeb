"""What commands share: arguments that name a game, and data as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from qchess.backends import options
from qchess.wording import folded, width

if TYPE_CHECKING:
    from qchess.circuits.engine import Source
    from qchess.playing.game import Game
    from qchess.playing.record import Entry
    from qchess.rules import Result

Commands = Any  # argparse keeps the class of `add_subparsers()` to itself


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Adds what every command that sets up a game understands."""
    add_backend(parser, default="sparse", help="a name from `qchess backends`, or a device of yours as MODULE:NAME")
    parser.add_argument("--seed", type=int, metavar="N", help="random seed")
    parser.add_argument("--preset", metavar="P", help="a small board by its name, from `qchess games`")
    parser.add_argument(
        "--option", action="append", default=[], type=option, metavar="KEY=VALUE", help="an option of the game's rules"
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Adds what says where the work is done."""
    parser.add_argument("--workers", type=whole(1, 1000), default=1, metavar="N", help="processes on this machine")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786, or local-cluster (extra dask)"
    )


def add_backend(parser: argparse.ArgumentParser, **more: Any) -> None:
    """Adds which backend is meant; where code of the user's is named, it becomes one."""
    parser.add_argument("--backend", type=_backend, **{"metavar": "B", **more})


def _backend(name: str) -> str:
    if ":" not in name:
        return name
    from qchess.backends.devices.adapters import enlist

    return enlist(name)


def add_device_options(parser: argparse.ArgumentParser) -> None:
    """Adds how a device is asked, and where answers come from if not from the backend."""
    parser.add_argument("--strategy", choices=("reprepare", "replay"), help="how a device is given a register")
    parser.add_argument("--shots", type=int, metavar="N", help="how many shots a device takes for a question")
    parser.add_argument(
        "--outcomes",
        metavar="qrng:...",
        help="draw answers with measured bits: a pool's file, a device, or POOL@DEVICE",
    )


def backend_name(args: argparse.Namespace) -> str:
    """The backend's name with the settings that were given beside it, as a record keeps them."""
    return with_device_options(args.backend, args)


def with_device_options(name: str, args: argparse.Namespace) -> str:
    """This backend's name with the settings that were given."""
    given = {"strategy": args.strategy, "shots": args.shots}
    return options.with_options(name, {key: value for key, value in given.items() if value is not None})


def outcomes(args: argparse.Namespace) -> Source | None:
    """Where answers are drawn from, if not from the backend."""
    if args.outcomes is None:
        return None
    from qchess.backends.qrng.source import outcomes as named

    return named(args.outcomes, seed=args.seed)


def game_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the game's rules: those of the preset, and over them those that were given."""
    from qchess.commands import places
    from qchess.games import presets

    places.game(args.game)
    preset = presets.options(args.game, args.preset) if args.preset else {}
    return {**preset, **dict(args.option)}


def require_game(args: argparse.Namespace) -> None:
    """An error where there is no such game, or it does not take these options."""
    from qchess.games import rules

    rules(args.game, **game_options(args))


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds ``--json``."""
    parser.add_argument("--json", action="store_true", help="print the data as JSON")


def option(text: str) -> tuple[str, Any]:
    """A rule option from ``key=value``; the value is JSON, a word such as True, or else plain text.

    >>> option('limit=5'), option('fen=8/8 w')
    (('limit', 5), ('fen', '8/8 w'))
    """
    return options.option(text, "expected KEY=VALUE", argparse.ArgumentTypeError)


def rule_options(words: Sequence[str]) -> list[tuple[str, Any]] | None:
    """Rule options written as options of the command; None if the words are something else.

    >>> rule_options(['--level', '2', '--size=8']), rule_options(['--level'])
    ([('level', 2), ('size', 8)], None)
    """
    found, left = [], list(words)
    while left:
        name, sign, value = left.pop(0).partition("=")
        if not sign and left and not left[0].startswith("--"):
            sign, value = "=", left.pop(0)
        key = name.removeprefix("--").replace("-", "_")
        if not sign or not name.startswith("--") or not key.isidentifier():
            return None
        found.append(option(f"{key}={value}"))
    return found


def played_game(args: argparse.Namespace, moves: Sequence[str]) -> Game[Any, Any]:
    """The game of these arguments after some moves, which carry their answers unless dice of a seed give them.

    No device is asked, which may cost money.
    """
    from qchess import backends
    from qchess.circuits.sources import FixedAnswers, Seeded
    from qchess.games import rules
    from qchess.playing.game import Game
    from qchess.playing.replaying import replay_moves

    must_tell = FixedAnswers((), hint="write the answer with the move, or give --seed")
    source = must_tell if args.seed is None else Seeded(args.seed)
    game = Game(rules(args.game, **game_options(args)), backends.get(args.backend), seed=args.seed, source=source)
    replay_moves(game, moves, source=source)
    return game


def whole(low: int, high: int = 10**9) -> Callable[[str], int]:
    """Return the type of an option that takes a whole number in a range, ends included.

    >>> whole(1)('12')
    12
    """

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected a whole number from {low} to {high}, got {text!r}")
        return value

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """Return the type of an option that takes a number in a range, ends included; not-a-number is in none."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected a number from {low:g} to {high:g}, got {text!r}")
        return value

    return read


def wholes(low: int, high: int = 10**9) -> Callable[[str], tuple[int, ...]]:
    """Return the type of an option that takes several whole numbers, with commas between them."""
    return lambda text: tuple(map(whole(low, high), text.split(",")))


def say(text: str, indent: str = "  ") -> None:
    """Prints a text in lines that fit the screen."""
    print("\n".join(folded(text, width(), indent)))


def print_json(data: Any) -> None:
    """Prints data as JSON."""
    print(json.dumps(data, indent=1, ensure_ascii=False, default=list))


def result_data(result: Result | None) -> dict[str, Any] | None:
    """A result as JSON data."""
    return asdict(result) if result else None


def entry_data(entry: Entry) -> dict[str, Any]:
    """A turn as JSON data."""
    return asdict(entry)


def wants_colour(choice: str, stream: TextIO, environment: dict[str, str]) -> bool:
    """Whether to write ANSI colours: ``always``, ``never``, or ``auto`` as the terminal and NO_COLOR say."""
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def forgiving(*streams: TextIO) -> None:
    """Lets standard streams replace what they cannot read or write, instead of failing on it."""
    for stream in streams:
        if stream in (sys.stdin, sys.stdout, sys.stderr) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")

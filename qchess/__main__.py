"""The command line: ``qchess`` and ``python -m qchess``."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TextIO

from qchess import __version__
from qchess._early import usual_interrupt
from qchess.commands import ELSEWHERE, MODULES, needed
from qchess.commands.common import forgiving, rule_options
from qchess.refusals import plain, sentence
from qchess.terminal.spoken import spoken

BAD_INPUT, INTERRUPTED = 2, 130
EXAMPLES = """\
examples:
  qchess play quantum-chess --seed 7      a game against the greedy agent
  qchess moves quantum-chess b1^a3c3      the replies to a split
  qchess learn quantum-chess              lessons: predict, move, see
"""


class Parser(argparse.ArgumentParser):
    """Reports in one line what was wrong with a command."""

    def error(self, message: str) -> NoReturn:
        """Exit with the code for bad input."""
        self.exit(BAD_INPUT, f"{self.prog}: {plain(message)}; see {self.prog} --help\n")


def parser(names: Sequence[str] = MODULES) -> Parser:
    """Return the parser of these commands: of all, where nobody says which one is meant."""
    top = Parser(
        prog="qchess",
        description="Quantum board games. Each move is a quantum circuit.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"qchess {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for name in names:
        import_module(f"qchess.commands.{name}").add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0, or 2 with one line on what was wrong."""
    try:
        usual_interrupt()
        _open_streams()
        forgiving(sys.stdout, sys.stderr)
        return _ended(argv)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    try:
        words = spoken(sys.argv[1:] if argv is None else argv, (*MODULES, *ELSEWHERE))
        top = parser(needed(words))
        args, more = top.parse_known_args(words)
        if more and (further := rule_options(more)) is not None and hasattr(args, "option"):
            args.option = [*args.option, *further]
        elif more:
            top.error(f"unrecognized arguments: {' '.join(more)}")
        if not hasattr(args, "run"):
            top.print_help()
            return 0
        code: int = args.run(args)
    except SystemExit as done:
        return int(done.code or 0)
    return code


def _ended(argv: Sequence[str] | None) -> int:
    """Run until everything is written, and say in one line what went wrong, if somebody still reads."""
    try:
        try:
            code = _run(argv)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except ModuleNotFoundError as error:
            return _refused(f"this needs the package {error.name!r}, which is not installed")
        except OSError as error:
            if error.filename is None and error.errno == errno.ENOSPC:
                _drop(sys.stdout)  # nothing more is written where there is no room
            return _refused(sentence(error))
        except ValueError as error:
            return _refused(sentence(error))
        sys.stderr.flush()
    except BrokenPipeError:
        return _closed_early()
    return code


def _refused(why: str) -> int:
    print(f"qchess: {why}", file=sys.stderr, flush=True)
    return BAD_INPUT


def _open_streams() -> None:
    """Replace streams that the caller closed: input reads as empty, output is dropped."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - it stays open


def _closed_early() -> int:
    """Drop the remaining output where the reader, such as `head`, has stopped."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            _drop(stream)
    return 0


def _drop(stream: TextIO) -> None:
    """Drop what is still to be written to a stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())

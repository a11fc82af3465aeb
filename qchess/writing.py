"""Files that commands write: one option, and one rule for all.

The suffix of the file says in which form it is written. A file that is there stays as it is unless ``--force`` is
given, and a file is written whole or not at all.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout, suppress
from functools import wraps
from pathlib import Path
from typing import TypeVar

from qchess.errors import InvalidMoveError

T = TypeVar("T")
Run = Callable[[argparse.Namespace], int]
#: the standard output, as a file
STDOUT = Path("-")
#: the forms of what is printed
PRINTED = {".txt": "text", ".json": "json"}


def add_output(parser: argparse.ArgumentParser, suffixes: Iterable[str], *older: str) -> None:
    """Adds ``-o FILE`` and ``--force``; `older` are further names of the same option."""
    listed = ", ".join(suffixes)
    parser.add_argument(
        "-o", "--output", *older, dest="output", type=Path, metavar="FILE",
        help=f"write to this file, in the form of its suffix: {listed}; - for the screen",
    )  # fmt: skip
    add_force(parser)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Adds ``--force``."""
    parser.add_argument("--force", action="store_true", help="overwrite files that exist")


def form(file: Path, forms: Mapping[str, T]) -> T:
    """Return the form that the suffix of a file names; a sentence lists those that the command writes.

    >>> form(Path('x.SVG'), {'.svg': 'svg', '.png': 'png'})
    'svg'
    """
    found = forms.get(file.suffix.lower())
    if found is None:
        raise InvalidMoveError(f"expected a file that ends with {_either(forms)}, got {str(file)!r}")
    return found


def form_of(args: argparse.Namespace, forms: Mapping[str, T], usual: T) -> T:
    """Return the form to write: that of ``--to``, or else of the suffix of ``-o``, or else the usual one.

    The file is checked before any work.
    """
    check([args.output], args.force)
    if args.to is not None or args.output is None or not args.output.suffix:
        return usual if args.to is None else args.to
    return form(args.output, forms)


def _either(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def check(files: Iterable[Path | None], force: bool) -> None:
    """Refuses files that cannot be written, or that exist already and are not to be overwritten."""
    for file in files:
        if file is not None and file != STDOUT:
            try:
                _check(file, force)
            except OSError as error:
                raise _refused(file, error) from error


def _check(file: Path, force: bool) -> None:
    name, folder = repr(str(file)), file.parent
    if file.is_dir():
        raise InvalidMoveError(f"expected a file to write, {name} is a folder")
    if file.exists() and not file.is_file():
        return  # a pipe or a terminal: nothing is lost
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "is not there"
        raise InvalidMoveError(f"{name} cannot be written: the folder {str(folder)!r} {what}")
    if file.exists() and not force:
        raise InvalidMoveError(f"{name} exists already; add --force to overwrite it")
    if not os.access(folder, os.W_OK):
        raise InvalidMoveError(f"{name} cannot be written: nothing may be written in the folder {str(folder)!r}")


def _refused(file: Path, error: OSError) -> InvalidMoveError:
    return InvalidMoveError(f"{str(file)!r} cannot be written: {(error.strerror or type(error).__name__).lower()}")


def write(file: Path | None, data: str | bytes, force: bool = False) -> None:
    """Writes a file whole or not at all; without a file, or for ``-``, writes to the standard output."""
    content = data.encode() if isinstance(data, str) else data
    if file is None or file == STDOUT:
        _print(content)
        return
    check([file], force)
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    real = file.resolve()
    beside = real.with_name(f".{real.name}.{os.getpid()}.new")
    try:
        beside.write_bytes(content)
        if real.exists():
            beside.chmod(real.stat().st_mode & 0o7777)
        beside.replace(real)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise _refused(file, error) from error


def write_all(written: Mapping[Path, str], force: bool) -> None:
    """Writes several files, or none if one of them exists already."""
    check(written, force)
    for file, text in written.items():
        write(file, text, force)


def _print(content: bytes) -> None:
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is not None:
        stream.write(content)
    else:
        sys.stdout.write(content.decode("utf-8"))


def printed(run: Run) -> Run:
    """Let a command that prints text, or JSON with ``--json``, print into the file of ``-o``."""

    @wraps(run)
    def into_file(args: argparse.Namespace) -> int:
        check([args.output], args.force)
        if args.output and args.output.suffix:
            args.json = form(args.output, PRINTED) == "json" or args.json
        return capture(args, run)

    return into_file


def capture(args: argparse.Namespace, run: Run) -> int:
    """Run what prints, and write what it prints to the file of ``-o``, if there is one."""
    if args.output is None or args.output == STDOUT:
        return run(args)
    with redirect_stdout(io.StringIO()) as text:
        code = run(args)
    write(args.output, text.getvalue(), args.force)
    return code

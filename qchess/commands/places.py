"""Where games lie: in files, saved by themselves, or as rules and agents of one's own at ``module:Class``.

Code that is named so is run. So only what somebody types at the command line is looked up here, never a record's names.
"""

from __future__ import annotations

import difflib
import sys
from dataclasses import replace
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.errors import InvalidMoveError, QchessError
from qchess.reading import file_text, shown

if TYPE_CHECKING:
    import argparse

    from qchess.playing.agents import Agent, Choice, Task
    from qchess.playing.record import Record

FILE = "a record, a name from `qchess games --saved`, or - for the input; without one, the game played last"


def game(name: str) -> str:
    """Add the rules at ``module:Class`` to the catalogue of this process, and return the name as it came."""
    if ":" not in name:
        return name
    from qchess.games import catalogue

    require_rules(name)
    if name not in catalogue.names():
        catalogue.register(catalogue.Row(name, "named by its place", name))
    return name


def require_rules(place: str) -> None:
    """An error where no rules stand at ``module:Class``."""
    from qchess.rules import Rules

    found = _at(place, "a game")
    if not (isclass(found) and issubclass(found, Rules)):
        raise InvalidMoveError(f"{place} is not a game: expected a subclass of qchess.rules.Rules, got {found!r}")


def agent(name: str) -> str:
    """Add the agent at ``module:Class`` or ``module:function`` to the catalogue, and return the name as it came."""
    place = name.partition("@")[0]
    if not is_place(name) or place.startswith(("http:", "https:")):
        return name
    from qchess.playing.agents import names, register

    if place.partition(":")[0] in names():
        return name  # an agent of ours with something wrong behind it, which is said where it is read
    place = ":".join(place.split(":")[:2])
    maker = found = _at(place, "an agent")
    if isfunction(found):
        register(place, lambda: Chooser(place, found))
    elif isclass(found) and callable(getattr(found, "choose", None)):
        register(place, maker)
    else:
        raise InvalidMoveError(
            f"{place} is not an agent: expected a class with choose(task), or a function of a task; got {found!r}"
        )
    return name


def is_place(name: str) -> bool:
    """Return whether a game or an agent is named by its place."""
    _, colon, rest = name.partition("@")[0].partition(":")
    return bool(colon) and "=" not in rest.partition(":")[0]


class Chooser:
    """An agent made of a function from a task to a `Choice`, a move, or a move's text."""

    def __init__(self, name: str, function: Any) -> None:
        self.name, self.function = name, function

    def choose(self, task: Task) -> Choice:
        """Return what the function chooses."""
        from qchess.playing.agents import Choice

        chosen = self.function(task)
        return chosen if isinstance(chosen, Choice) else Choice(task.rules.turn(task.position, chosen).move)


def _at(place: str, what: str) -> Any:
    """What stands at ``module:name``; the current folder is searched first, as ``python -m`` does."""
    module, _, name = place.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), name)):
        raise InvalidMoveError(f"expected {what} of your own as MODULE:NAME, got {place!r}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in {module, module.partition(".")[0]}:
            raise
        raise InvalidMoveError(f"there is no module {module!r}, neither in this folder nor installed") from error
    except Exception as error:
        raise InvalidMoveError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    if not hasattr(loaded, name):
        near = difflib.get_close_matches(name, dir(loaded), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InvalidMoveError(f"the module {module!r} has no {name!r}{hint}")
    return getattr(loaded, name)


# -- games in files ---------------------------------------------------------------------------------------


def add_record(parser: argparse.ArgumentParser, about: str = FILE) -> None:
    """Adds the file of a game, which may be left out, and ``--rules``."""
    parser.add_argument("file", nargs="?", metavar="FILE", help=about)
    add_rules(parser)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Adds ``--rules``, without which a record of a game of one's own cannot be read."""
    parser.add_argument("--rules", metavar="MODULE:CLASS", help="the rules, if it is a game of your own")


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Adds ``--trust``."""
    parser.add_argument("--trust", action="store_true", help="open the devices and pools that the file names")


def trusted(record: Record, file: Path, args: argparse.Namespace) -> bool:
    """Return whether what the record asks for may be opened: its game is one's own, or the user says so now."""
    from qchess.playing.keeping import is_own
    from qchess.playing.replaying import asked_for, waits_here

    if args.trust or is_own(file) or waits_here(record):
        return True
    asked = asked_for(record)
    if not asked or (args.backend is not None and not args.ask_again):
        return False
    if sys.stdin.isatty() and sys.stdout.isatty():
        print(f"{file} asks for {asked}.", flush=True)
        if input("Open it? (y/N) ").strip().lower() in ("y", "yes"):
            return True
    raise InvalidMoveError(
        f"{shown(str(file))} asks for {asked}; add --trust to open it, or go on with --backend sparse"
    )


def text_of(args: argparse.Namespace, what: str) -> str:
    """Return the text of the file, or of the game played last, which is then named on the standard error."""
    from qchess.playing.keeping import named

    if args.file == "-":
        return file_text("-", what)
    if args.file is not None:
        return file_text(named(args.file), what)
    file = latest()
    print(f"the game played last: {file}", file=sys.stderr)
    return file_text(file, what)


def latest(*, going_on: bool = False) -> Path:
    """Return the file of the game that was played last, or of the last one that is not over."""
    from qchess.playing.keeping import kept
    from qchess.playing.record import Record

    for path in kept():
        try:
            record = Record.from_json(path.read_text(encoding="utf-8"))
        except (QchessError, OSError, UnicodeError) as error:
            print(f"{path.name} cannot be read and is left as it is: {error}", file=sys.stderr)
            continue
        if record.result is None or not going_on:
            return path
    raise InvalidMoveError(f"no saved game is {'going on' if going_on else 'here'}; begin one with `qchess play GAME`")


def with_rules(record: Record, place: str | None) -> Record:
    """Return the record of a game of ours, or of the game at ``MODULE:CLASS``.

    A record names no code. So the place of a game of one's own is given each time that its record is read.
    """
    from qchess.games import catalogue

    if place is None:
        if record.game not in catalogue.names():
            raise InvalidMoveError(
                f"no game is called {shown(record.game)} here; for a game of your own, add --rules MODULE:CLASS"
            )
        return record
    if ":" not in place:
        raise InvalidMoveError(f"expected --rules MODULE:CLASS, got {place!r}")
    name = catalogue.rules(game(place), **record.options).name
    if name != record.game:
        raise InvalidMoveError(f"the record is of a game called {shown(record.game)}, and {place} is {name!r}")
    return replace(record, game=place)


if TYPE_CHECKING:

    def _is_an_agent(made: Chooser) -> Agent:
        return made

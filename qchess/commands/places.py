"""Games and agents of one's own, named by their place as ``module:Class``.

Code that is named so is run. So only what somebody types at the command line is looked up here, never a record's names.
"""

from __future__ import annotations

import difflib
import sys
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qchess.errors import InvalidMoveError

if TYPE_CHECKING:
    from qchess.playing.agents import Agent, Choice, Task


def game(name: str) -> str:
    """Add the rules at ``module:Class`` to the catalogue of this process, and return the name as it came."""
    if ":" not in name:
        return name
    from qchess.games import catalogue
    from qchess.rules import Rules

    found = _at(name, "a game")
    if not (isclass(found) and issubclass(found, Rules)):
        raise InvalidMoveError(f"{name} is not a game: expected a subclass of qchess.rules.Rules, got {found!r}")
    if name not in catalogue.names():
        catalogue.register(catalogue.Row(name, "named by its place", name))
    return name


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


if TYPE_CHECKING:

    def _is_an_agent(made: Chooser) -> Agent:
        return made

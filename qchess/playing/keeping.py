"""Files that hold one game each, written atomically, and the folder where every game is kept.

A file belongs to one process at a time, and always to one game: nothing else is overwritten unless that is asked for.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from qchess import private, reading
from qchess.circuits.locks import taken
from qchess.errors import QchessError

if TYPE_CHECKING:
    from qchess.playing.game import Game


class KeepingError(QchessError):
    """A file cannot hold this game; the message says why, and the file is unchanged."""


def save(game: Game[Any, Any], path: Path) -> None:
    """Write a game to a file that is new, or that holds an earlier state of the same game."""
    text = game.record().to_json()
    _held(path, json.loads(text))
    try:
        write(path, text)
    except (OSError, ValueError) as error:
        raise KeepingError(f"{path} could not be written: {error}") from error


def write(path: Path, text: str) -> None:
    """Replace a file's content atomically: its owner, who alone may read it, sees the old text or the new one."""
    private.make_folder(path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        private.write(beside, text)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _require_new(path: Path, record: dict[str, Any]) -> None:
    """Raise an error if the file holds more of a game than this one has played."""
    held = _held(path, record)
    if held and (len(held["entries"]) > len(record["entries"]) or (held.get("pending") and not record["pending"])):
        turns = len(held["entries"])
        raise KeepingError(
            f"{path} holds a game already ({turns} turn{'' if turns == 1 else 's'}); go on with it "
            f"(qchess resume FILE), choose another file, or add --force to replace it"
        )


def _held(path: Path, record: dict[str, Any]) -> dict[str, Any] | None:
    """Return the earlier state of this game that a file holds, if there is a file; raises if it holds another."""
    if not path.exists():
        return None
    try:
        held = reading.json_object(reading.file_text(path, "a saved game"), "a saved game")
        same = held["game"] == record["game"] and held["options"] == record["options"]
        mine, theirs = ([entry["move"] for entry in each["entries"]] for each in (record, held))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise KeepingError(f"{path} is not a saved game; it was not changed") from error
    shared = min(len(mine), len(theirs))
    if not same or mine[:shared] != theirs[:shared]:
        raise KeepingError(f"{path} holds another game; choose another file, or go on with that one (qchess resume)")
    return held


class Keeper:
    """Keeps one game in one file, written after each change and locked against other processes.

    If writing fails, as on a full disk, the game goes on: `trouble` says what happened, and the next change tries
    again. A file that holds a game is refused, unless the game `goes_on` or is to be put `over` it.
    """

    def __init__(self, game: Game[Any, Any], path: Path, *, goes_on: bool = False, over: bool = False) -> None:
        self.game, self.path = game, path
        self.trouble: OSError | None = None
        self._lock = _locked(path)
        try:
            if not goes_on and not over:
                _require_new(path, json.loads(game.record().to_json()))
        except KeepingError:
            self._release()
            raise
        game.on_change.append(self.keep)

    def keep(self) -> None:
        """Write the game as it is now."""
        try:
            write(self.path, self.game.record().to_json())
            self.trouble = None
        except OSError as error:
            self.trouble = error

    def close(self) -> None:
        """Release the file; its content stays."""
        if self.keep in self.game.on_change:
            self.game.on_change.remove(self.keep)
        self._release()

    def _release(self) -> None:
        _let_go(self._lock)

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(path: Path) -> IO[str]:
    """Return a lock file that this process holds until it ends, even if killed."""
    private.make_folder(path.parent)
    if path.parent == folder():
        private.close_to_others(path.parent)
    name = path.with_name(f".{path.name}.lock")
    while True:
        lock = name.open("a", encoding="utf-8")
        if not taken(lock):
            lock.close()
            raise KeepingError(f"{path} is being played in another process")
        if _is_there(lock):
            return lock
        lock.close()  # whoever held it before has removed it


def _is_there(lock: IO[str]) -> bool:
    """Tell whether an open file is still the one of its name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(lock.fileno()), Path(lock.name).stat())
    return False


def _let_go(lock: IO[str]) -> None:
    """Remove a lock and then let go of it, or another process could take one that is about to go."""
    with suppress(PermissionError):  # Windows removes no open file
        Path(lock.name).unlink(missing_ok=True)
    lock.close()


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock a game's file against other processes; raises if one has it."""
    lock = _locked(path)
    try:
        yield
    finally:
        _let_go(lock)


# -- the folder where every game is kept ------------------------------------------------------------------


def folder() -> Path:
    """Return the folder of kept games: under ``QCHESS_STATE``, or in the user's state folder."""
    if chosen := os.environ.get("QCHESS_STATE"):
        return Path(chosen) / "games"
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        root = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return root / "qchess" / "games"


def new_file(game: str) -> Path:
    """Return a name for a new game's file, from the time, the process and, if they have a game already, a number."""
    stem = f"{time.strftime('%Y-%m-%d_%H%M%S')}_{game}_{os.getpid()}"
    names = chain([f"{stem}.json"], (f"{stem}_{number}.json" for number in count(2)))
    return next(file for file in map(folder().joinpath, names) if not file.exists())


def named(name: str) -> Path:
    """Return the file of this path, or the kept game of this name."""
    ours = folder() / name
    return ours if not Path(name).exists() and ours.is_file() else Path(name)


def is_own(path: Path) -> bool:
    """Tell whether this account kept the game of this file: it lies among the kept games, and is closed to others.

    A file that somebody copied there with its usual rights is not one's own.
    """
    try:
        about, home = path.lstat(), folder().resolve()
        if not stat.S_ISREG(about.st_mode) or path.parent.resolve() != home:
            return False
        if sys.platform == "win32":  # it knows no such rights
            return True
        return all(
            each.st_uid == os.getuid() and not each.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
            for each in (about, home.stat())
        )
    except OSError:
        return False


def kept() -> Iterator[Path]:
    """Yield the files of the kept games, the latest first."""
    if folder().is_dir():
        yield from sorted(folder().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)

"""The finished lessons, stored in the user's state folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

from qchess import reading
from qchess.errors import QchessError

FILE = "lessons.json"


def state_folder() -> Path:
    """Return the user's state folder, which also has the games' folder."""
    from qchess.playing.keeping import folder

    return folder().parent


def done(game: str, folder: Path | None = None) -> tuple[str, ...]:
    """Return the names of a game's finished lessons; empty if nothing readable is stored."""
    return tuple(_read(folder or state_folder()).get(game, ()))


def finish(game: str, lesson: str, folder: Path | None = None) -> bool:
    """Record that a lesson was finished; False if it cannot be stored."""
    folder = folder or state_folder()
    known = _read(folder)
    known[game] = list(dict.fromkeys((*known.get(game, ()), lesson)))
    draft = folder / f"{FILE}.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        draft.replace(folder / FILE)
    except OSError:
        return False
    return True


def _read(folder: Path) -> dict[str, list[str]]:
    try:
        data = reading.json_object(reading.file_text(folder / FILE, "lessons"), "lessons")
    except QchessError:
        return {}  # no file yet, or none of ours: learning goes on without it
    return {game: names for game, names in data.items() if isinstance(names, list) and all(map(_is_name, names))}


def _is_name(name: object) -> bool:
    return isinstance(name, str)

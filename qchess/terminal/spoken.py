"""What people type at the shell before they know the commands: other words for them, or one sentence.

>>> [spoken(line.split(), ['play', 'games']) for line in ('help play', 'Play Quantum Chess', 'quantum-chess')]
[['play', '--help'], ['play', 'quantum-chess'], ['play', 'quantum-chess']]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from qchess.errors import InvalidMoveError

OTHER_WORDS = {
    "help": "--help", "-help": "--help", "-?": "--help", "?": "--help", "/?": "--help", "commands": "--help",
    "version": "--version", "-v": "--version", "-version": "--version", "list": "games", "tutorial": "learn",
    "teach": "learn", "lessons": "learn", "lesson": "learn", "continue": "resume", "load": "resume", "open": "resume",
}  # fmt: skip
_BEGIN = "begin a game with: qchess play GAME, such as qchess play quantum-chess; qchess games lists the games"
_INSIDE = "is typed in a game; begin one with: qchess play quantum-chess"
_RULES = "begin a game, such as qchess play quantum-chess, and type rules; or take lessons: qchess learn quantum-chess"
_SEATS = "choose players with --white NAME and --black NAME (human, random, greedy, mcts); Black is greedy if not named"
_NEW = ("chess", "new", "start", "begin", "game", "newgame", "new-game", "go", "run", "checkers", "xiangqi", "computer")
_RULE_WORDS = ("rules", "rule", "--rules", "-rules", "how")
_IN_GAME = ("hint", "undo", "redo", "resign", "quit", "exit", "save", "flip", "history", "odds", "draw", "back",
            "split")  # fmt: skip
_MOVE = re.compile(r"[KQRBN]?[a-h]?x?[a-h]\d|[a-h]\d[-^]?[a-h]\d(?:[a-h]\d)?|O-O(?:-O)?")
_OPPONENT = ("vs", "vs.", "against", "versus", "as", "with", "--vs", "--ai", "--computer", "--opponent", "--as",
             "--two-players", "--human", "--difficulty", "--player", "--players")  # fmt: skip
_GRADES = ("easy", "medium", "hard")


def spoken(words: Sequence[str], commands: Collection[str]) -> list[str]:
    """Return the words of a command as the program knows them; what is none meets a sentence that names one."""
    if not words:
        return []
    first, *rest = words
    head = first.lower()
    if head == "help" and rest:
        return [rest[0].lower(), "--help"]
    if first not in commands and head in commands:
        first = head
    if head in OTHER_WORDS:
        return [OTHER_WORDS[head], *rest]
    if first in commands:
        named = _named(rest) if first in ("play", "learn") else rest
        return [first, *_players(named)] if first == "play" else [first, *named]
    if (found := _named(words)) and found[0] in _games():
        return ["play", *_players(found)]
    if head in _NEW:
        raise InvalidMoveError(f"{_BEGIN}; got {first!r}")
    if head in _RULE_WORDS:
        raise InvalidMoveError(_RULES)
    if head in _IN_GAME or _MOVE.fullmatch(first):
        raise InvalidMoveError(f"{first!r} {_INSIDE}")
    return list(words)


def _games() -> tuple[str, ...]:
    from qchess.games.catalogue import CATALOGUE

    return tuple(row.name for row in CATALOGUE)


def _named(words: Sequence[str]) -> list[str]:
    """The words with a game's name at their beginning put right, in whatever case and with whatever between."""
    for many in (1, 2, 3, 4):
        if (name := "-".join(words[:many]).lower().replace("_", "-").replace(" ", "-")) in _games():
            return [name, *words[many:]]
    return list(words)


def _players(words: list[str]) -> list[str]:
    """The words after ``play``, unless they say in a way of their own who plays."""
    before = ["", *words]
    strange = next((w for w, b in zip(words, before, strict=False) if w.lower() in _OPPONENT and b[:2] != "--"), None)
    grade = next((word for word in words if word.lower() in _GRADES), None)
    ends = words[-1] if words and words[-1] in ("--white", "--black") else None
    if found := strange or grade or ends:
        raise InvalidMoveError(f"{_SEATS}; got {found!r}")
    return words

"""A move that was played, with its answers and what it came to in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from qchess.circuits.engine import Answer
from qchess.playing.sentences import sentence
from qchess.rules import Rules


@dataclass(frozen=True, slots=True)
class Played:
    """What a move came to: its text with the answers, and each answer with its probability and source.

    As text it is the move in sentences: ``c3-d5. Is the knight on c3? No, 50% likely. The knight was not on c3 ...``.
    """

    player: str
    move: Any
    text: str
    answers: tuple[Answer, ...]
    #: the rules, and the positions before and after the move
    around: tuple[Rules[Any, Any], Any, Any] | None = field(default=None, compare=False, repr=False)

    @property
    def measured(self) -> bool:
        """Whether the move asked a question."""
        return bool(self.answers)

    @property
    def plain(self) -> str:
        """The move as text, without its answers."""
        if self.around is None:
            return self.text
        rules, before, _ = self.around
        return rules.write(before, self.move)

    @property
    def sentence(self) -> str:
        """What the move came to, in short sentences; nothing where the board shows it all."""
        if self.around is None:
            return ""
        rules, before, after = self.around
        return sentence(rules, before, rules.turn(before, self.move), self.answers, after)

    def __str__(self) -> str:
        said = self.sentence
        return f"{self.plain}. {said}" if said else self.plain

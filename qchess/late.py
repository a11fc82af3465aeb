"""Positions made late: a compiled core has played the plies, and the rules make the position that somebody looks at.

What the core decides at once is what cannot differ: the answer to a question, unless its odds are too close to the
number thrown; and the list of moves and the result, which a law compares. Everything else comes from the rules, which
play the same moves with the same answers: registers, odds, and each answer's probability.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from qchess import backends
from qchess.circuits.engine import Answer
from qchess.circuits.registers import Pause, Registers

if TYPE_CHECKING:
    from qchess.circuits.engine import Sample
    from qchess.circuits.running import Run
    from qchess.circuits.sources import Throw
    from qchess.rules import Rules

#: the source of an answer that is not open
CERTAIN = "certain"
#: held while positions are made, so that each is made once
_looking = threading.RLock()


class Thrown:
    """A source of the numbers that were thrown for a move already, in order; then of new ones."""

    def __init__(self, numbers: tuple[Throw, ...], throw: Callable[..., Throw]) -> None:
        self.numbers, self.throw = list(numbers), throw

    def draw(self, pause: Pause) -> Sample:
        """Return the answer that the next number selects."""
        throw = self.numbers.pop(0) if self.numbers else self.throw(pause.step.name, pause.answers)
        return throw.draw(pause)


class Ply:
    """How a position came about: by whose rules, from where, by which move, with which answers.

    A late answer holds its ply and its position; neither of them holds the answer, so that all go as soon as nobody
    needs them.
    """

    __slots__ = ("before", "drawn", "move", "probabilities", "rules")

    #: of the answers, in order; known once the position is made
    probabilities: tuple[float, ...]

    def __init__(self, rules: Rules[Any, Any], before: Any, move: Any, drawn: tuple[Sample, ...]) -> None:
        self.rules, self.before, self.move = rules, before, move
        #: every answer; no source draws one that is certain
        self.drawn = drawn

    def played(self) -> dict[str, Any]:
        """Return the parts of the position as the rules make it, and learn the probabilities of its answers."""
        rules, before, move = self.rules, self.before, self.move
        turn = rules.turn(before, move)
        at = rules.begin(before, turn)
        for draw in self.drawn:
            if draw.source != CERTAIN:
                assert isinstance(at, Pause), f"{move} asks more, says the core"
                at = at.resume(draw)
        assert not isinstance(at, Pause), f"{move} asks nothing more, says the core"
        values = [draw.value for draw in self.drawn]
        assert values == [answer.value for answer in at.answers], f"{move} is answered {values}, says the core"
        self.probabilities = tuple([answer.probability for answer in at.answers])
        made = self.parts(turn, at)
        self.before = None  # nobody needs it any more
        return made

    def parts(self, turn: Any, run: Run) -> dict[str, Any]:
        """Return the parts that are missing; here all of them."""
        found: dict[str, Any] = vars(self.rules.settle(self.before, turn, run))
        return found

    def answers(self, names: Sequence[str], position: Late) -> tuple[Answer, ...]:
        """Return the answers that led to a position, by their names; its first look tells their probabilities."""
        return tuple([
            Answer.late(name, draw, partial(self._probability, position, k))
            for k, (name, draw) in enumerate(zip(names, self.drawn, strict=True))
        ])  # fmt: skip

    def _probability(self, position: Late, k: int) -> float:
        Late.look(position)
        return self.probabilities[k]


class Late:
    """What a game's position is until somebody looks at it: the game's class is `plain`, and its late one adds this."""

    __slots__ = ()

    #: the class of a position that was looked at
    plain: type
    #: what goes once the position is made
    passing: ClassVar[tuple[str, ...]] = ("came",)
    came: Ply

    def look(self) -> None:
        """Make this position, and those before it that nobody has looked at; nothing if another thread just did."""
        with _looking:
            line: list[Late] = []
            at: Any = self
            while isinstance(at, Late):
                line.append(at)
                at = at.came.before
            for late in reversed(line):
                late.become(late.came.played())

    def become(self, parts: dict[str, Any]) -> None:
        """Become a plain position of these parts."""
        held = vars(self)
        held.update(parts)
        for name in self.passing:
            del held[name]
        object.__setattr__(self, "__class__", self.plain)

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.look()
        return self.__reduce_ex__(protocol)


class Part:
    """A part of a late position that is not there yet; it is found in the instance once it is.

    With `read` it is read in what the core knows of the position.
    """

    def __init__(self, read: Callable[[Any], Any] | None = None) -> None:
        self.read = read

    def __set_name__(self, _: type, name: str) -> None:
        self.name = name

    def __get__(self, position: Any, of: type | None = None) -> Any:
        if position is None:
            return self
        if self.read is not None and (known := position.snapshot) is not None:
            part = vars(position)[self.name] = self.read(known)
            return part
        Late.look(position)
        return getattr(position, self.name)


def is_for_cores(registers: Registers, most: int) -> bool:
    """Tell whether these registers live on our own engine, with room for so many branches."""
    return type(registers.engine) is _our_engine() and registers.engine.branch_limit >= most


@lru_cache(maxsize=1)
def _our_engine() -> type:
    return type(backends.engine("sparse"))

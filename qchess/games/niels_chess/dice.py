"""Dice as sources of answers: thrown by the program, or by people at a table.

Both give a face, which decides the answer; the record keeps both.
"""

from __future__ import annotations

import random

from qchess.circuits import Sample
from qchess.circuits.engine import AnswerSource, Ticket
from qchess.circuits.running import Pause
from qchess.errors import InvalidMoveError
from qchess.games.niels_chess.rolls import FACES, coin_of


class Thrown(AnswerSource):
    """A fair die with a seed; the rule book gives the meaning of each face.

    >>> import qchess
    >>> game = qchess.new('niels-chess', nfen='7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p', source=Thrown(4))
    >>> game.play('d1d6').answers[0].details
    {'face': 4}
    """

    def __init__(self, seed: int | str | random.Random | None = None) -> None:
        self.rng = seed if isinstance(seed, random.Random) else random.Random(seed)
        self.name = "die"
        self._root: str | None = None

    def draw(self, pause: Pause) -> Sample:
        """Return one throw."""
        return read_face(pause, self.rng.choice(FACES), self.name)

    def at(self, line: str) -> Thrown:
        """Return the same die at a named point of a game, where it always falls alike."""
        if self._root is None:
            self._root = f"{self.rng.getrandbits(128):032x}"
        return Thrown(f"{self._root} {line}")


class RealDice(AnswerSource):
    """Dice that people throw: a run waits until somebody enters the face.

    `told` is that face; a game asks for it with `Game.collect`, perhaps much later.
    """

    name = "real die"

    def __init__(self) -> None:
        self.told: int | None = None

    def draw(self, pause: Pause) -> Sample:
        """Return the entered face at once."""
        drawn = self.collect(pause, {})
        if drawn is None:
            raise InvalidMoveError(f"no face has been given for {pause.step.name!r} yet")
        return drawn

    def submit(self, pause: Pause) -> Ticket:
        """Ask for a face."""
        return {"waits for": "a face from 1 to 6", "roll": pause.step.name}

    def collect(self, pause: Pause, ticket: Ticket) -> Sample | None:
        """Return what the entered face decides; None while there is none."""
        if self.told is None:
            return None
        face, self.told = self.told, None
        return read_face(pause, face, self.name)


def read_face(pause: Pause, face: int, name: str) -> Sample:
    """Return what a face decides about a waiting question."""
    if face not in FACES:
        raise InvalidMoveError(f"expected a face from 1 to 6, got {face!r}")
    return Sample(coin_of(pause.odds[1], face), name, {"face": face})

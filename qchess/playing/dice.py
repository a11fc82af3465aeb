"""What answers a game's questions, and what its record notes: the seed, the players' words, the sources by turn."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qchess import backends
from qchess.circuits.engine import Answer, Source, complete
from qchess.circuits.sources import DRAWN, NOT_DRAWN, Seeded, drawn_seed, mixed
from qchess.errors import QchessError
from qchess.playing.record import LONGEST_NAME

if TYPE_CHECKING:
    from qchess.playing.record import Record


def seal(seed: int | str) -> str:
    """Return the seal of a seed, its SHA-256.

    >>> seal('drawn-00')[:8]
    '9bd2c956'
    """
    return hashlib.sha256(str(seed).encode()).hexdigest()


class WithDice:
    """What every game has: a source of answers, and where each of its answers came from."""

    def __init__(self, backend: backends.Backend, source: Source | None, seed: int | str | None) -> None:
        self.source = source if source is not None else backend.source(seed)
        if seed is None and source is None and (self._source.slow or type(self._source) is Seeded):
            seed = drawn_seed()  # kept in the record: whoever goes on with it gets the same answers and jobs
            self.source = backend.source(seed)
        self.backend, self.seed = backend, seed
        #: what each player added to the seed of the dice
        self.nonces: dict[str, str] = {}
        #: the sources of the answers so far, each with the first turn that it answered
        self.sources: list[tuple[int, str]] = []
        #: the first turns whose answers follow from this game's own seed, and from their place in the game
        self.dice_from = self.placed_from = 1

    @property
    def source(self) -> Source:
        """Return the source of answers, as it was given; a game may go on with another."""
        return self._given_source

    @source.setter
    def source(self, source: Source) -> None:
        self._given_source, self._source = source, complete(source)

    @property
    def seal(self) -> str | None:
        """Return the hash of a drawn seed, which may be shown to everybody; None if the seed was chosen."""
        return seal(self.seed) if isinstance(self.seed, str) and self.seed.startswith(DRAWN) else None

    def mix(self, player: str, words: str, players: Sequence[str], *, begun: bool) -> None:
        """Mix words of a player into the seed, unless an answer was drawn already; else raise the reason."""
        if self.seal is None:
            raise QchessError("the dice of this game take no nonce: their seed was chosen, or a device answers")
        if player not in players or not isinstance(words, str) or not 0 < len(words) <= LONGEST_NAME:
            raise QchessError(
                f"expected {' or '.join(players)} and up to {LONGEST_NAME} characters, got {player!r} and {words!r:.80}"
            )
        if begun:
            raise QchessError("a nonce comes before the first answer; this game has answers already")
        self.take_nonces({**self.nonces, player: words})

    def take_nonces(self, nonces: Mapping[str, str]) -> None:
        """Take the nonces of all players, as a record has them."""
        self.nonces = dict(nonces)
        if self.nonces and self.seed is not None:
            self.source = self.backend.source(mixed(self.seed, self.nonces))

    def note_dice(self, turn: int, answers: Sequence[Answer]) -> None:
        """Note from which sources the answers of the last turn came, as far as they were drawn, if not known yet."""
        if turn < self.dice_from or turn < self.placed_from:
            self.dice_from, self.placed_from = min(self.dice_from, turn), min(self.placed_from, turn)
        for answer in answers:
            if answer.source not in NOT_DRAWN and (not self.sources or self.sources[-1][1] != answer.source):
                self.sources.append((turn, answer.source))

    def keep_dice(self, before: WithDice | Record, turns: int) -> None:
        """Keep what an earlier game noted of its first `turns` turns; dice of another seed answered none of them."""
        same = (self.seed, self.nonces) == (before.seed, before.nonces)
        self.dice_from = before.dice_from if same else turns + 1
        self.sources, self.placed_from = list(before.sources), before.placed_from

"""Seats at a table, and the secrets that open them: 128 bits each, told once, kept hashed."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from qchess import reading

HUMAN = "human"
#: the most characters of a name, and how often a seat may change it
LONGEST_NAME, MOST_NAMES = 24, 3


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a human, who has a key, or a computer player by its name."""

    who: str = HUMAN
    #: the hash of the secret that opens the seat
    key: str = ""
    name: str = ""
    names: int = 0

    @property
    def is_human(self) -> bool:
        """Whether a human sits here."""
        return self.who == HUMAN

    def opens(self, secret: str) -> bool:
        """Whether this secret opens the seat; how long the look takes tells nothing."""
        return self.is_human and hmac.compare_digest(self.key, hashed(secret))

    def named(self, name: str) -> Seat:
        """The seat under another name, if it may still change it."""
        if not name or name == self.name or self.names >= MOST_NAMES:
            return self
        return replace(self, name=name, names=self.names + 1)


def fresh() -> tuple[str, str]:
    """A new secret, and its hash."""
    secret = secrets.token_urlsafe(16)
    return secret, hashed(secret)


def hashed(secret: str) -> str:
    """What is kept of a secret. It is as long as its hash is hard to turn back, so that no salt is needed."""
    return sha256(secret.encode()).hexdigest()


def table_name() -> str:
    """A new name for a table, of 60 bits: nobody comes upon a game by trying."""
    return b32encode(secrets.token_bytes(8)).decode().lower()[:12]


def kept(seats: Mapping[str, Seat]) -> dict[str, Any]:
    """Seats as a store keeps them."""
    return {player: {"who": seat.who, "key": seat.key, "name": seat.name} for player, seat in seats.items()}


def restored(values: Mapping[str, Any]) -> dict[str, Seat]:
    """Seats as they were kept."""
    return {player: Seat(told["who"], told["key"], told.get("name", "")) for player, told in values.items()}


def clean_name(value: Any) -> str:
    """A name that somebody gives: short, of one line, of what can be seen. It is text for everybody, never markup."""
    text = reading.text(value, "'name'", LONGEST_NAME)
    return " ".join("".join(letter for letter in text if letter.isprintable()).split())

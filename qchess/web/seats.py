"""Seats at a table, and the secrets that open them: 128 bits each, shown once, stored hashed."""

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
#: the longest name, and how often a seat may change it
LONGEST_NAME, MOST_NAMES = 24, 3


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: a human with a key, or a computer player by name."""

    who: str = HUMAN
    #: the hash of the secret that opens the seat
    key: str = ""
    name: str = ""
    names: int = 0

    @property
    def is_human(self) -> bool:
        """Tell whether a human sits here."""
        return self.who == HUMAN

    def opens(self, secret: str) -> bool:
        """Tell whether this secret opens the seat, in constant time."""
        return self.is_human and hmac.compare_digest(self.key, hashed(secret))

    def named(self, name: str) -> Seat:
        """Return the seat under another name, if it may still change it."""
        if not name or name == self.name or self.names >= MOST_NAMES:
            return self
        return replace(self, name=name, names=self.names + 1)


def fresh() -> tuple[str, str]:
    """Return a new secret, and its hash."""
    secret = secrets.token_urlsafe(16)
    return secret, hashed(secret)


def hashed(secret: str) -> str:
    """Return the hash of a secret. The secret is so long that no salt is needed."""
    return sha256(secret.encode()).hexdigest()


def table_name() -> str:
    """Return a new name for a table, of 60 bits: too many to guess."""
    return b32encode(secrets.token_bytes(8)).decode().lower()[:12]


def kept(seats: Mapping[str, Seat]) -> dict[str, Any]:
    """Return seats as a store keeps them."""
    return {player: {"who": seat.who, "key": seat.key, "name": seat.name} for player, seat in seats.items()}


def restored(values: Mapping[str, Any]) -> dict[str, Seat]:
    """Return seats as they were stored."""
    return {player: Seat(told["who"], told["key"], told.get("name", "")) for player, told in values.items()}


def clean_name(value: Any) -> str:
    """Return a given name, cleaned: short, one line, visible characters. It is always text, never markup."""
    text = reading.text(value, "'name'", LONGEST_NAME)
    return " ".join("".join(letter for letter in text if letter.isprintable()).split())

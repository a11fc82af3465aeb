"""Limits: buckets that fill with time, counts, one ledger of work by address and table, and the queue for workers.

`WHOSE` is the address for which work is done, wherever it is done: a connection's requests, and all their consequences,
belong to its address.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

from qchess.errors import QchessError

T = TypeVar("T")
HOUR = 3600.0

#: the address for which work is done; empty for the server's own
WHOSE: ContextVar[str] = ContextVar("whose", default="")
#: after this many seconds half of an address's work is forgotten, and the most recent work that keeps its turn
HALF, SHARE = 60.0, 30.0
#: bytes that the server's loop moves in a second: data of a question is charged as seconds
CARRIED = 20_000_000
#: recent work that the server's loop does for an address before workers take over
HERE = 2.0
#: questions that belong to no game and may wait
MOST_WAITING = 200
#: what one address may open or ask for, per second and at once, by any route; the name of an excess
DOORS = {
    "question": (8.0, 60, "questions"),
    "export": (1.0, 30, "records"),
    "table": (100 / HOUR, 100, "tables"),
    "class": (20 / HOUR, 20, "classes"),
    "study": (100 / HOUR, 100, "studies"),
    "bytes": (16_000_000 / HOUR, 16_000_000, "bytes of studies"),
    "move": (200.0, 600, "moves"),
    "heard": (250_000, 2_000_000, "long messages"),
}


class Priority(IntEnum):
    """What work is done first: the lowest number."""

    PLAY = 0
    AGENT = 1
    STUDY = 2
    LOOK = 3

    @property
    def is_game(self) -> bool:
        """Tell whether a game needs it to go on."""
        return self <= Priority.AGENT


@dataclass(slots=True)
class Bucket:
    """A limit per second, and at once.

    >>> bucket = Bucket(1.0, 2, 0.0)
    >>> [bucket.take(now) for now in (0.0, 0.0, 0.0, 1.0)]
    [True, True, False, True]
    """

    rate: float
    most: float
    since: float
    held: float = -1.0

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Tell whether this much more is allowed now; if so, count it."""
        held = self.most if self.held < 0 else min(self.most, self.held + (now - self.since) * self.rate)
        self.since = now
        self.held = held - amount if held >= amount else held
        return held >= amount


class Buckets:
    """A bucket for each address; those unused longest are forgotten, and full again."""

    def __init__(self, rate: float, most: float, addresses: int = 10_000) -> None:
        self.rate, self.most, self.addresses = rate, most, addresses
        self._held: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float, amount: float = 1.0) -> bool:
        """Tell whether this much more is allowed to this address now."""
        bucket = self._held.pop(address, None) or Bucket(self.rate, self.most, now)
        self._held[address] = bucket
        if len(self._held) > self.addresses:
            self._held.popitem(last=False)
        return bucket.take(now, amount)


class TooMuchError(QchessError):
    """An address exceeds its limit; the message says of what."""


class Doors:
    """What each address may still open or ask for; `WHOSE` says which address a call belongs to."""

    def __init__(self, count: Callable[[str, str], None], **others: tuple[float, float]) -> None:
        self.now = time.monotonic
        self._count = count
        rates = {door: (rate, most) for door, (rate, most, _) in DOORS.items()} | others
        self._buckets = {door: Buckets(rate, most) for door, (rate, most) in rates.items()}

    def enter(self, door: str, amount: float = 1.0) -> None:
        """Count one more, or this much; raises if it is too much."""
        if not self._buckets[door].take(WHOSE.get(), self.now(), amount):
            told = DOORS[door][2]
            self._count("refused", f"too many {told}")
            raise TooMuchError(f"too many {told} from one address; try again later")


class Counts:
    """The current number of something for each address."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Count one more, unless the address is at its limit."""
        if self._held.get(address, 0) >= self.most:
            return False
        self._held[address] = self._held.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Count one less."""
        left = self._held.get(address, 0) - 1
        if left > 0:
            self._held[address] = left
        else:
            self._held.pop(address, None)


@dataclass(slots=True)
class Account:
    """The recent work for an address or a table, and its work in progress or waiting.

    >>> account = Account()
    >>> account.charge(8.0, 0.0)
    >>> account.lately(0.0), account.lately(HALF), account.lately(3 * HALF)
    (8.0, 4.0, 1.0)
    """

    going: int = 0
    waiting: int = 0
    seconds: float = 0.0
    since: float = 0.0

    def lately(self, now: float) -> float:
        """Return the recent processor seconds, halved after every half-life."""
        return self.seconds * 0.5 ** ((now - self.since) / HALF) if self.seconds else 0.0

    def charge(self, seconds: float, now: float) -> None:
        """Add work."""
        self.seconds, self.since = self.lately(now) + seconds, now


class Ledger:
    """The accounts of addresses and tables, and the total work by kind."""

    def __init__(self, accounts: int = 10_000) -> None:
        self.most = accounts
        #: the processor seconds of each kind of work, and the bytes moved for it
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.bytes: defaultdict[str, int] = defaultdict(int)
        self._held: OrderedDict[str, Account] = OrderedDict()

    def of(self, name: str) -> Account:
        """Return the account of an address or a table; those unused longest are forgotten."""
        account = self._held.pop(name, None) or Account()
        self._held[name] = account
        if len(self._held) > self.most:
            oldest, first = self._held.popitem(last=False)
            if first.going or first.waiting:
                self._held[oldest] = first
        return account

    def charge(self, table: str, kind: str, seconds: float, now: float, size: int = 0) -> None:
        """Charge work, and the bytes moved, to the address that caused it, and to a table."""
        self.seconds[kind] += seconds
        self.bytes[kind] += size
        for account in (self.of(WHOSE.get()), self.of(f"table {table}")):
            account.charge(seconds + size / CARRIED, now)

    def is_here(self, priority: Priority, now: float) -> bool:
        """Tell whether the server's own loop may do the work: only a little for each address."""
        return priority.is_game or self.of(f"here {WHOSE.get()}").lately(now) <= HERE

    def charge_here(self, table: str, priority: Priority, seconds: float, now: float) -> None:
        """Charge the work of the server's own loop."""
        self.charge(table, priority.name.lower(), seconds, now)
        if not priority.is_game:
            self.of(f"here {WHOSE.get()}").charge(seconds, now)


@dataclass(slots=True, eq=False)
class Turn(Generic[T]):
    """A question that waits for a worker."""

    priority: Priority
    number: int
    #: its table, and the accounts of its address and of the table
    at: str
    address: Account
    table: Account
    given: asyncio.Future[T]
    #: True: it is worked on although its address had more than a share
    behind: bool = False

    def is_behind(self, now: float) -> bool:
        """Tell whether it comes last, since its address had more than a share; people's moves never do."""
        return self.priority is not Priority.PLAY and self.address.lately(now) > SHARE

    def rank(self, now: float) -> tuple[float, ...]:
        """Return the sort key; the smallest comes first."""
        first = self.priority + 2 * self.is_behind(now)
        return (first, self.address.going, self.address.lately(now), self.table.lately(now), self.number)


class Queue(Generic[T]):
    """The questions that wait."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._held: list[Turn[T]] = []
        self._number = 0

    def __len__(self) -> int:
        return len(self._held)

    def count(self, priority: Priority) -> int:
        """Count the waiting questions of a kind."""
        return sum(turn.priority is priority for turn in self._held)

    def turn(self, priority: Priority, table: str) -> Turn[T]:
        """Return a question of the present client."""
        self._number += 1
        accounts = self.ledger.of(WHOSE.get()), self.ledger.of(f"table {table}")
        return Turn(priority, self._number, table, *accounts, asyncio.get_running_loop().create_future())

    def enter(self, turn: Turn[T]) -> Turn[T] | None:
        """Add a question. If too many non-game questions wait, the client with most loses its newest."""
        self._held.append(turn)
        turn.address.waiting += 1
        others = [each for each in self._held if not each.priority.is_game and not each.given.done()]
        if turn.priority.is_game or len(others) <= MOST_WAITING:
            return None
        last = max(others, key=lambda each: (each.address.waiting, each.priority, each.number))
        self.leave(last)
        return last

    def leave(self, turn: Turn[T]) -> bool:
        """Remove a question; returns whether it waited."""
        if turn not in self._held:
            return False
        self._held.remove(turn)
        turn.address.waiting -= 1
        return True

    def next(self, may: Callable[[Priority], bool], now: float) -> Turn[T] | None:
        """Remove and return the next question among those that may have a worker now."""
        able = [turn for turn in self._held if may(turn.priority) and not turn.given.done()]
        if not able:
            return None
        turn = min(able, key=lambda each: each.rank(now))
        turn.behind = turn.is_behind(now)
        self.leave(turn)
        return turn

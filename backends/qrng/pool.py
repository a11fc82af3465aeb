"""A pool of random bits on disk that never gives out a bit twice.

The pool is one SQLite file. A draw is recorded on disk before the caller gets the bits; so a crash may lose bits but
never repeats one. Several processes may draw from one pool, each getting different bits.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qchess.backends.qrng.harvest import Harvest
from qchess.backends.qrng.health import Bits
from qchess.circuits.errors import BackendError

#: the mark of such a file, "qcbt"
APPLICATION = 0x71636274
_TABLE = """CREATE TABLE IF NOT EXISTS batch (
    number INTEGER PRIMARY KEY AUTOINCREMENT, bits BLOB NOT NULL, size INTEGER NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0, provenance TEXT NOT NULL)"""


@dataclass(frozen=True, slots=True)
class Part:
    """Bits of one batch, and the batch's provenance."""

    batch: int
    start: int
    bits: Bits
    provenance: Mapping[str, Any]


class Pool:
    """The bits of one file, which is created if missing."""

    def __init__(self, path: str | Path, wait: float = 30.0) -> None:
        self.path, self.wait = Path(path), wait
        with self._open() as file:
            (mark,) = file.execute("PRAGMA application_id").fetchone()
            (tables,) = file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if mark != APPLICATION and tables:
                raise BackendError(f"{self.path} is the database of another program, not a pool of random bits")
            if mark != APPLICATION:
                file.execute(f"PRAGMA application_id = {APPLICATION}")
                file.execute(_TABLE)
        self.path.chmod(0o600)

    def add(self, found: Harvest) -> int:
        """Store a harvest; returns the number of its batch."""
        packed, size = np.packbits(found.bits).tobytes(), len(found.bits)
        with self._open() as file:
            row = file.execute(
                "INSERT INTO batch (bits, size, provenance) VALUES (?, ?, ?)",
                (packed, size, json.dumps(dict(found.provenance))),
            )
        return int(row.lastrowid or 0)

    def available(self) -> int:
        """Return how many bits are unused."""
        with self._open() as file:
            (left,) = file.execute("SELECT coalesce(sum(size - taken), 0) FROM batch").fetchone()
        if type(left) is not int or not 0 <= left < 2**63:
            raise BackendError(f"{self.path}: expected a number of bits, got {left!r:.60}")
        return left

    def take(self, count: int, *, partly: bool = False) -> list[Part]:
        """Return `count` unused bits, oldest first; with `partly`, fewer if there are not enough."""
        with self._open() as file:
            rows = file.execute(
                "SELECT number, bits, size, taken, provenance FROM batch WHERE taken < size ORDER BY number"
            )
            parts, missing = [], count
            for row in rows:
                part = self._part(row, missing)
                parts.append(part)
                missing -= len(part.bits)
                if not missing:
                    break
            if missing and not (partly and parts):
                raise BackendError(f"{self.path} holds {count - missing} bits, {count} were asked for: fill it first")
            for part in parts:
                file.execute("UPDATE batch SET taken = taken + ? WHERE number = ?", (len(part.bits), part.batch))
        return parts

    def _part(self, row: tuple[Any, ...], most: int) -> Part:
        """Return the next bits of a batch."""
        number, packed, size, taken, told = row
        try:
            provenance = json.loads(told)
        except (TypeError, ValueError, RecursionError):
            provenance = None
        counted = type(size) is int and type(taken) is int and isinstance(packed, bytes)
        if not (counted and 0 <= taken < size <= 8 * len(packed) and isinstance(provenance, dict)):
            raise BackendError(
                f"{self.path}, batch {number}: expected bits, how many they are and how many of them are taken, and "
                f"their provenance; got size {size!r:.60} and taken {taken!r:.60}"
            )
        bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), count=size)[taken : taken + most]
        return Part(number, taken, bits, provenance)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Yield one exclusive transaction; it is on the disk when the block ends."""
        try:
            file = sqlite3.connect(self.path, timeout=self.wait, isolation_level=None)
        except sqlite3.Error as error:
            raise BackendError(f"the pool {self.path} cannot be opened: {error}") from error
        try:
            file.execute("PRAGMA synchronous = FULL")
            file.execute("BEGIN IMMEDIATE")
            yield file
            file.execute("COMMIT")
        except (sqlite3.Error, UnicodeDecodeError) as error:  # its message quotes the file, which may be no text
            raise BackendError(f"{self.path} is not a pool of random bits, or cannot be used now: {error}") from error
        finally:
            file.close()  # whatever was not committed is undone

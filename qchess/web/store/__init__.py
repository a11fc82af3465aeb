"""Stores of games: a row for each event, stored before it is announced, never changed afterwards."""

from qchess.web.store.keeping import Keeping
from qchess.web.store.protocol import DamagedError, Kept, Row, Store, StoreError, TakenError
from qchess.web.store.sqlite import SqliteStore

__all__ = ["DamagedError", "Keeping", "Kept", "Row", "SqliteStore", "Store", "StoreError", "TakenError", "opened"]


def opened(where: str, full: bool = False) -> Store:
    """Return the store at a place: a file, ``:memory:``, or the address of a database (``postgresql://...``)."""
    if where.startswith(("postgresql://", "postgres://")):
        from qchess.web.store.postgres import PostgresStore

        return PostgresStore(where)
    return SqliteStore(where, full=full)

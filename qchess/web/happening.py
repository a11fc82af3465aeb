"""The effect of a stored row on a table, including its end: the same now and when restored from the store.

So a table is what its rows say, and is restored as it was left. Whose clock runs and who has to think follows from that
(`qchess.web.turns.go_on`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qchess.errors import QchessError
from qchess.rules import Result
from qchess.web import seeds
from qchess.web.clocks import now
from qchess.web.store import Row, StoreError
from qchess.web.workers import WorkError

if TYPE_CHECKING:
    from qchess.web.tables import Table

Told = dict[str, Any] | None
#: seconds until a flag is checked again whose fall could not be stored
AGAIN = 1.0


async def happen(
    table: Table, entry: dict[str, Any], client: str | None = None, told: Told = None,
    change: Callable[[], object] | None = None,
) -> None:  # fmt: skip
    """Store what happened, then apply it. `change` does to the game what the row does to the table."""
    row = await table.keep(entry, client)
    if change is not None:
        change()
    happened(table, row, told)


@contextmanager
def as_before_if_it_fails(table: Table, arrived: float) -> Iterator[None]:
    """Restore everything after a failure: a server error costs nobody time, a wrong move does."""
    clocks, pending = table.clocks, table.pending
    try:
        yield
    except BaseException as error:
        trouble = isinstance(error, WorkError | StoreError) or not isinstance(error, QchessError)
        told = table.pending is not pending or (trouble and clocks.running is not None)
        table.pending, table.clocks = pending, clocks.later(now() - arrived) if trouble else clocks
        table.mind_the_clock()
        if told:
            table.tell_state()
        raise


def happened(table: Table, row: Row, told: Told = None) -> None:
    """Apply a stored row; a move comes with what its history shows."""
    table.clocks = table.clocks.restored(row.entry.get("clocks"))
    if (change := CHANGES.get(row.entry["kind"])) is not None:
        change(table, row, told)


def _move(table: Table, row: Row, told: Told) -> None:
    assert told is not None, "a move that was played is told"
    sent = table.begun or row.client
    _goes_on(table)
    table.turn += 1
    table.history.append(told)
    if sent:
        table.answered[sent] = {"kind": "moved", **told, "id": sent.partition(":")[2], "repeated": True}


def _waiting(table: Table, row: Row, told: Told) -> None:
    entry, begun = row.entry, table.begun or row.client
    _goes_on(table)
    table.begun = begun
    table.pending = table.waits(entry["by"], entry["move"], entry["question"], entry["at"])


def _undo(table: Table, row: Row, told: Told) -> None:
    _goes_on(table)
    table.turn += 1
    del table.history[-row.entry["plies"] :]
    _answer(table, row)


def _end(table: Table, row: Row, told: Told) -> None:
    _goes_on(table)
    _answer(table, row)


def _goes_on(table: Table) -> None:
    """Clear past offers and requests."""
    table.begun = table.pending = None
    table.offers = replace(table.offers, draw=None, takeback=None)


def _offer(table: Table, row: Row, told: Told) -> None:
    """Set the offers that a row names."""
    table.offers = replace(table.offers, **row.entry["offers"])
    _answer(table, row)


def _next(table: Table, row: Row, told: Told) -> None:
    agreed = row.entry.get("rematch", table.offers.rematch)
    table.offers = replace(table.offers, next=row.entry["game"], rematch=agreed)
    _answer(table, row)


def _name(table: Table, row: Row, told: Told) -> None:
    player = row.entry["player"]
    table.seats[player] = table.seats[player].named(row.entry["name"])


def _nonce(table: Table, row: Row, told: Told) -> None:
    """Mix words of a player into the seed of the answers."""
    table.nonces[row.entry["player"]] = row.entry["words"]
    table.game.source = seeds.source(table.game.backend, table.secret)
    _answer(table, row)


def _answer(table: Table, row: Row) -> None:
    """Answer a resend with the current state."""
    if row.client:
        table.answered[row.client] = {}


#: the kinds of rows, and the effect of each; an unknown one from a newer server has no effect
CHANGES: dict[str, Callable[[Table, Row, Told], None]] = {
    "move": _move, "waiting": _waiting, "undo": _undo, "end": _end, "offer": _offer, "next": _next, "name": _name,
    "nonce": _nonce,
}  # fmt: skip


# -- ends that no rule makes ------------------------------------------------------------------------------------


async def end(table: Table, result: Result, client: str | None = None) -> None:
    """End the game outside the rules, and tell everybody."""
    values = {"winner": result.winner, "reason": result.reason}
    clocks = table.clocks.stop(now()).kept(now())
    await happen(table, {"kind": "end", **values, "clocks": clocks}, client, None, lambda: table.game.end(result))
    table.mind_the_clock()
    table.tell_state()


async def end_on_time(table: Table) -> None:
    """End the game if the running clock has run out."""
    async with table.lock:
        left = table.clocks.seconds_until_flag(now())
        if table.result or left is None:
            return
        if left > 0:
            table.mind_the_clock()
            return
        loser = str(table.clocks.running)
        try:
            await end(table, table.game.rules.forfeited(table.game.position, loser, "time"))
        except StoreError:
            table.mind_the_clock(AGAIN)
            raise

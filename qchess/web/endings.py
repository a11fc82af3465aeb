"""How games end where no rule ends them: by people, and by time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qchess.rules import Result
from qchess.web.clocks import now

if TYPE_CHECKING:
    from qchess.web.tables import Table


async def end(table: Table, result: Result, client: str | None = None) -> None:
    """Ends the game where no rule does, and tells everybody."""
    values = {"winner": result.winner, "reason": result.reason}
    clocks = table.clocks.stop(now())
    await table.keep({"kind": "end", **values, "clocks": clocks.kept(now())}, client)
    table.game.end(result)
    table.result, table.pending, table.clocks = values, None, clocks
    table.offers.draw = table.offers.takeback = None
    if client:
        table.answered[client] = {}
    table.mind_the_clock()
    table.tell_state()


async def end_on_time(table: Table) -> None:
    """Ends the game if the running clock has run out."""
    async with table.lock:
        left = table.clocks.seconds_until_flag(now())
        if table.result or left is None:
            return
        if left > 0:
            table.mind_the_clock()
            return
        loser = str(table.clocks.running)
        await end(table, table.game.rules.forfeited(table.game.position, loser, "time"))

"""Play at a table: a move is checked, computed, stored, applied and announced, in this order.

A resent move gets its first answer. A turn with a slow answer waits in the store, not in a process. A refused move
changes nothing: a wrong move costs its player time, a server error costs nobody any.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from qchess.errors import IllegalMoveError, QchessError
from qchess.playing.sentences import CERTAIN
from qchess.rules import Result
from qchess.web.clocks import Clocks, now
from qchess.web.happening import as_before_if_it_fails, end, end_on_time, happen
from qchess.web.store import StoreError, TakenError
from qchess.web.work import TurnResult
from qchess.web.workers import Priority, SpentError, WorkError

if TYPE_CHECKING:
    from qchess.web.tables import Table

log = logging.getLogger("qchess.web")
T = TypeVar("T")
#: seconds until a server error is retried, at first and at most, and how often a move is
PAUSE, LONGEST_PAUSE, TRIES = 1.0, 30.0, 8


class StaleError(QchessError):
    """A move was chosen in a position that is not the present one."""


class TimeIsOverError(IllegalMoveError):
    """A move came too late."""


async def play(
    table: Table, player: str, name: str, ply: int, text: str, turn: int | None = None
) -> dict[str, Any] | None:
    """Play a move; returns the earlier answer for a resent one, else None, as it is announced to all."""
    arrived, client = now(), f"{player}:{name}"
    async with table.lock:
        known = table.waiting() if table.pending and table.begun == client else table.answered.get(client)
        if known is not None:
            table.hall.metrics.count("resends")
            return known
        _refuse(table, player, ply, table.turn if turn is None else turn)
        clocks = table.clocks
        if clocks.running == player and clocks.left(player, arrived) <= 0:
            raise TimeIsOverError("the time is up")
        with as_before_if_it_fails(table, arrived):
            result = await _worked_out(table, player, text, arrived)
            await _keep(table, result, clocks.stop(arrived), player, client)
        table.hall.metrics.moved(now() - arrived)
    return None


def _refuse(table: Table, player: str, ply: int, turn: int) -> None:
    """Raise unless this player may move now, from this ply."""
    if table.result:
        raise IllegalMoveError(f"the game is over: {table.result['reason']}")
    if ply != table.ply or turn != table.turn:
        raise StaleError(f"the move was chosen in position {ply}, and this is position {table.ply}")
    if player != table.player:
        raise IllegalMoveError(f"it is {table.player}'s turn")
    if table.pending:
        raise IllegalMoveError(f"{table.pending['text']} waits for its answer")
    if table.is_full:
        raise IllegalMoveError(f"a game of this server has at most {table.hall.settings.plies} moves")


async def _worked_out(table: Table, player: str, text: str, arrived: float) -> TurnResult:
    """Compute a move's result; an invalid move is refused before anybody waits for a device."""
    asked: dict[str, Any] = {"text": text, "secret": table.secret}
    result: TurnResult
    if table.quick or table.queued:
        result = await table.ask("prepare" if table.queued else "begin", priority=Priority.PLAY, **asked)
        return result
    await table.ask("check", priority=Priority.PLAY, elsewhere=table.is_large, text=text)
    table.clocks = table.clocks.stop(arrived)
    table.pending = table.waits(player, text, "", time.time())
    table.tell(table.waiting())
    seconds = table.hall.settings.device_seconds
    result = await table.ask("begin", seconds=seconds, priority=Priority.AGENT, **asked)
    return result


async def _keep(table: Table, result: TurnResult, clocks: Clocks, player: str, client: str | None) -> None:
    """Store the result of a turn, apply it, and announce it."""
    told, new, sent = result.told, table.begun is None, table.begun or client
    if told is not None:
        clocks, told = clocks.moved(player), {"ply": table.ply + 1, **told}

    def change() -> None:
        table.game.follow(result.state)
        if result.board is not None:
            table.board = result.board

    await happen(table, {**result.row, "by": player, "clocks": clocks.kept(now())}, client, told, change)
    if told is not None and any(answer["source"] != CERTAIN for answer in told.get("provenance", ())):
        table.clocks = table.clocks.answered(now())
    go_on(table)
    if told is not None:
        answer = {"kind": "moved", **told, "id": sent.partition(":")[2] if sent else None}
        table.tell_moved({**answer, "view": table.board.view, **table.standing()})
    elif new:
        table.tell(table.waiting())


# -- what the server does -----------------------------------------------------------------------------------------


def go_on(table: Table) -> None:
    """Continue a table: a person's clock runs, or the server does its part."""
    if table.waits_for_person:
        if table.ply and table.clocks.running is None:
            table.clocks = table.clocks.start(table.player, now())
    elif not table.result and not table.driven:
        table.hall.spawn(_drive(table))
    table.mind_the_clock()


async def _drive(table: Table) -> None:
    """Do the server's part at a table, until it is a person's turn or the game is over."""
    if table.driven:
        return
    table.driven = True
    try:
        while not (table.result or table.waits_for_person or table.closed):
            try:
                await (await_answer if table.pending else _end_full if table.is_full else think)(table)
            except TakenError:
                return  # it is read anew
            except (WorkError, StoreError) as error:
                log.warning("table %s waits for the server: %s", table.name, error)
                table.tell({"kind": "notice", "text": f"The server met an error: {error}. It will try again."})
                await asyncio.sleep(PAUSE)
    finally:
        table.driven = False


async def _end_full(table: Table) -> None:
    """End a game that has reached the limit of moves."""
    async with table.lock:
        if table.is_full and not table.result:
            await end(table, Result(None, f"no end after {table.ply} moves"))


# -- computer players -------------------------------------------------------------------------------------------


async def think(table: Table) -> None:
    """Let a computer player choose in a worker; it loses the game if it cannot."""
    player, ply, turn = table.player, table.ply, table.turn
    who = table.seats[player].who
    table.tell({"kind": "thinking", "player": player, "who": who})
    try:
        text = await _tried(table, turn, lambda: _chosen(table, who))
        # a name that never comes again: the same ply does, after a takeback
        await _tried(table, turn, lambda: play(table, player, f"{who} {turn}", ply, text, turn), TRIES)
    except (StaleError, TakenError):
        return  # a takeback came first
    except TimeIsOverError:
        await end_on_time(table)
    except QchessError as error:
        if not _is_at(table, turn):
            return
        log.warning("%s gave no move at table %s: %s", who, table.name, error)
        async with table.lock:
            if _is_at(table, turn):
                await end(table, table.game.rules.forfeited(table.game.position, player, "no move in time"))


def _is_at(table: Table, turn: int) -> bool:
    """Tell whether the table still waits for the result of this turn."""
    return table.turn == turn and not table.result and not table.closed


async def _tried(table: Table, turn: int, do: Callable[[], Awaitable[T]], most: int | None = None) -> T:
    """Return the result of a computer player's attempt, waiting out server errors with its clock stopped."""
    pause, spent, tries = PAUSE, False, 0
    while True:
        try:
            return await do()
        except TakenError:
            raise
        except (WorkError, StoreError) as error:
            tries += 1
            if (spent and isinstance(error, SpentError)) or tries == most or not _is_at(table, turn):
                raise
            spent = spent or isinstance(error, SpentError)
            _stand(table)
            table.tell({"kind": "notice", "text": f"{table.seats[table.player].who} is asked again: {error}"})
        await asyncio.sleep(pause)
        pause = min(LONGEST_PAUSE, 2 * pause)
        if not _is_at(table, turn):
            raise StaleError("the game has moved on")


async def _chosen(table: Table, who: str) -> str:
    """Return the move of a computer player, however long it waits for a worker; its clock runs only then."""
    player, ply, turn = table.player, table.ply, table.turn

    def begun() -> None:
        if ply and _is_at(table, turn):
            table.clocks = table.clocks.start(player, now())
            table.mind_the_clock()
            table.tell({"kind": "thinking", "player": player, "who": who, "clocks": table.clocks.values(now())})

    asked: dict[str, Any] = {"agent": who, "seed": f"agents {table.secret} {ply}", "begun": begun}
    seconds = table.hall.settings.agent_seconds
    where: dict[str, Any] = {"priority": Priority.AGENT, "elsewhere": who != "random" or None}
    return str(await table.ask("choose", seconds=seconds, **where, **asked))


def _stand(table: Table) -> None:
    """Stop the clock while a computer player waits for the server."""
    table.clocks = table.clocks.stop(now())
    table.mind_the_clock()


# -- answers that take long -------------------------------------------------------------------------------------


async def await_answer(table: Table) -> None:
    """Check for the answer that a turn waits for, less and less often, until it is there or the game is over."""
    pause, longest = table.hall.settings.collect
    while table.pending and not table.result and not table.closed:
        try:
            if await _collected(table):
                continue  # it went on: to its end, or to the next question
        except WorkError:
            log.warning("no word from %s at table %s", table.head["shown"], table.name)
        except TakenError:
            raise
        except QchessError as error:
            table.tell({"kind": "notice", "text": f"{table.head['shown']}: {error}. It is asked again."})
            pause = longest
        await asyncio.sleep(pause)
        pause = min(longest, 1.5 * pause)


async def _collected(table: Table) -> bool:
    """Tell whether the waiting turn went on."""
    waited, seconds = table.pending, table.hall.settings.work_seconds
    result: TurnResult | None = await table.ask(
        "collect", seconds=seconds, priority=Priority.AGENT, elsewhere=True, secret=table.secret
    )
    if result is None:
        return False
    async with table.lock:
        if table.pending is waited and waited is not None and not table.result:
            await _keep(table, result, table.clocks, waited["by"], None)
    return True

"""What players do besides moving: give up, offer a draw, take back, play again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from qchess.errors import IllegalMoveError
from qchess.playing.carrying import twin
from qchess.rules import Result
from qchess.web import work
from qchess.web.clocks import now
from qchess.web.endings import end
from qchess.web.turns import go_on

if TYPE_CHECKING:
    from qchess.web.tables import Table


async def act(table: Table, player: str, name: str, what: str) -> None:
    """Does what a player asks for; a resend does nothing again."""
    async with table.lock:
        client = f"{player}:{name}"
        if client in table.answered:
            return
        await ACTS[what](table, player, client)


async def take_name(table: Table, player: str, name: str) -> None:
    """Gives a seat the name of who sits there now."""
    if table.seats[player].named(name) is table.seats[player]:
        return
    async with table.lock:
        named = table.seats[player].named(name)
        await table.keep({"kind": "name", "player": player, "name": name})
        table.seats[player] = named


def _refuse_if_over(table: Table) -> None:
    if table.result:
        raise IllegalMoveError(f"the game is over: {table.result['reason']}")


def _others(table: Table, player: str) -> list[str]:
    return [other for other, seat in table.seats.items() if other != player and seat.is_human]


async def _resign(table: Table, player: str, client: str) -> None:
    _refuse_if_over(table)
    await end(table, table.game.rules.forfeited(table.game.position, player, "resignation"), client)


# -- draws ------------------------------------------------------------------------------------------------------


async def _offer_draw(table: Table, player: str, client: str) -> None:
    _refuse_if_over(table)
    if not _others(table, player):
        raise IllegalMoveError("a computer player takes no draw")
    if table.offers.draw is not None and table.offers.draw != player:
        await _accept_draw(table, player, client)
        return
    table.offers.draw = player
    _tell_offers(table)


async def _accept_draw(table: Table, player: str, client: str) -> None:
    _refuse_if_over(table)
    if table.offers.draw in (None, player):
        raise IllegalMoveError("nobody offers a draw")
    await end(table, Result(None, "agreement"), client)


async def _decline_draw(table: Table, player: str, client: str) -> None:
    if table.offers.draw not in (None, player):
        table.offers.draw = None
        _tell_offers(table)


def _tell_offers(table: Table) -> None:
    table.tell({"kind": "offer", "offers": table.offers.values()})


# -- taking back ------------------------------------------------------------------------------------------------


async def _ask_takeback(table: Table, player: str, client: str) -> None:
    """A human opponent is asked; computer players agree. Answers stand: the same move would meet the same answer."""
    _refuse_if_over(table)
    plies = _plies_back(table, player)
    if table.offers.takeback is not None and table.offers.takeback != player:
        raise IllegalMoveError("your opponent asks to take back as well; accept or decline first")
    if _others(table, player):
        table.offers.takeback = player
        _tell_offers(table)
    else:
        await _take_back(table, player, plies, client)


async def _accept_takeback(table: Table, player: str, client: str) -> None:
    asks = table.offers.takeback
    if asks is None or asks == player:
        raise IllegalMoveError("nobody asks to take back a move")
    await _take_back(table, asks, _plies_back(table, asks), client)


async def _decline_takeback(table: Table, player: str, client: str) -> None:
    if table.offers.takeback not in (None, player):
        table.offers.takeback = None
        _tell_offers(table)


def _plies_back(table: Table, player: str) -> int:
    """How many moves are taken back so that a player moves again."""
    if not table.head.get("takebacks", True):
        raise IllegalMoveError("at this table no move is taken back")
    if table.pending:
        raise IllegalMoveError(f"{table.pending['text']} waits for its answer; no move can be taken back")
    for plies, told in enumerate(reversed(table.history), 1):
        if told["by"] == player:
            return plies
    raise IllegalMoveError("there is no move of yours to take back")


async def _take_back(table: Table, player: str, plies: int, client: str) -> None:
    """Takes moves back. Their rows stay: what was announced is never lost."""
    at = now()
    clocks = table.clocks.stop(at)
    before = twin(table.game, table.ply - plies)
    last = table.game.history[-plies - 1].move if table.ply > plies else None
    board = work.board(before, last)
    await table.keep({"kind": "undo", "plies": plies, "by": player, "clocks": clocks.kept(at)}, client)
    for _ in range(plies):
        table.game.undo()
    del table.history[-plies:]
    table.answered[client] = {}
    table.board, table.offers.takeback, table.offers.draw = board, None, None
    table.clocks = clocks.start(table.player, at) if table.ply else clocks
    table.mind_the_clock()
    table.tell_state()
    go_on(table)


# -- playing again ----------------------------------------------------------------------------------------------


async def _rematch(table: Table, player: str, client: str) -> None:
    """Offers to play again, with seats changed; when everybody has, the new table is opened."""
    if not table.result:
        raise IllegalMoveError("the game is not over yet")
    if table.offers.next is None:
        if player not in table.offers.rematch:
            table.offers.rematch.append(player)
        if not set(_others(table, player)) - set(table.offers.rematch):
            again = await table.hall.again(table)
            await table.keep({"kind": "next", "game": again})
            table.offers.next = again
    _tell_offers(table)


ACTS: dict[str, Callable[[Table, str, str], Awaitable[None]]] = {
    "resign": _resign,
    "offer-draw": _offer_draw,
    "accept-draw": _accept_draw,
    "decline-draw": _decline_draw,
    "ask-takeback": _ask_takeback,
    "accept-takeback": _accept_takeback,
    "decline-takeback": _decline_takeback,
    "rematch": _rematch,
}

"""The board in a notebook: the same modules as on the web, with a game in this process.

A click plays in the game; whatever is played, taken back or resigned in Python shows on the board at once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from qchess.errors import QchessError
from qchess.playing import agents
from qchess.playing.agents import Task
from qchess.playing.game import Game
from qchess.showing import viewjson
from qchess.showing.picture import Bundle, bundle
from qchess.web.studies import inlining, telling


class BoardWidget(anywidget.AnyWidget):
    """A board that plays one game; see `Game.widget`."""

    _esm = inlining.module("widget")
    #: all that the page shows, from `qchess.web.studies.telling.state`
    state = traitlets.Dict().tag(sync=True)
    #: the drawings of the pieces
    drawings = traitlets.Dict().tag(sync=True)

    def __init__(self, game: Game[Any, Any], *, below: str | None = None, **players: str) -> None:
        self.game = game
        self.agents = {player: agents.get(name) for player, name in _of_players(game, players).items()}
        self.below = game.rules.players.index(below) if below else 0
        self.dice = random.Random(f"{game.seed} in a notebook")
        kind = game.rules.view(game.position).drawings
        super().__init__(state=self._state(), drawings={**viewjson.drawings(kind), "name": kind})
        game.on_change.append(self.refresh)
        self.on_msg(lambda _, message, __: self.take(message))
        self._answer_turn()

    def refresh(self) -> None:
        """Show the game as it is now."""
        self.state = self._state()

    def close(self) -> None:
        """Remove the board from the notebook; the game stays."""
        if self.refresh in self.game.on_change:
            self.game.on_change.remove(self.refresh)
        super().close()

    def _state(self) -> dict[str, Any]:
        human = [player for player in self.game.rules.players if player not in self.agents]
        you = "all" if not self.agents else next(iter(human), None)
        if you and len(human) > 1 and self.game.player in human:
            you = self.game.player
        return {**telling.state(self.game, you), "below": self.below}

    def __repr__(self) -> str:
        return f"<BoardWidget: {self.game!r}>"

    def _repr_mimebundle_(self, **options: Any) -> Bundle:
        """Return the board, and a picture of it for pages without scripts."""
        drawn, shown = bundle(self.game.svg(), f"A board to play on. {self.game.about}")
        live: Any = super()._repr_mimebundle_(**options) or {}
        data, metadata = live if isinstance(live, tuple) else (live, {})
        return {**data, **drawn}, {**metadata, **shown}

    def take(self, message: Mapping[str, Any]) -> None:
        """Handle a message of the page; an impossible one is refused with a sentence."""
        kind = message.get("kind")
        try:
            if kind == "move":
                self._play(str(message.get("text")))
            else:
                self.send(telling.answer(self.game, message))
        except QchessError as error:
            self.send({"kind": "refused", "of": kind, "why": str(error)})

    def _play(self, text: str) -> None:
        self.game.play(text)
        self._answer_turn()

    def _answer_turn(self) -> None:
        """Let the computer players move, until a person is to move or the game is over."""
        while not self.game.is_over and (agent := self.agents.get(self.game.player)):
            told = tuple(played.text for played in self.game.history)
            choice = agent.choose(Task(self.game.rules, self.game.position, self.dice, history=told))
            self.game.play(choice.move)


def _of_players(game: Game[Any, Any], players: Mapping[str, str]) -> Mapping[str, str]:
    """Return the computer players; raises if one has no seat."""
    unknown = sorted(set(players) - set(game.rules.players))
    if unknown:
        known = ", ".join(game.rules.players)
        raise QchessError(f"the players of {game.rules.name} are {known}, got {unknown[0]!r}")
    return players

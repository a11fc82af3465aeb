"""``POST /move``: an agent of ours as a custom computer player of somebody else's game.

Nothing is kept between requests. The same view gets the same answer if the server has a seed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from qchess import backends
from qchess.games.quantum_chess import QuantumChess
from qchess.games.quantum_chess.protocols import choice, gameview
from qchess.playing import agents
from qchess.servers import wire
from qchess.servers.http import Routes, page
from qchess.servers.wire import RequestError

#: a view that lists every split of a few queens is long
VIEW_LIMIT = 1024 * 1024


class MoveServer:
    """Answers views of games with moves; stateless.

    >>> server = MoveServer('greedy', seed=1)
    >>> start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    >>> server.answer({'view': {'gameData': {'position': {'startingFen': start}}}})['type'] in choice.FIELDS
    True
    """

    def __init__(
        self,
        agent: str = "greedy",
        *,
        seed: int | None = None,
        profile: str = "standard",
        backend: str = "sparse",
        path: str = "/move",
        seconds: float = 20,
    ) -> None:
        self.agent = agents.get(agent)
        self.seed, self.profile, self.seconds = seed, profile, seconds
        self.backend = backends.get(backend)
        QuantumChess(profile)  # an unknown profile is refused now, not with the first move
        self.routes: Routes = {
            ("GET", "/"): page(f"This is the {self.agent.name} player of qchess. Ask it with POST {path}."),
            ("POST", path): self.answer,
        }

    def answer(self, data: dict[str, Any]) -> dict[str, Any]:
        """The choice for ``{"view": ..., "clock": ...}``."""
        data = wire.without_forged(data, "a request")
        shown = wire.an_object(data.get("view"), "'view'")
        game = gameview.read(shown, profile=self.profile, backend=self.backend, seconds=self.seconds)
        if game.result:
            raise RequestError(f"the game is over: {game.result}", 409)
        only = gameview.listed(game.rules, game.position, shown)  # type: ignore[arg-type]
        if not only:
            raise RequestError("there is no move to choose", 409)
        told = game.record().moves()
        task = agents.Task(game.rules, game.position, self._rng(game.rules, told), only=only, history=told)
        return choice.write(self.agent.choose(task).move)

    def _rng(self, rules: Any, history: Sequence[str]) -> random.Random:
        """The agent's dice: fresh ones, or those of the seed and the position."""
        if self.seed is None:
            return random.Random()
        return random.Random(f"{self.seed} {rules.position_text(history)}")

"""``POST /move``: one of our agents as a computer player in another program's game.

Nothing is stored between requests. The same view gets the same answer if the server has a seed. Replaying and choosing
are limited in time, and so is the number of simultaneous requests: one that would wait too long gets 503.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from qchess import backends
from qchess.games.quantum_chess import Move, Position, QuantumChess
from qchess.games.quantum_chess.protocols import choice, gameview
from qchess.games.quantum_chess.turn import Turn
from qchess.playing import agents
from qchess.servers import wire
from qchess.servers.http import Routes, page
from qchess.servers.wire import RequestError

#: a view that lists every split of several queens is long
VIEW_LIMIT = 1024 * 1024
#: how long a request waits for its turn, in seconds
PATIENCE = 5.0
#: the part of the remaining time that an agent may plan with; the rest is for finishing
SHARE = 0.8


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
        at_once: int | None = None,
    ) -> None:
        self.agent = agents.get(agent)
        self._turns = threading.BoundedSemaphore(at_once or os.cpu_count() or 1)
        self.seed, self.profile, self.seconds = seed, profile, seconds
        self.backend = backends.get(backend)
        QuantumChess(profile)  # an unknown profile is refused now, not with the first move
        self.routes: Routes = {
            ("GET", "/"): page(f"This is the {self.agent.name} player of qchess. Ask it with POST {path}."),
            ("POST", path): self.answer,
        }

    def answer(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the choice for ``{"view": ..., "clock": ...}``."""
        data = wire.without_forged(data, "a request")
        shown = wire.an_object(data.get("view"), "'view'")
        with self._turn():
            return self._chosen(shown, time.monotonic() + self.seconds)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for one of the few simultaneous turns; 503 if that would take too long."""
        if not self._turns.acquire(timeout=PATIENCE):
            raise RequestError("this server is busy; ask again later", 503)
        try:
            yield
        finally:
            self._turns.release()

    def _chosen(self, shown: dict[str, Any], deadline: float) -> dict[str, Any]:
        game = gameview.read(shown, profile=self.profile, backend=self.backend, seconds=self.seconds)
        if game.result:
            raise RequestError(f"the game is over. {game.result}.", 409)
        assert isinstance(game.rules, QuantumChess), "a view tells a game of Quantum Chess"
        only = gameview.listed(game.rules, game.position, shown)
        if not only:
            raise RequestError("there is no move to choose", 409)
        told = game.record().moves()
        budget = agents.Budget(seconds=max(0.0, SHARE * (deadline - time.monotonic())))
        rules = Hurried(game.rules, deadline)
        task = agents.Task(rules, game.position, self._rng(game.rules, told), budget, only=only, history=told)
        return choice.write(self.agent.choose(task).move)

    def _rng(self, rules: Any, history: Sequence[str]) -> random.Random:
        """Return the agent's random generator: new, or from the seed and the position."""
        if self.seed is None:
            return random.Random()
        return random.Random(f"{self.seed} {rules.position_text(history)}")


class Hurried(QuantumChess):
    """The same rules with a time limit for computing moves."""

    def __init__(self, rules: QuantumChess, deadline: float) -> None:
        self.__dict__.update(rules.__dict__)
        self.deadline = deadline

    def turn(self, position: Position, move: Move) -> Turn:
        """Return the turn of a move, or answer 503."""
        if time.monotonic() > self.deadline:
            raise RequestError("no move could be chosen in time", 503)
        return super().turn(position, move)

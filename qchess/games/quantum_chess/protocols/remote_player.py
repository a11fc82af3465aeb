"""A remote player: shows the game to a ``POST /move`` server and takes its choice.

The host checks the choice and draws every outcome itself. No redirect is followed, nothing is loaded from the address,
and the answer is limited in size and time.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import SplitResult, urlsplit

from qchess import reading
from qchess.errors import IllegalMoveError, InvalidMoveError, QchessError
from qchess.games.quantum_chess import QuantumChess
from qchess.games.quantum_chess.protocols import choice, gameview
from qchess.playing.agents import Choice, PlayerError, Task
from qchess.playing.game import Game
from qchess.playing.replaying import replayed
from qchess.rules import Result
from qchess.servers import wire
from qchess.servers.wire import BODY_LIMIT

#: the longest address of a player
LONGEST_ADDRESS = 2000


class RemotePlayerError(PlayerError):
    """A remote player loses the game: ``timeout``, ``player_exception`` or ``illegal_move``."""

    def result(self, game: Game[Any, Any]) -> Result:
        """Return how the game ends by this fault of the player to move."""
        return game.rules.forfeited(game.position, game.player, self.reason)


class RemotePlayer:
    """An agent that asks a server for its moves, and shows it the game with its history."""

    def __init__(self, url: str, *, token: str | None = None, seconds: float = 30.0) -> None:
        parts, port = _address(url)
        self.name = f"remote {parts.netloc}"
        self.token, self.seconds = token, seconds
        self._https, self._host, self._port = parts.scheme == "https", parts.hostname or "", port
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def choose(self, task: Task) -> Choice:
        """Return the server's move; `RemotePlayerError` if it gives no legal one in time."""
        if not isinstance(task.rules, QuantumChess):
            raise InvalidMoveError(f"a remote player plays quantum-chess, not {task.rules.name!r}")
        game = replayed(task.rules, task.history)
        if game.position != task.position:
            raise IllegalMoveError("a remote player only sees the position after the moves it was given")
        data = self._ask({"view": gameview.write(game), "clock": None})
        try:
            return Choice(choice.read(task.rules, task.position, data), note=f"chosen by {self.name}")
        except QchessError as error:
            raise RemotePlayerError(f"{self.name} chose no legal move: {error}", "illegal_move") from error

    def _ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON object that the server answers."""
        body = json.dumps(question, separators=(",", ":")).encode()
        headers = {"Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        status, answer = self._post(body, headers)
        if not 200 <= status < 300:
            raise RemotePlayerError(f"{self.name} answered {status}: {wire.shown(answer)}", "player_exception")
        if len(answer) > BODY_LIMIT:
            raise RemotePlayerError(f"{self.name} answered with more than {BODY_LIMIT} bytes", "player_exception")
        try:
            return wire.parse(answer)
        except QchessError as error:
            raise RemotePlayerError(f"{self.name}: {error}", "player_exception") from error

    def _post(self, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        kind = http.client.HTTPSConnection if self._https else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=self.seconds)
        late = threading.Event()
        try:
            connection.connect()
            with _cut_off(connection.sock, self.seconds, late):
                connection.request("POST", self._path, body, dict(headers))
                response = connection.getresponse()
                return response.status, response.read(BODY_LIMIT + 1)
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "strerror", None) or error or type(error).__name__
            reason = "timeout" if late.is_set() or isinstance(error, TimeoutError) else "player_exception"
            raise RemotePlayerError(f"{self.name} gave no answer: {why}", reason) from error
        finally:
            connection.close()


def _address(url: str) -> tuple[SplitResult, int | None]:
    """Return the parts of an address, and its port if given; raises if no connection is possible."""
    wanted = f"expected an address such as http://127.0.0.1:8001/move, got {reading.shown(url)}"
    plain = reading.text(url, "an address", LONGEST_ADDRESS)
    if not (plain.isascii() and plain.isprintable()) or " " in plain:
        raise InvalidMoveError(wanted)
    try:
        parts = urlsplit(plain)
        port = parts.port
    except ValueError as error:
        raise InvalidMoveError(f"{wanted} ({error})") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise InvalidMoveError(wanted)
    return parts, port


@contextmanager
def _cut_off(sock: socket.socket, seconds: float, late: threading.Event) -> Iterator[None]:
    """Shut a connection down when the time is over, even if the other side keeps sending."""

    def cut() -> None:
        late.set()
        with suppress(OSError):  # it may have ended this very moment
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if late.is_set():
        raise TimeoutError(f"not within {seconds:g} s")

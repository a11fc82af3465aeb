"""A server that ends lets every connection go with its answer: nobody is asked to keep the line."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

from qchess.servers.http import LocalServer, Settings
from tests.servers.asking import Client


def serving_ended(server: LocalServer) -> bool:
    """Whether nobody new is heard, soon."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    for _ in range(500):
        try:
            with socket.create_connection((host, int(port)), timeout=1):
                time.sleep(0.02)
        except OSError:
            return True
    return False


def test_a_connection_that_is_answered_while_the_server_ends_is_closed_and_not_waited_for() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(data: Any) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(20)
        return {"heard": data["at"]}

    server = LocalServer({("POST", "/slow"): slow}, settings=Settings(parting=20))
    serving = threading.Thread(target=server.serve)
    serving.start()
    found: list[tuple[int, dict[str, str], bytes]] = []
    with Client(server.url) as client:
        asking = threading.Thread(target=lambda: found.append(client.send("POST", "/slow", b'{"at": "last"}')))
        asking.start()
        assert begun.wait(20)
        server.stop()
        assert serving_ended(server), "the listening has ended, one answer is still being worked on"
        go_on.set()
        asking.join(20)
        serving.join(10)
    [(status, headers, body)] = found
    assert (status, headers.get("Connection"), body) == (200, "close", b'{"heard":"last"}')
    assert not serving.is_alive(), "the server did not wait for a connection that nobody uses"

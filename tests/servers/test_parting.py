"""A server that ends lets every connection go with its answer: nobody is asked to keep the line."""

from __future__ import annotations

import threading
from typing import Any

from qchess.servers.http import LocalServer, Settings
from tests.patience import PATIENCE, wait_until
from tests.servers.asking import Client, ended


def test_a_connection_that_is_answered_while_the_server_ends_is_closed_and_not_waited_for() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(data: Any) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(PATIENCE)
        return {"heard": data["at"]}

    server = LocalServer({("POST", "/slow"): slow}, settings=Settings(seconds=PATIENCE, parting=2 * PATIENCE))
    serving = threading.Thread(target=server.serve)
    serving.start()
    found: list[tuple[int, dict[str, str], bytes]] = []
    with Client(server.url) as client:
        asking = threading.Thread(target=lambda: found.append(client.send("POST", "/slow", b'{"at": "last"}')))
        asking.start()
        assert begun.wait(PATIENCE)
        server.stop()
        wait_until(lambda: ended(server), "the listening has ended, one answer is still being worked on")
        go_on.set()
        asking.join(PATIENCE)
        serving.join(PATIENCE)
    [(status, headers, body)] = found
    assert (status, headers.get("Connection"), body) == (200, "close", b'{"heard":"last"}')
    assert not serving.is_alive(), "the server did not wait for a connection that nobody uses"

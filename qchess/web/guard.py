"""Access control: requests from foreign pages and to foreign names are rejected first.

A browser sends any page's request to any address, even to this machine. The `Origin` says whose page it is, and the
`Host` under which name this server was reached: a foreign name that points here is rejected.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qchess.errors import InvalidMoveError
from qchess.reading import shown
from qchess.web.addresses import counted
from qchess.web.limits import WHOSE
from qchess.web.metrics import Metrics

log = logging.getLogger("qchess.web")
#: what our pages may load; pictures of boards and circuits have inline styles, which are allowed
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
USUAL_PORTS = {"http": 80, "https": 443}


def own_origins(port: int) -> tuple[str, ...]:
    """Return the origins of pages that this machine serves to itself."""
    return tuple(origin(f"http://{name}:{port}") for name in LOOPBACK)


def origin(text: str) -> str:
    """Return an origin as browsers write it: scheme, host, and the port if not the default."""
    parts = urlsplit(text)
    if parts.scheme not in USUAL_PORTS or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise InvalidMoveError(f"expected an origin such as https://play.example.org, got {shown(text)}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = parts.port
    return f"{parts.scheme}://{host}" + ("" if port in (None, USUAL_PORTS[parts.scheme]) else f":{port}")


def host_of(one: str) -> str:
    """Return the `Host` that belongs to an origin."""
    return one.partition("://")[2]


class Guard:
    """Rejects foreign requests, and adds security headers."""

    def __init__(self, app: ASGIApp, origins: Iterable[str], hosts: Iterable[str], metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics
        self.origins, self.hosts = frozenset(origins), frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a permitted request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if why := self._foreign(Headers(scope=scope)):
            self.metrics.count("refused", why)
            log.warning("refused %s: foreign %s", (scope.get("client") or ("?",))[0], why)
            await self._turn_away(scope, receive, send, why)
            return
        WHOSE.set(counted((scope.get("client") or ("",))[0]))

        async def careful(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, careful)

    def _foreign(self, headers: Headers) -> str | None:
        """Return the foreign part of the request, if any. Programs other than browsers send no origin."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return "host"
        told = headers.getlist("origin")
        if len(told) > 1 or (told and told[0].lower() not in self.origins):
            return "origin"
        return None

    async def _turn_away(self, scope: Scope, receive: Receive, send: Send, why: str) -> None:
        if scope["type"] == "http":
            refusal = JSONResponse({"error": f"this server does not answer pages of other sites (foreign {why})"}, 403)
            await refusal(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": why})

"""What travels compressed: files and large answers, for whoever can unpack them."""

from __future__ import annotations

import gzip
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from qchess.web.serving import Serving


def got(url: str, **headers: str) -> tuple[dict[str, str], bytes]:
    """The headers of an answer, and its body as it came."""
    with urlopen(Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}, answer.read()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/static/board.js", "/static/look.css", "/", "/api/games"])
def test_what_is_large_is_packed_for_whoever_can_unpack_it(path: str) -> None:
    with Serving() as server:
        told, body = got(server.url + path, accept_encoding="gzip")
        plain, whole = got(server.url + path)
    assert told["content-encoding"] == "gzip"
    assert "content-encoding" not in plain
    assert gzip.decompress(body) == whole
    assert len(body) == int(told["content-length"]) < len(whole) / 1.5
    assert told["vary"] == plain["vary"] == "Accept-Encoding"
    assert told["content-security-policy"] == plain["content-security-policy"]


def test_what_is_small_is_sent_as_it_is_and_a_file_that_is_the_same_not_at_all() -> None:
    with Serving() as server:
        told, body = got(f"{server.url}/health", accept_encoding="gzip")
        assert "content-encoding" not in told
        assert body.strip() == b"ok"
        told, _ = got(f"{server.url}/static/board.js", accept_encoding="gzip")
        with pytest.raises(HTTPError, match="304"):
            got(f"{server.url}/static/board.js", accept_encoding="gzip", if_none_match=told["etag"])

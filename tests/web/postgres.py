"""A database of PostgreSQL for a test, where QCHESS_POSTGRES names a server."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest


def address() -> str:
    """The server's address; the test is left out where there is none."""
    where = os.environ.get("QCHESS_POSTGRES")
    if not where:
        pytest.skip("needs a PostgreSQL: QCHESS_POSTGRES=postgresql://user:password@host:port/name")
    return where


@contextmanager
def asked(where: str) -> Iterator[Any]:
    """A connection to a database."""
    import pg8000.native

    from qchess.web.store.postgres import _parts

    line = pg8000.native.Connection(**_parts(where))
    try:
        yield line
    finally:
        line.close()


@contextmanager
def database() -> Iterator[str]:
    """The address of an empty database, which is gone afterwards."""
    where, name = address(), f"qchess_{uuid.uuid4().hex}"
    with asked(where) as line:
        line.run(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(where)._replace(path=f"/{name}").geturl()
        finally:
            line.run(f"DROP DATABASE {name} WITH (FORCE)")

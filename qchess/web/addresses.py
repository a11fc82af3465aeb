"""Addresses: under which one a request counts for limits, and under which one others reach this machine."""

from __future__ import annotations

import socket
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

#: a home has an IPv6 network of this size, so a single address means nothing
NETWORK = 64
#: the addresses of a proxy on this machine
PROXIES = ("127.0.0.1", "::1")
#: an address for examples, which no machine has; the route to it begins at this machine's interface
SOMEWHERE = ("192.0.2.1", 9)
#: the address that means all interfaces
EVERYWHERE = "0.0.0.0"


def address_of(request: HTTPConnection) -> str:
    """Return the address of the client."""
    return counted(request.client.host if request.client else "")


def counted(address: str) -> str:
    """Return the name under which an address is counted.

    >>> counted('192.0.2.7'), counted('2001:db8::1'), counted('::ffff:192.0.2.7')
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, NETWORK), strict=False))
    return str(found)


def reached_at(bind: str) -> str | None:
    """Return the address at which others reach a server that listens at one; None for this machine only.

    >>> reached_at('127.0.0.1'), reached_at('192.0.2.7'), reached_at('play.example')
    (None, '192.0.2.7', None)
    """
    found = _of_interface() if bind == EVERYWHERE else bind
    try:
        told = ip_address(found)
    except ValueError:
        return None
    return None if told.is_loopback or told.is_unspecified else found


def _of_interface() -> str:
    """Return the address of the interface that leads to the network; choosing a route sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        try:
            made.connect(SOMEWHERE)
            return str(made.getsockname()[0])
        except OSError:
            return ""

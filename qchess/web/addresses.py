"""Whose a request is, for limits: an address, or the network of one where everybody has many."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

#: a home has a network of this size with IPv6, so that a single address says nothing
NETWORK = 64
#: where a proxy of this machine asks from
PROXIES = ("127.0.0.1", "::1")


def address_of(request: HTTPConnection) -> str:
    """The address of the client."""
    return counted(request.client.host if request.client else "")


def counted(address: str) -> str:
    """The name under which an address is counted.

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

"""The address under which a request counts for limits: its own, or its network with IPv6."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

#: a home has an IPv6 network of this size, so a single address means nothing
NETWORK = 64
#: the addresses of a proxy on this machine
PROXIES = ("127.0.0.1", "::1")


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

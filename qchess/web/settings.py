"""What a server allows: who may ask, how much, how fast, and what work may take."""

from __future__ import annotations

from dataclasses import dataclass

#: agents that a table may name by default, with budgets that a page can wait for
AGENTS = ("random", "greedy", "flat@0.5s", "mcts@0.5s", "mcts@2s")
BACKENDS = ("sparse", "cirq", "aer", "sparse-shots", "aer-shots", "aer-noisy")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one server; the defaults are for people around one table, on this machine."""

    #: the origins of pages that may ask, such as ``https://play.example.org``; those of the address itself if empty
    origins: tuple[str, ...] = ()
    #: whether others than the people of this machine are expected: agents, backends and registers are limited
    public: bool = False
    #: what a table may name; empty allows whatever the catalogues know
    agents: tuple[str, ...] = AGENTS
    backends: tuple[str, ...] = BACKENDS
    #: the branches that a register may have
    branches: int = 4096
    #: modules that are imported here and in every worker: they may register games, backends, agents; or a game's rules
    #: as ``module:Class``
    plugins: tuple[str, ...] = ()
    #: whether requests come through a proxy of this machine, which says whose they are
    proxied: bool = False

    # -- how much ---------------------------------------------------------------------------------------------
    message_bytes: int = 65536
    move_characters: int = 32
    plies: int = 1000
    #: messages a second and at once, and previews and the like, for each socket
    messages: tuple[float, int] = (5.0, 20)
    looks: tuple[float, int] = (2.0, 6)
    #: moves a second and at once, for each address
    moves: tuple[float, int] = (200.0, 600)
    #: refusals in a row that close a socket
    patience: int = 50
    sockets_per_address: int = 100
    tables_per_hour: int = 100
    sockets: int = 2000
    #: connections that are no sockets, of one address and in all; a proxy of this machine has no share of its own
    requests_per_address: int = 200
    requests: int = 1000
    tables: int = 100_000
    #: messages that wait for a client before it is let go
    queue: int = 32

    # -- how long ---------------------------------------------------------------------------------------------
    #: a request's head, and then its body; a client that was let go is cut off after as long
    request_seconds: float = 10.0
    hello_seconds: float = 10.0
    #: a table that nobody watches is forgotten after so long; its record stays
    idle_seconds: float = 600.0
    work_seconds: float = 10.0
    #: what setting up a table's first position may take
    opening_seconds: float = 0.25
    #: what telling odds may take; of the moves after that only the squares are told
    odds_seconds: float = 0.5
    #: what a computer player may take for a move, and a device that answers at once
    agent_seconds: float = 30.0
    device_seconds: float = 120.0
    #: worker processes
    workers: int = 2
    #: positions with more branches than this are worked on elsewhere
    light: int = 256
    #: work on this side of the line that took longer, in seconds, makes a table heavy
    slow: float = 0.03
    #: seconds between two looks for a device's answer, at first and at most
    collect: tuple[float, float] = (0.25, 5.0)
    parting_seconds: int = 3

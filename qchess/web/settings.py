"""The settings of a server: who may connect, how much, how fast, and the limits of work."""

from __future__ import annotations

from dataclasses import dataclass

#: agents that a table may name by default, with budgets short enough for a page
AGENTS = ("random", "greedy", "flat@0.5s", "mcts@0.5s", "mcts@2s")
#: the levels that the first page offers: each an agent, and its budget in words; docs/agents.md has how far apart
LEVELS = (
    ("Easy", "random", "plays any legal move"),
    ("Casual", "greedy", "looks one move ahead"),
    ("Strong", "mcts@2s", "thinks two seconds a move"),
)
BACKENDS = ("sparse", "cirq", "aer", "sparse-shots", "aer-shots", "aer-noisy")


def level_of(agent: str) -> str:
    """Return the name of the level that an agent plays at; empty if it is none."""
    return next((name for name, known, _ in LEVELS if known == agent), "")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one server; the defaults are for people around one table, on this machine."""

    #: the origins of pages that may send requests, such as ``https://play.example.org``; if empty, the server's own
    origins: tuple[str, ...] = ()
    #: True: strangers may connect, so agents, backends and registers are limited
    public: bool = False
    #: what a table may name; empty allows everything in the catalogues
    agents: tuple[str, ...] = AGENTS
    backends: tuple[str, ...] = BACKENDS
    #: the most branches of a register
    branches: int = 4096
    #: modules imported here and in every worker: they may register games, backends, agents; or a game's rules as
    #: ``module:Class``
    plugins: tuple[str, ...] = ()
    #: True: requests come through a proxy of this machine, which gives the client's address
    proxied: bool = False

    # -- how much ---------------------------------------------------------------------------------------------
    message_bytes: int = 65536
    move_characters: int = 32
    plies: int = 1000
    #: messages per second and at once, and read-only ones, for each socket
    messages: tuple[float, int] = (5.0, 20)
    looks: tuple[float, int] = (2.0, 6)
    #: moves per second and at once, for each address
    moves: tuple[float, int] = (200.0, 600)
    #: consecutive refusals that close a socket
    patience: int = 50
    sockets_per_address: int = 100
    tables_per_hour: int = 100
    sockets: int = 2000
    #: connections other than sockets, per address and in total; a proxy of this machine is not limited
    requests_per_address: int = 200
    requests: int = 1000
    tables: int = 100_000
    #: messages that wait for a client before it is disconnected
    queue: int = 32

    # -- how long ---------------------------------------------------------------------------------------------
    #: for a request's head, and then its body; a disconnected client is cut off after the same time
    request_seconds: float = 10.0
    hello_seconds: float = 10.0
    #: a table that nobody watches is forgotten after this time; its record stays
    idle_seconds: float = 600.0
    work_seconds: float = 10.0
    #: for setting up a table's first position
    opening_seconds: float = 0.25
    #: for computing odds; moves after that show only their squares
    odds_seconds: float = 0.5
    #: for a computer player's move, and for a device that answers at once
    agent_seconds: float = 30.0
    device_seconds: float = 120.0
    #: the number of worker processes
    workers: int = 2
    #: positions with more branches are handled by workers
    light: int = 256
    #: work on the server's loop that took longer, in seconds, makes a table heavy
    slow: float = 0.03
    #: seconds between checks for a device's answer, at first and at most
    collect: tuple[float, float] = (0.25, 5.0)
    parting_seconds: int = 3

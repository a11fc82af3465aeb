"""Agents (computer players), and their catalogue.

>>> get('random').name
'random'
"""

from qchess.playing.agents.agent import Agent, Budget, Candidate, Choice, PlayerError, Task, explained
from qchess.playing.agents.catalogue import UnknownAgentError, get, names, register
from qchess.playing.agents.greedy import GreedyAgent, standing, value
from qchess.playing.agents.random_agent import RandomAgent

__all__ = [
    "Agent", "Budget", "Candidate", "Choice", "GreedyAgent", "PlayerError", "RandomAgent", "Task", "UnknownAgentError",
    "explained", "get", "names", "register", "standing", "value",
]  # fmt: skip

"""Adapters: each simulator behind one small protocol, in a short file of its own."""

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit, Step

__all__ = ["Adapter", "Circuit", "Step"]

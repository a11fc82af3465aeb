"""Simulators behind one small protocol, one short file each."""

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit, Step

__all__ = ["Adapter", "Circuit", "Step"]

"""Quantum random numbers: bits from a device, tested, kept in a pool, and used as dice."""

from qchess.backends.qrng.dice import coin, dice, die
from qchess.backends.qrng.extraction import min_entropy, toeplitz
from qchess.backends.qrng.generator import QuantumRandom
from qchess.backends.qrng.harvest import Harvest, harvest
from qchess.backends.qrng.health import HealthError, remark
from qchess.backends.qrng.pool import Pool
from qchess.backends.qrng.source import QrngSource, outcomes
from qchess.backends.qrng.supply import Supply

__all__ = [
    "Harvest",
    "HealthError",
    "Pool",
    "QrngSource",
    "QuantumRandom",
    "Supply",
    "coin",
    "dice",
    "die",
    "harvest",
    "min_entropy",
    "outcomes",
    "remark",
    "toeplitz",
]

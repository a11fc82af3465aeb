"""An older place of `qchess.backends.sampler`."""

from qchess.backends import sampler

__all__ = ["sampler"]

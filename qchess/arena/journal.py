"""The journal of `qchess.playing.journal`, by its former name."""

from qchess.playing.journal import Journal, read

__all__ = ["Journal", "read"]

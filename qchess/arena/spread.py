"""Work spread over processes, of `qchess.playing.spread`, by its former name."""

from qchess.playing.spread import spread

__all__ = ["spread"]

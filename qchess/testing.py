"""The public name of the checkers for games and engines; see `qchess.proving.checking`."""

from qchess.proving.checking import CheckError, GameCheckError, Report, check_engine, check_game
from qchess.proving.laws import require

__all__ = ["CheckError", "GameCheckError", "Report", "check_engine", "check_game", "require"]

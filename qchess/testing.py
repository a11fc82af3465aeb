"""The doorway to the checkers that games and engines have to pass; see `qchess.proving.checking`."""

from qchess.proving.checking import CheckError, GameCheckError, Report, check_engine, check_game
from qchess.proving.laws import require

__all__ = ["CheckError", "GameCheckError", "Report", "check_engine", "check_game", "require"]

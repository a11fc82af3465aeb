"""The games, rules only: one package each, and the catalogue that finds them."""

from qchess.games.catalogue import Row, names, register, rows, rules

__all__ = ["Row", "names", "register", "rows", "rules"]

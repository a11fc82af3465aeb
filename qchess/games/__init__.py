"""The games, rules only: one room each, and the catalogue that finds them."""

from qchess.games.catalogue import names, rows, rules

__all__ = ["names", "rows", "rules"]

"""The games, rules only: one package each, and the catalogue that finds them."""

from qchess.games.catalogue import Row, names, plug, register, rows, rules

__all__ = ["Row", "names", "plug", "register", "rows", "rules"]

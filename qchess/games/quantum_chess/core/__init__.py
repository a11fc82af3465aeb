"""The compiled core of Quantum Chess: the rules of this game on packed positions, for search and playouts.

The rules next door are the truth; `check_game` and the tests hold this room to them, move by move. The modules from
`layout` to `entries` are kernels: plain functions on arrays that a compiler reads. `packing` and `core` are Python.
"""

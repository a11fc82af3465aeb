"""The compiled core of Quantum Chess: the rules of this game on packed positions, for search and playouts.

`check_game` and the tests compare it with the rules, move by move. The modules that hold kernels are plain functions on
arrays, read by a compiler. The others are ordinary Python.
"""

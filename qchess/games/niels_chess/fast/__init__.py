"""The compiled list of legal moves: the moves of `listing`, as rows of numbers.

The board is an array with one integer a square (`layout`); `reaching` says how pieces move and attack, `trying` which
changes leave the own king safe, `kernels` lists. `packing` makes the arrays, and moves of the rows.
"""

"""Plies by the compiled core, with positions that are made in full late: when somebody looks at them.

`kernels` plays a listed move and writes the next list in one call, `finding` says what its measurements find, `desk`
holds what goes in and comes out, and `plies` makes the positions, by the rules.
"""

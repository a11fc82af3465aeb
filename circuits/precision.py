"""How exact is exact: the tolerances that several rooms share, each with its reason.

States are double precision, so that a sum of some thousand terms is good to about 1e-13. Tolerances that belong to one
computation alone stand beside it.
"""

from __future__ import annotations

#: an amplitude below this is what rounding left where amplitudes cancelled, and is dropped
NOISE = 1e-12
#: the same as a weight, a squared amplitude
NOISE_SQUARED = 1e-24
#: a probability this close to 0 or 1 is certain: a sum of squared amplitudes rounds by less
CERTAIN = 1e-12
#: a state and the product of its parts may lie so far apart, as may a determinant that is 0 for a product
PRODUCT = 1e-11
#: the same thing, found on two ways or by two engines, may lie so far apart
SAME = 1e-9
#: numbers that people wrote are rounded by up to this
WRITTEN = 1e-6

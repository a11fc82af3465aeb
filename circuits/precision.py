"""Tolerances that several packages share, each with its reason.

States are double precision, so a sum of some thousand terms is good to about 1e-13. A tolerance used in one
computation only is defined there.
"""

from __future__ import annotations

#: an amplitude below this is a rounding error of a cancellation, and is dropped
NOISE = 1e-12
#: the same as a weight, a squared amplitude
NOISE_SQUARED = 1e-24
#: a probability this close to 0 or 1 is certain: a sum of squared amplitudes has smaller rounding errors
CERTAIN = 1e-12
#: how far a state may differ from the product of its parts, or a determinant from 0 for a product
PRODUCT = 1e-11
#: how far two computations, or two engines, may differ for the same thing
SAME = 1e-9
#: numbers written by people are rounded by up to this
WRITTEN = 1e-6

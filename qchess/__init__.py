"""qchess: quantum board games on quantum circuits."""

from qchess import _checkout as _checkout

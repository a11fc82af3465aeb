"""Compiling: programs in one- and two-qubit gates, proven equal, at three levels."""

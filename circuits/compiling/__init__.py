"""Compiling: programs in one- and two-qubit gates, checked against their source, at three levels."""

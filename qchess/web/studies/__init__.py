"""Studies: circuits and registers as data, trees of moves and outcomes, lessons, classes, exports."""

"""Our exact engine: it stores only the branches with a nonzero amplitude."""

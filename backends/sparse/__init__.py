"""Our exact engine: the amplitudes of the branches that are there, and no others."""

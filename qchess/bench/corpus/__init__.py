"""The corpus: circuits of games and growing families, in several tracks, with features and exact answers."""

"""The corpus: circuits of games and families that grow, in three tracks, with features and exact answers."""

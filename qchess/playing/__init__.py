"""Playing: games, records, and players that are programs."""

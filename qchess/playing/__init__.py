"""Games, records, and computer players."""

"""Views of a game, and boards as text and pictures."""

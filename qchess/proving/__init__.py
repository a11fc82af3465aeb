"""Checks of games: laws, and the checker that plays by them."""

"""Showing: views, boards as text and as pictures."""

"""Showing: views, boards as text and pictures, and the terminal."""

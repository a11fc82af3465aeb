"""Boards: squares, steps and rays."""

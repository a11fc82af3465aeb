"""Simulators on a GPU."""

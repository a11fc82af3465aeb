"""Proving engines: the plain definition, random programs, and the checker that compares."""

"""Lessons: one phenomenon each, as data, and what walks through them."""

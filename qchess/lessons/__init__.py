"""Lessons: one phenomenon each, as data, and the code that walks through them."""

"""The three experiments of the quantum checkers paper (arXiv 2506.05962, section VI), with its parameters as defaults.

`complexity` plays random games, `strength` the search against a random player, `ladder` a tournament with ratings. Each
writes its figures as JSON and CSV, a table, plots, and a short text that compares them with the published values.
"""

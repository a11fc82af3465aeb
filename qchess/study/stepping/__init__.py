"""Gate by gate: the steps of a program or a game, as values, a table, a strip of pictures, or a page with a slider."""

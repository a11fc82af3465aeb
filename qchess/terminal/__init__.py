"""The terminal: a game between lines that are typed and lines that are printed."""

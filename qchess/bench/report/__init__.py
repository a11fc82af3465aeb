"""What result files say: tables, plots, and how two of them differ."""

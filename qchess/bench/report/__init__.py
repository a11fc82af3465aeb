"""Reports of result files: tables, plots, and comparisons."""

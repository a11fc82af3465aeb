"""A report as one file for a browser, in which one chooses, sorts, filters, and goes from a picture to its cases."""

"""A report as one HTML file with choosing, sorting, filtering, and links from pictures to cases."""

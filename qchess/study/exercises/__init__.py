"""The exercises of the course: one module a notebook, called like it, with what an answer must be."""

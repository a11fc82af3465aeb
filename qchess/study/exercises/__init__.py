"""The exercises of the course: one module per notebook, of the same name, with the conditions of each answer."""

"""Hide and Seek: what somebody else's package looks like that adds to qchess."""

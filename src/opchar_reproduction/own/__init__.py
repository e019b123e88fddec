"""A user's entries, their results and project folder."""

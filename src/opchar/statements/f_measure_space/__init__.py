"""Statements that both works on F-measure space make."""

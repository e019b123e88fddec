"""Operating characteristics of problems with more than two classes."""

"""Classifiers of the five works, and their names in tables."""

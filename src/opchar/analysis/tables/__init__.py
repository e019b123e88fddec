"""Scores of several models on the same objects, from tables of any usual form."""

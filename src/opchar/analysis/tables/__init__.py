"""Scores of several models on the same objects, from whatever tables people have."""

"""Classifiers of the five works, and the words that their tables name them by."""

"""Answers about the scores of all models, one module for each question."""

"""Checks of what the publications print that need no experiment."""

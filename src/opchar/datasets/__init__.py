"""Data sets: a registry, fetching, readers, generators, features and stand-ins."""

"""What a user's own scores say: areas, thresholds, limits and comparisons, with their uncertainty.

`tables` takes the files that people have, `answers` has a module for each question; `run` puts the
answers into a folder, as `opchar analyse` does.
"""

"""What a user's own scores say: areas, thresholds, limits and comparisons, with their uncertainty.

`reading` takes the files that people have; the other modules answer a question each; `run` puts the
answers into a folder. `opchar analyse` on the command line does the same.
"""

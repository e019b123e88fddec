"""The score table: the waist between trained models and everything that judges them.

A table has the columns ``fold, index, y`` and a column of scores for each class, as Parquet (or CSV
for a user's own). A column ``model`` tells the models of a table apart. A sidecar ``<name>.json``
states its origin. Where the scores are scaled decision values, columns ``<class> (raw)`` keep
these. Further columns: ``test_set`` (one training, several test sets), ``member`` (of a pool of
classifiers), ``detector`` (its score).
"""

from opchar.scores.files import read_models, read_scores, sidecar, write_models, write_scores
from opchar.scores.table import ScoreTable, rejecting_threshold

__all__ = [
    "ScoreTable",
    "read_models",
    "read_scores",
    "rejecting_threshold",
    "sidecar",
    "write_models",
    "write_scores",
]

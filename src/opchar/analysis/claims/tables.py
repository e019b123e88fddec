"""Score tables of a run, joined to models of one data set on the same objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from opchar.analysis.tables.columns import positive_class
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError
from opchar.scores import ScoreTable, read_scores

TEST = "test"


def read_tables(paths: Sequence[Path]) -> dict[str, ScoredSample]:
    """Read score tables of a run; those of one set and protocol are models of one set.

    Parameters
    ----------
    paths : sequence of pathlib.Path

    Returns
    -------
    dict of str to ScoredSample
        By what was scored, the stand-in where it was one, and the protocol; models and sets in the
        order of their names, whatever that of the files.

    Raises
    ------
    ScoresError
        One line, if a table is none, a model stands twice, or its test objects are no single set.
    """
    groups: dict[str, dict[str, ScoreTable]] = {}
    for path in paths:
        table = read_scores(path)
        protocol = table.provenance.get("protocol_name", "")
        name = f"{table.data}, {protocol}" if protocol else table.data
        models = groups.setdefault(name, {})
        model = str(table.provenance["model"])
        if model in models:
            raise ScoresError(f"{path}: '{model}' on {name} is given twice")
        models[model] = table
    return {
        name: scored_of(dict(sorted(models.items())), name)
        for name, models in sorted(groups.items())
    }


def scored_of(models: Mapping[str, ScoreTable], name: str) -> ScoredSample:
    """Return score tables of one set as models on the same objects.

    Parameters
    ----------
    models : mapping of str to ScoreTable
        Over the same test objects in the same order. Of several test sets ``test`` is taken.
    name : str
        The set, for messages.

    Returns
    -------
    ScoredSample

    Raises
    ------
    ScoresError
        One line, if there are members of a pool or test sets without one called ``test``, or the
        models were tested on other objects.
    """
    tables = {model: _single_test_set(table, f"{name}, {model}") for model, table in models.items()}
    first, *others = tables.values()
    for table in others:
        same = (
            table.classes == first.classes
            and np.array_equal(table.fold, first.fold)
            and np.array_equal(table.index, first.index)
            and np.array_equal(table.y, first.y)
        )
        if not same:
            raise ScoresError(f"{name}: models were tested on other objects")
    folds, fold = np.unique(first.fold, return_inverse=True)
    objects, unit = np.unique(first.index, return_inverse=True)
    y = first.y.astype(np.intp)
    return ScoredSample(
        first.classes,
        y,
        {model: table.scores for model, table in tables.items()},
        positive_class(first.classes, y),
        fold if len(folds) > 1 else None,
        None,
        unit if len(objects) < len(unit) else None,
    )


def _single_test_set(table: ScoreTable, where: str) -> ScoreTable:
    """Return the lines of the one test set that claims are asked of."""
    if table.member is not None:
        raise ScoresError(f"{where}: has the members of a pool; claims are asked of one model")
    if table.test_set is None:
        return table
    names = sorted(set(table.test_set))
    if TEST not in names:
        raise ScoresError(f"{where}: has the test sets {', '.join(names)}, and no '{TEST}'")
    return table.where(table.test_set == TEST)

"""Marks for a file of one's own: models, metrics, experiments, figures and tables.

List the file under ``extensions:`` in ``config/config.yaml``, or enter it by ``opchar add extension
FILE``. The marks are read from the syntax tree, so that planning a run does not run the file; their
arguments must be literals. A marked function stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from opchar.models.extend import word

__all__ = ["experiment", "figure", "metric", "table", "word"]

Made = TypeVar("Made", bound=Callable[..., Any])


def metric(summary: str) -> Callable[[Made], Made]:
    """Mark an index of a confusion matrix: a column of every analysis of one's own data sets.

    Parameters
    ----------
    summary : str
        What it says, in one line.

    Returns
    -------
    callable
        Leaves the function as it is: of a matrix of counts, shape (C, C), rows the true classes,
        it returns a number.

    Examples
    --------
    >>> @metric("share of the objects on the diagonal")
    ... def hits(matrix):
    ...     return matrix.trace() / matrix.sum()
    """
    _ = summary
    return lambda function: function


def experiment(
    name: str,
    *,
    scores: Sequence[Mapping[str, Any]] = (),
    features: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    profiles: Mapping[str, Mapping[str, Any]] | None = None,
    kind: str = "metric",
    basis: str = "data",
) -> Callable[[Made], Made]:
    """Mark an experiment: ``opchar run own/<name>`` makes it.

    Parameters
    ----------
    name : str
        Its address is ``own/<name>``.
    scores : sequence of mapping
        What it reads: ``{"data": ..., "protocol": ..., "models": [...]}`` each.
    features : sequence of str
        Data sets whose features it reads.
    parameters : mapping, optional
        Given to the function by name.
    profiles : mapping, optional
        What ``tiny``, ``quick`` or ``paper`` change of the parameters.
    kind : {"metric", "anova", "vus", "reject", "ibc", "costs"}
        Of work.
    basis : {"data", "exact", "simulation", "illustration"}
        What its numbers rest on.

    Returns
    -------
    callable
        Leaves the function as it is: it is called with keywords only, its parameters and those of
        ``scores`` (tables by data set and model), ``features`` and ``spawn`` (a generator for a
        name) that apply, and returns `opchar.results.Results`.

    Examples
    --------
    >>> @experiment(
    ...     "sizes",
    ...     scores=[{"data": "sonar", "protocol": "holdout-10", "models": ["sc ldc"]}],
    ... )
    ... def sizes(*, scores):
    ...     from opchar.results import Results
    ...     results = Results()
    ...     for (data, model), table in scores.items():
    ...         results.number("sizes", model, "objects", len(table.y), data=table.data)
    ...     return results
    """
    _ = name, scores, features, parameters, profiles, kind, basis
    return lambda function: function


def figure(
    name: str,
    *,
    experiment: str,
    title: str,
    caption: str,
    lines: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
) -> Callable[[Made], Made]:
    """Mark what draws a figure of an experiment: ``opchar run own/<name>`` makes it.

    Parameters
    ----------
    name : str
        Its address is ``own/<name>``.
    experiment : str
        Name of one's own experiment that it shows.
    title, caption : str
        For people.
    lines : sequence of str
        Artefacts among the experiment's results that it shows; that of the experiment's name when
        not given.
    parameters : mapping, optional
        Given to the function by name.

    Returns
    -------
    callable
        Leaves the function as it is: of the results, a `pandas.DataFrame`, and the curves it
        returns a `matplotlib.figure.Figure`.

    Examples
    --------
    >>> @figure("sizes-bars", experiment="sizes", title="Sizes", caption="Objects a model.")
    ... def bars(results, curves):
    ...     from matplotlib import pyplot as plt
    ...     drawn, axes = plt.subplots()
    ...     axes.bar(results["row"], results["value"])
    ...     return drawn
    """
    _ = name, experiment, title, caption, lines, parameters
    return lambda function: function


def table(
    name: str,
    *,
    experiment: str,
    title: str,
    caption: str,
    lines: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
) -> Callable[[Made], Made]:
    """Mark what lays out a table of an experiment: ``opchar run own/<name>`` makes it.

    Parameters
    ----------
    name, experiment, title, caption, lines, parameters
        As of `figure`.

    Returns
    -------
    callable
        Leaves the function as it is: of the results and the published lines, of which one's own
        experiment has none, it returns `opchar.figures.tables.TableBlock`.

    Examples
    --------
    >>> @table("sizes-table", experiment="sizes", title="Sizes", caption="Objects a model.")
    ... def sizes_table(results, published):
    ...     from opchar.figures.tables import grid
    ...     return grid(results, published)
    """
    _ = name, experiment, title, caption, lines, parameters
    return lambda function: function

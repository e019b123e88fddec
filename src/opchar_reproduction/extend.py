"""Marks for a file of one's own: models and metrics, and studies with their figures and tables.

List the file under ``extensions:`` in ``config/config.yaml``, or enter it by ``opchar add extension
FILE``. Studies, figures and tables are marked as those of the publications are
(`opchar_reproduction.study`); their addresses begin with ``own/``. The marks are read from the
syntax tree, so that planning a run does not run the file. A marked function stays as it is.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from opchar_reproduction import study as _marks
from opchar_reproduction.study import study, variant
from opchar_reproduction.words import word

__all__ = ["experiment", "figure", "metric", "study", "table", "variant", "word"]

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
    return lambda function: function


experiment = study
"""What `study` was called until version 0.2."""


def figure(label: str, *, experiment: str = "", **given: Any) -> Callable[[Made], Made]:
    """Mark what draws a figure of a study, as `opchar_reproduction.study.figure` does.

    Parameters
    ----------
    label : str
        Its address is ``own/<label>``.
    experiment : str, optional
        What ``study`` was called until version 0.2.
    **given
        As of `opchar_reproduction.study.figure`.

    Returns
    -------
    callable
        Leaves the function as it is.

    Examples
    --------
    >>> @figure("sizes-bars", study="sizes", title="Sizes", caption="Objects per model.")
    ... def bars(results, frames):
    ...     from matplotlib import pyplot as plt
    ...     drawn, axes = plt.subplots()
    ...     axes.bar(results["row"], results["value"])
    ...     return drawn
    """
    return _marks.figure(label, **{"study": experiment} | given)


def table(label: str, *, experiment: str = "", **given: Any) -> Callable[[Made], Made]:
    """Mark what lays out a table of a study, as `opchar_reproduction.study.table` does.

    Parameters
    ----------
    label, experiment, **given
        As of `figure`.

    Returns
    -------
    callable
        Leaves the function as it is: of the results and the published lines, of which one's own
        study has none, it returns `opchar_reproduction.figures.tables.TableBlock`.
    """
    return _marks.table(label, **{"study": experiment} | given)

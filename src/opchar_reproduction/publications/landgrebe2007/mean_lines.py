"""Lines of means over repeats: folds, draws or splits."""

from typing import Any

from numpy.typing import ArrayLike

from opchar_reproduction.results import Results, keep_repeats


def add_mean(
    results: Results,
    artefact: str,
    row: str,
    column: str,
    values: ArrayLike,
    *,
    kept: bool = True,
    **about: Any,
) -> None:
    """Add the mean of some repeats, with its spread where there are several.

    `kept`: Whether the repeats stand beside it. `about`: what else `Results.number` takes.
    """
    results.mean(artefact, row, column, values, **about)
    if kept:
        keep_repeats(results, artefact, row, column, values)

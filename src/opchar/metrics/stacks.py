"""All indices, or those named, over a stack of confusion matrices."""

from __future__ import annotations

from numpy.typing import ArrayLike

from opchar.errors import nearest
from opchar.metrics.counts import Array, TrueClass, as_matrices, one_vs_rest
from opchar.metrics.entry import Index
from opchar.metrics.registry import INDICES


def index(name: str) -> Index:
    """Return the index called `name`.

    Parameters
    ----------
    name : str
        As in `INDICES`.

    Returns
    -------
    Index
        The entry.

    Raises
    ------
    ValueError
        When there is none.
    """
    for entry in INDICES:
        if entry.name == name:
            return entry
    hint = nearest(name, [entry.name for entry in INDICES])
    raise ValueError(f"no index is called {name!r}{hint}; `opchar.metrics.INDICES` lists all")


def evaluate(
    matrices: ArrayLike, names: list[str] | None = None, true_class: TrueClass = "rows"
) -> dict[str, Array]:
    """Compute indices of a stack of confusion matrices.

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices.
    names : list of str, optional
        Which indices; all that a matrix has when not given.
    true_class : {"rows", "columns"}
        Where the true classes are.

    Returns
    -------
    dict of str to numpy.ndarray
        Indices of counts have shape (..., C): each class against the rest. Indices of the whole
        matrix have shape (...).

    Raises
    ------
    ValueError
        When a name is unknown, or of an index over several operating conditions.

    Examples
    --------
    >>> values = evaluate([[70, 30], [20, 80]], ["tpr", "acsa"])
    >>> values["tpr"], float(values["acsa"])
    (array([0.7, 0.8]), 0.75)
    """
    stack = as_matrices(matrices, true_class)
    counts = one_vs_rest(stack)
    chosen = INDICES if names is None else [index(name) for name in names]
    wanted = [entry for entry in chosen if entry.of != "conditions"]
    if names is not None and len(wanted) < len(chosen):
        without = next(entry.name for entry in chosen if entry.of == "conditions")
        raise ValueError(f"{without} needs several operating conditions, not one matrix")
    return {
        entry.name: entry.function(*counts) if entry.of == "counts" else entry.function(stack)
        for entry in wanted
    }

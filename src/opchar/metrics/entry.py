"""An index with its name, formula and properties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Index:
    """One index of a confusion matrix.

    Attributes
    ----------
    name : str
        How `evaluate` calls it.
    symbol : str
        How the works write it.
    formula : str
        LaTeX, in counts or in indices defined above it.
    range : tuple of float
        Lowest and highest value.
    depends_on_prior : bool
        Whether it changes when a class is enlarged while every class keeps its rates.
    citation : str
        Work and place.
    function : callable
        Of ``(tp, fn, fp, tn)``, of ``(..., C, C)`` matrices, or of what its docstring says.
    of : {"counts", "matrix", "conditions"}
        What `function` takes; ``"conditions"`` are rates or areas over several operating
        conditions, which one matrix does not give.
    undefined : str
        What happens at 0/0 and x/0.
    """

    name: str
    symbol: str
    formula: str
    range: tuple[float, float]
    depends_on_prior: bool
    citation: str
    function: Callable[..., Any]
    of: Literal["counts", "matrix", "conditions"] = "counts"
    undefined: str = "NaN"

"""Types of parameters with their ranges, by which the configuration is checked."""

from __future__ import annotations

from typing import Annotated

__all__ = ["Count", "Folds", "Rate", "Span"]

Rate = Annotated[float, "between 0 and 1"]
"""A probability, prior, weight or rate."""

Count = Annotated[int, "at least 1"]
"""A number of objects, draws or repeats."""

Folds = Annotated[int, "at least 2"]
"""A number of parts, each of which is the test set once."""

Span = Annotated[list[float], "two numbers, 0 <= low < high <= 1"]
"""A range of rates."""

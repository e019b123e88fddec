"""Interactive views of the three-dimensional figures, from the same curves."""

from collections.abc import Mapping, Sequence

import pandas as pd

from opchar_reproduction.figures.surface import Part, View

Curves = Mapping[str, pd.DataFrame]
ERRORS = {"xi_12": "ξ₁₂", "xi_21": "ξ₂₁", "xi_23": "ξ₂₃"}
REJECTION = {"fpr_o": "FPr of outliers", "fpr_r": "FPr of the unseen class", "tpr": "TPr"}


def error_cloud_views(curves: Curves) -> list[View]:
    """Return the operating points of several classes in three error dimensions (3.3 and 4.2)."""
    cloud = curves["roc"]
    x, y, z = (cloud[name].to_numpy(float) for name in ERRORS)
    words = "Each point is one combination of class weights; the colour tells the height."
    return [View(words, _axes(ERRORS), [Part("points", x, y, z, "operating points")])]


def _axes(names: Mapping[str, str]) -> tuple[str, str, str]:
    x, y, z = names.values()
    return x, y, z


def _square(surface: pd.DataFrame, names: Mapping[str, str], name: str) -> Part:
    """Return a surface over a square grid of parameters, row by row."""
    side = round(len(surface) ** 0.5)
    return _to_grid(surface, (side, side), names, name)


def _grid(
    surface: pd.DataFrame, parameters: Sequence[str], names: Mapping[str, str], name: str
) -> Part:
    """Return a surface over a grid of two parameters, row by row."""
    rows, columns = (surface[parameter].nunique() for parameter in parameters)
    return _to_grid(surface, (rows, columns), names, name)


def _to_grid(
    surface: pd.DataFrame, shape: tuple[int, int], names: Mapping[str, str], name: str
) -> Part:
    x, y, z = (surface[column].to_numpy(float).reshape(shape) for column in names)
    return Part("surface", x, y, z, name)

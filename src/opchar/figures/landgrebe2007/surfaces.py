"""The figures of three dimensions as views that can be turned, from the curves of the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from opchar.figures.surface import Part, View

Curves = Mapping[str, pd.DataFrame]
ERRORS = {"xi_12": "ξ₁₂", "xi_21": "ξ₂₁", "xi_23": "ξ₂₃"}
RATES = {"xi_11": "ξ₁₁", "xi_22": "ξ₂₂", "xi_33": "ξ₃₃"}
DIAGONAL = {"e_11": "1 − ξ₁₁", "e_22": "1 − ξ₂₂", "e_33": "1 − ξ₃₃"}
REJECTION = {"fpr_o": "FPr of outliers", "fpr_r": "FPr of the unseen class", "tpr": "TPr"}
TWO_STAGES = {"eps_I": "ε of target 1", "eps_II": "ε of target 2", "fpr": "FPr of outliers"}
MODELS = ("LDC", "QDC", "MOGC")


def error_cloud(curves: Curves) -> list[View]:
    """Return the operating points of several classes in three error dimensions (3.3 and 4.2)."""
    cloud = curves["roc"]
    x, y, z = (cloud[name].to_numpy(float) for name in ERRORS)
    words = "Each point is one combination of class weights; the colour tells the height."
    return [View(words, _axes(ERRORS), [Part("points", x, y, z, "operating points")])]


def three_class_surface(curves: Curves, *, series: str) -> list[View]:
    """Return the simplified ROC surface of three classes (Figures 3.6 and 3.7)."""
    surface = curves["surface"].query("series == @series")
    words = "Share of each class that is recognised, under all pairs of thresholds."
    return [View(words, _axes(RATES), [_square(surface, RATES, words)])]


def diagonal_errors(curves: Curves) -> list[View]:
    """Return the errors of three Gaussian classes under all weights (Figure 4.6)."""
    words = "Errors of the three classes under all weights, on a regular grid of two of them."
    return [View(words, _axes(DIAGONAL), [_square(curves["surface"], DIAGONAL, words)])]


def fixed_thresholds(curves: Curves) -> list[View]:
    """Return all operating points of the reject option, and those at fixed t_d (Figure 5.8)."""
    parts = [_grid(curves["surface"], ("t_d", "theta"), REJECTION, "all thresholds")]
    for level, curve in curves["roc"].groupby("t_d", sort=True):
        x, y, z = (curve[name].to_numpy(float) for name in REJECTION)
        parts.append(Part("line", x, y, z, f"t_d = {level:g}"))
    words = "All operating points; each line has one rejection threshold t_d."
    return [View(words, _axes(REJECTION), parts)]


def operating_characteristics(curves: Curves) -> list[View]:
    """Return the operating points of three classifiers with a reject option (Figure 5.10)."""
    views = []
    for name in MODELS:
        surface = curves["surface"].query("model == @name")
        part = _grid(surface, ("t_d", "theta"), REJECTION, name)
        views.append(View(f"{name}: all operating points.", _axes(REJECTION), [part]))
    return views


def designs(curves: Curves) -> list[View]:
    """Return all operating points of two stages, with both designs (Figure 6.3)."""
    parts = [_grid(curves["surface"], ("theta_d", "theta_c"), TWO_STAGES, "all thresholds")]
    for role, name, colour in (("N", "independent", "second"), ("H", "holistic", "first")):
        point = curves["designs"].query("role == @role").iloc[0]
        x, y, z = (np.array([float(point[each])]) for each in TWO_STAGES)
        parts.append(Part("mark", x, y, z, f"{role}, {name} design", colour=colour))
    words = "All pairs of thresholds, and the independent (N) and the holistic design (H)."
    return [View(words, _axes(TWO_STAGES), parts)]


def _axes(names: Mapping[str, str]) -> tuple[str, str, str]:
    x, y, z = names.values()
    return x, y, z


def _square(surface: pd.DataFrame, names: Mapping[str, str], name: str) -> Part:
    """Return a surface over a square grid of parameters, row by row."""
    side = round(len(surface) ** 0.5)
    return _shaped(surface, (side, side), names, name)


def _grid(
    surface: pd.DataFrame, parameters: Sequence[str], names: Mapping[str, str], name: str
) -> Part:
    """Return a surface over a grid of two parameters, row by row."""
    rows, columns = (surface[parameter].nunique() for parameter in parameters)
    return _shaped(surface, (rows, columns), names, name)


def _shaped(
    surface: pd.DataFrame, shape: tuple[int, int], names: Mapping[str, str], name: str
) -> Part:
    x, y, z = (surface[column].to_numpy(float).reshape(shape) for column in names)
    return Part("surface", x, y, z, name)

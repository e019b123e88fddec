"""Paired measurements: those of one problem, and differences of two columns."""

import numpy as np
import pandas as pd


def of_problem(frame: pd.DataFrame, problem: str) -> pd.DataFrame:
    """Return the rows of one problem."""
    return frame[frame["problem"] == problem]


def standard_errors(differences: pd.Series) -> float:
    """Return how many standard errors the mean of paired differences is from zero.

    Infinite with the sign of the mean where the differences do not vary, zero where all are zero.
    """
    given = differences.dropna().to_numpy(dtype=float)
    mean, error = given.mean(), given.std(ddof=1) / np.sqrt(len(given)) if len(given) > 1 else 0.0
    if error > 1e-12 * max(abs(mean), 1e-300):
        return float(mean / error)
    return float(np.sign(mean) * np.inf) if mean else 0.0

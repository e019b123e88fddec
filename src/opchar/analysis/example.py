"""The example of `opchar analyse`: scores for 569 samples of breast tissue."""

from __future__ import annotations

import argparse
from pathlib import Path

FILE = Path("breast-cancer.csv")


def ask_of_example(arguments: argparse.Namespace) -> argparse.Namespace:
    """Write the scores of a logistic regression, and ask of them what was not stated otherwise."""
    import numpy as np
    import pandas as pd
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from opchar.files import write_csv

    data = load_breast_cancer()
    y = np.where(data.target == 0, "malignant", "benign")
    model = make_pipeline(StandardScaler(), LogisticRegression())
    score = cross_val_predict(model, data.data, y, cv=10, method="predict_proba")[:, 1]
    write_csv(pd.DataFrame({"y": y, "malignant": score.round(6)}), FILE)
    arguments.scores = [FILE]
    arguments.positive = arguments.positive or "malignant"
    arguments.priors = arguments.priors or (0.02,)
    arguments.cost = arguments.cost or (1.0, 20.0)
    return arguments

"""Dual-LexiBoost at the size of the deep features, and the closed forms beside scikit-learn.

One fit on 2,000 objects of 2,048 features, 10 rounds, with its distance search apart; the ratio to
one fit of scikit-learn's AdaBoost with stumps on the same objects. Then ldc and qdc on 10,000
objects of 64 features beside LinearDiscriminantAnalysis and QuadraticDiscriminantAnalysis, as the
median of interleaved rounds.

    OMP_NUM_THREADS=1 python benchmarks/models.py
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import AdaBoostClassifier
from sklearn.neighbors import NearestNeighbors

from opchar.models.classifiers.boosting import DualLexiBoost
from opchar.models.classifiers.gaussian import ldc, qdc

LIMIT, REPEATS = 30.0, 5


def blobs(n: int, d: int, minority: int, apart: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = (np.arange(n) < minority).astype(int)
    return rng.normal(size=(n, d)) + apart * rng.normal(size=(2, d))[y], y


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def main() -> None:
    X, y = blobs(2000, 2048, 100, 0.05)
    for dual in ("published", "exact"):
        model = DualLexiBoost(rounds=10, dual=dual)
        fit = seconds(lambda model=model: model.fit(X, y))
        search = seconds(
            lambda: NearestNeighbors(n_neighbors=3).fit(X).kneighbors(X, return_distance=False)
        )
        rounds = len(model.round_weights_)
        print(
            f"Dual-LexiBoost ({dual}), 2000 x 2048, {rounds} rounds of 10 at most in the second "
            f"pass: {fit:.1f} s of processor time (target < {LIMIT:.0f}), of which search "
            f"{search:.1f} s"
        )
    stumps = seconds(lambda: AdaBoostClassifier(n_estimators=10).fit(X, y))
    print(f"  scikit-learn's AdaBoost, 10 stumps: {stumps:.1f} s, ratio {fit / stumps:.2f}")

    Z, z = blobs(10_000, 64, 4000, 0.3)
    for name, ours, theirs in (
        ("ldc", ldc, LinearDiscriminantAnalysis),
        ("qdc", qdc, QuadraticDiscriminantAnalysis),
    ):
        ratios = []
        for _ in range(REPEATS):
            reference = seconds(lambda make=theirs: make().fit(Z, z).predict_proba(Z))
            ratios.append(seconds(lambda make=ours: make().fit(Z, z).predict_proba(Z)) / reference)
        print(f"{name}, 10000 x 64, fit and posteriors: {median(ratios):.2f} times scikit-learn's")


if __name__ == "__main__":
    main()

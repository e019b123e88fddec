"""All indices of a stack of 3x3 confusion matrices, beside pycm on the same matrices, in one run.

``python benchmarks/metrics.py [matrices] [matrices given to pycm]`` prints the time a matrix of
both, their ratio, and the largest difference over the indices that both have.
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np
from pycm import ConfusionMatrix

from opchar.metrics import evaluate

SHARED = {
    "accuracy": "ACC",
    "tpr": "TPR",
    "tnr": "TNR",
    "precision": "PPV",
    "npv": "NPV",
    "positive_likelihood": "PLR",
    "negative_likelihood": "NLR",
    "diagnostic_odds_ratio": "DOR",
    "youden": "BM",
    "mcc": "MCC",
    "f1": "F1",
    "adjusted_f": "AGF",
    "markedness": "MK",
    "g_mean": "GM",
    "optimisation_precision": "OP",
    "jaccard": "J",
}


def main(size: int = 100_000, sample: int = 300) -> float:
    stack = np.random.default_rng(2020).integers(1, 500, (size, 3, 3))
    evaluate(stack[:100])
    start = perf_counter()
    ours = evaluate(stack)
    a_matrix = (perf_counter() - start) / size

    tables = [
        {i: {j: int(n) for j, n in enumerate(row)} for i, row in enumerate(matrix)}
        for matrix in stack[:sample]
    ]
    ConfusionMatrix(matrix=tables[0])
    start = perf_counter()
    theirs = [ConfusionMatrix(matrix=table).class_stat for table in tables]
    a_matrix_of_pycm = (perf_counter() - start) / sample

    largest = max(
        abs(ours[name][place, label] - stat[key][label]) / max(1.0, abs(stat[key][label]))
        for place, stat in enumerate(theirs)
        for name, key in SHARED.items()
        for label in range(3)
    )
    print(f"opchar: {len(ours)} indices of {size} matrices, {1e6 * a_matrix:.2f} us a matrix")
    print(
        f"pycm: all its statistics of {sample} matrices, {1e6 * a_matrix_of_pycm:.0f} us a matrix"
    )
    print(f"ratio: {a_matrix_of_pycm / a_matrix:.0f}")
    print(f"largest relative difference over {len(SHARED)} shared indices: {largest:.1e}")
    return a_matrix_of_pycm / a_matrix


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

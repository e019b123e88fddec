"""Every index that pycm has, on 2,300 random one-versus-rest matrices with empty cells."""

import numpy as np
import pytest
from pycm import ConfusionMatrix

from opchar.metrics import adjusted_g_mean, evaluate, one_vs_rest

PYCM = {
    "accuracy": "ACC",
    "error_rate": "ERR",
    "tpr": "TPR",
    "tnr": "TNR",
    "fpr": "FPR",
    "fnr": "FNR",
    "precision": "PPV",
    "npv": "NPV",
    "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR",
    "posfrac": "TOPR",
    "positive_likelihood": "PLR",
    "negative_likelihood": "NLR",
    "diagnostic_odds_ratio": "DOR",
    "youden": "BM",
    "mcc": "MCC",
    "discriminant_power": "DP",
    "f1": "F1",
    "adjusted_f": "AGF",
    "markedness": "MK",
    "balanced_accuracy": "AUC",
    "g_mean": "GM",
    "optimisation_precision": "OP",
    "jaccard": "J",
}
# pycm takes the logarithm to base 10.
SCALE = {"discriminant_power": np.log(10)}
# pycm gives up on DOR when either likelihood ratio is infinite, and on AGM without positives.
WIDER = {"diagnostic_odds_ratio", "agm_by_proportion"}


def random_stacks():
    rng = np.random.default_rng(20180901)
    for classes, number in ((2, 500), (3, 300), (4, 100)):
        full = rng.integers(1, 200, (number, classes, classes))
        holes = rng.random(full.shape) < 0.15
        full[number // 2 :][holes[number // 2 :]] = 0
        yield full


def as_float(value):
    return np.nan if value == "None" else float(value)


@pytest.fixture(scope="module")
def both():
    pairs = []
    for stack in random_stacks():
        ours = evaluate(stack)
        ours["agm_by_proportion"] = adjusted_g_mean(*one_vs_rest(stack), by_proportion=True)
        for place, matrix in enumerate(stack):
            if matrix.sum() == 0:
                continue
            table = {i: {j: int(n) for j, n in enumerate(row)} for i, row in enumerate(matrix)}
            theirs = ConfusionMatrix(matrix=table).class_stat
            pairs.append(({name: values[place] for name, values in ours.items()}, theirs))
    return pairs


@pytest.mark.parametrize(("name", "key"), [*PYCM.items(), ("agm_by_proportion", "AGM")])
def test_equals_pycm(both, name, key):
    compared = 0
    for ours, theirs in both:
        for label, value in enumerate(ours[name]):
            expected = as_float(theirs[key][label])
            if np.isnan(expected):
                assert not np.isfinite(value) or name in WIDER
                continue
            expected *= SCALE.get(name, 1)
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
            compared += 1
    assert compared > 1500

"""Ten million scored objects: right numbers, in bounded memory."""

import json
import subprocess
import sys

import pytest

from checkout import ROOT

OBJECTS = 10_000_000
# Megabytes that a process may take in all; labels and scores alone are 90.
MEMORY = 2000
SCRIPT = """
import json, resource, sys
import numpy as np
import opchar

n, name, given = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
rng = np.random.default_rng(1)
labels = rng.random(n) < 0.1
scores = 1 / (1 + np.exp(-(rng.standard_normal(n) + 2.0 * labels)))
found = getattr(opchar, name)(labels, scores, **given)
parts = found if isinstance(found, tuple) else (found,)
sizes = [int(np.size(part)) for part in parts]
value = float(np.atleast_1d(np.asarray(parts[-1], float))[-1])
finite = all(bool(np.isfinite(part[1:-1]).all()) for part in parts if np.ndim(part))
taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps({"value": value, "sizes": sizes, "finite": finite, "megabytes": taken}))
"""
# For unit normals two apart: AUC is Phi(sqrt 2), and where errors are equal both are Phi(-1).
CASES: dict[str, tuple[dict[str, float], float | None]] = {
    "roc_auc": ({}, 0.92135),
    "equal_error_rate": ({}, None),
    "pr_auc": ({"prior": 0.1}, None),
    "mean_pr_auc": ({"low": 0.1, "high": 0.9}, None),
    "best_f": ({"prior": 0.1}, None),
    "least_cost": ({"prior": 0.5}, 0.15866),
    "best_threshold": ({"prior": 0.5}, None),
    "neyman_pearson": ({"max_fpr": 0.1}, None),
    "brier_score": ({}, None),
    "roc_curve": ({}, None),
    "det_curve": ({}, None),
    "precision_recall_curve": ({}, None),
    "f_curve": ({}, None),
    "cost_curve": ({}, None),
    "brier_curve": ({}, None),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_ten_million_objects(name: str) -> None:
    given, expected = CASES[name]
    end = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(OBJECTS), name, json.dumps(given)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(end.stdout)
    print(name, said)
    assert said["finite"]
    assert said["megabytes"] < MEMORY, said
    if expected is not None:
        assert said["value"] == pytest.approx(expected, abs=5e-4)

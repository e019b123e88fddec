"""The examples of docs/multiclass.md run and are true."""

import re
from typing import Any

import numpy as np
import pytest

from checkout import ROOT


def test_the_page_on_multi_class_operating_points_runs():
    text = (ROOT / "docs/multiclass.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    y, scores, data = names["y"], names["scores"], names["data"]
    assert names["matrices"].shape == (40, 40, 3, 3)
    errors = len(y) - np.trace(names["matrices"], axis1=2, axis2=3)
    assert names["fewest"] == errors.min()
    interval = names["interval"]
    assert interval.low < names["volume"] == interval.volume < interval.high
    assert 1 / 6 < names["volume"] < 1 and 0 < names["share"] < names["volume"]
    assert abs(names["wider"] - names["volume"]) < 0.02
    assert names["below"] < names["volume"] + 0.01
    assert names["exact"] == pytest.approx(0.53615, abs=1e-5) and names["error"] < 1e-10
    found = names["found"]
    assert names["proven"].lower_bound <= names["proven"].loss <= names["chosen"].losses[0] + 1e-9
    assert found.feasible and found.rates[0, 1] <= 0.05 and found.rates[2, 1] <= 0.10
    assert names["counts"] / data.class_sizes()[:, None] == pytest.approx(found.rates)
    assigned = (found.weights * scores).argmax(axis=1)
    assert names["new"].tolist() == assigned[:5].tolist()
    assert names["losses"].shape == (1,) and names["weights"].shape == (1, 3)

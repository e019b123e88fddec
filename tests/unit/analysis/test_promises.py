"""A promised threshold says which scorer it is promised of."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from checkout import ROOT
from opchar.analysis.answers.judging import judged
from opchar.analysis.answers.limits import ANEW, limit_table
from opchar.analysis.asking import Asked
from opchar.analysis.page import page
from opchar.analysis.run import analyse
from opchar.analysis.tables.reading import read_models


def promised_of(tmp_path, **columns) -> set[str]:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    table = pd.DataFrame({"y": y, "score": rng.normal(size=200) + y, **columns})
    table.to_csv(tmp_path / "scores.csv", index=False)
    scored = read_models([tmp_path / "scores.csv"])
    found = limit_table(judged(scored, scored.positive, Asked()), scored.fold)
    return set(found["promised of"])


def test_the_page_says_that_a_model_trained_anew_is_another(tmp_path) -> None:
    pd.DataFrame({"y": [0, 1] * 20, "score": np.arange(40) % 7}).to_csv(tmp_path / "s.csv")
    answers = analyse(read_models([tmp_path / "s.csv"], scores=["score"]), Asked(resamples=50))
    assert "promised of" in answers.tables["limits"]
    assert ANEW in page(answers, {})


def test_scores_without_folds_are_those_of_one_scorer(tmp_path) -> None:
    (said,) = promised_of(tmp_path)
    assert said == "the scorer of these scores, if it was trained on none of these objects"


def test_scores_of_folds_are_those_of_as_many_scorers(tmp_path) -> None:
    (said,) = promised_of(tmp_path, fold=np.arange(200) // 2 % 5)
    assert said == "the 5 scorers of the folds, on average"


def test_weighted_objects_are_promised_of_by_number(tmp_path) -> None:
    (said,) = promised_of(tmp_path, weight=1 + np.arange(200) % 3)
    assert said.endswith("objects count once each")


def test_the_examples_on_measures_run() -> None:
    text = (ROOT / "docs/measures.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(example, names)
    assert names["cost"].low < names["cost"].cost < names["cost"].high  # type: ignore[attr-defined]
    assert (names["curve"].best >= names["curve"].net_benefit - 1e-12).all()  # type: ignore[attr-defined]

"""What is no array of labels or scores is refused in words of ours, by every function of both."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import opchar
from opchar.errors import OpcharError

# What some functions need beside labels and scores.
BESIDES: dict[str, dict[str, Any]] = {
    "at_threshold": {"threshold": 0.5},
    "decision_curve_difference": {"other_score": [0.1, 0.2]},
    "design_cascade": {"second_score": [0.1, 0.2]}
    | dict.fromkeys(("first_cost", "second_cost", "cost_fn", "cost_fp"), 1.0),
    "estimate_prior": {"unlabelled": [0.1, 0.2]},
    "index_score": {"name": "mcc"},
    "mean_pr_auc": {"low": 0.1, "high": 0.9},
    "object_cost": {"cost_fn": 1.0, "cost_fp": 1.0},
    "oscr_auc": {"labels": [0, 1]},
    "oscr_curve": {"labels": [0, 1]},
    "pr_auc_difference": {"second": [0.1, 0.2]},
    "roc_auc_difference": {"second": [0.1, 0.2]},
}
OF_LABELS = [
    name
    for name in opchar.__all__
    if inspect.isfunction(function := getattr(opchar, name))
    and next(iter(inspect.signature(function).parameters), "") == "y_true"
]
# Labels and scores.
WRONG: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "numbers": (lambda: 1, lambda: 0.5),
    "a label and scores": (lambda: 1, lambda: [0.5, 0.2]),
    "tables": (lambda: [[1, 0]], lambda: [[0.5, 0.2]]),
    "cubes": (lambda: np.ones((2, 2, 2)), lambda: np.ones((2, 2, 2))),
    "nothing": (lambda: None, lambda: None),
    "mappings": (lambda: {1: 2}, lambda: {1: 3}),
    "sets": (lambda: {0, 1}, lambda: {0.1, 0.2}),
    "iterators": (lambda: iter([1, 0]), lambda: iter([0.1, 0.2])),
    "no labels": (list, list),
    "scores of three": (lambda: [1, 0], lambda: [0.1, 0.2, 0.3]),
    "rows of two lengths": (lambda: [1, 0], lambda: [[0.1], [0.2, 0.3]]),
    "times": (lambda: [1, 0], lambda: np.array(["2020", "2021"], "M8[Y]")),
    "words": (lambda: [1, 0], lambda: ["low", "high"]),
    "labels without an order": (
        lambda: np.array(["a", 1], dtype=object),
        lambda: np.array([0.5, None], dtype=object),
    ),
    "objects": (lambda: [1, 0], lambda: np.array([object(), 0.5])),
}
INNER = ("broadcast", "concatenat", "inhomogeneous", "unsized", "convert", "operands", "axis")


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("name", OF_LABELS)
def test_what_is_no_array_is_refused_in_words_of_ours(name: str, kind: str) -> None:
    if name == "confusion" and kind == "no labels":
        assert opchar.confusion([], []).shape == (0, 0)
        return
    labels, scores = (given() for given in WRONG[kind])
    with pytest.raises((ValueError, OpcharError)) as error:
        getattr(opchar, name)(labels, scores, **BESIDES.get(name, {}))
    assert not [word for word in (*INNER, "\n") if word in str(error.value)], error.value


def test_functions_of_labels_are_found() -> None:
    assert len(OF_LABELS) > 30
    assert set(BESIDES) <= set(OF_LABELS)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT], ids=str)
@pytest.mark.parametrize("name", OF_LABELS)
def test_an_object_without_a_label_is_not_counted_among_the_others(name: str, missing) -> None:
    labels = np.array([1, 0, missing, 1], dtype=object)
    told = {
        key: [0.1, 0.2, 0.3, 0.4] if isinstance(value, list) and key != "labels" else value
        for key, value in BESIDES.get(name, {}).items()
    }
    scores: Any = [0.9, 0.1, 0.2, 0.7]
    if name in ("augrc", "aurc", "oscr_auc", "oscr_curve", "reject_curve", "roc_volume"):
        scores = np.column_stack([scores, scores])
    with pytest.raises((ValueError, OpcharError), match=r"object 2 .* has no label"):
        getattr(opchar, name)(labels, scores, **told)
    with pytest.raises((ValueError, OpcharError), match=r"object 2 .* has no label"):
        getattr(opchar, name)(pd.Series(labels), scores, **told)

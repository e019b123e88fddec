"""Scorers for scikit-learn's ``cross_validate`` and ``GridSearchCV``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from opchar.errors import nearest
from opchar.metrics.label_indices import index_score
from opchar.metrics.registry import INDICES
from opchar.multiclass.label_volume import roc_volume
from opchar.spaces.scored.summary_metrics import (
    best_f,
    brier_score,
    equal_error_rate,
    least_cost,
    mean_pr_auc,
    pr_auc,
    roc_auc,
)

# Of these less is better; their scorers are called neg_<name> and give minus the value.
ERRORS = frozenset(
    {
        *("error_rate", "fpr", "fnr", "false_discovery_rate", "false_omission_rate"),
        *("negative_likelihood", "balanced_error_rate", "expected_cost"),
        *("normalised_expected_cost", "overall_error", "expected_loss"),
        *("brier_score", "equal_error_rate", "least_cost"),
    }
)
# Neither much nor little of it is good.
NEITHER = frozenset({"posfrac"})


@dataclass(frozen=True)
class _OfScores:
    """A function of labels and scores, what it wants of an estimator, and its own options."""

    function: Callable[..., Any]
    wants: tuple[str, ...] = ("decision_function", "predict_proba")
    options: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    two_classes: bool = True


OF_SCORES: dict[str, _OfScores] = {
    "roc_auc": _OfScores(roc_auc),
    "pr_auc": _OfScores(pr_auc, options=("prior",)),
    "mean_pr_auc": _OfScores(mean_pr_auc, fixed={"low": 0.0, "high": 1.0}),
    "best_f": _OfScores(best_f, options=("prior", "alpha")),
    "least_cost": _OfScores(least_cost, options=("prior", "cost_fn", "cost_fp")),
    "brier_score": _OfScores(brier_score, ("predict_proba",), ("prior",)),
    "equal_error_rate": _OfScores(equal_error_rate),
    "roc_volume": _OfScores(roc_volume, ("predict_proba",), two_classes=False),
}


def make_scorers(
    names: Iterable[str] | None = None,
    *,
    pos_label: Any = None,
    average: str = "binary",
    prior: float | None = None,
    alpha: float = 0.5,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
) -> dict[str, Any]:
    """Return scorers by name, for ``scoring=`` of scikit-learn.

    Parameters
    ----------
    names : iterable of str, optional
        Indices of ``opchar.metrics.INDICES`` (of predictions), and ``roc_auc``, ``pr_auc``,
        ``mean_pr_auc``, ``best_f``, ``least_cost``, ``brier_score``, ``equal_error_rate``,
        ``roc_volume`` (of scores). With or without the ``neg_`` of those of which less is better.
        When not given: all for two classes, or with ``average="macro"`` all of predictions and
        ``roc_volume``.
    pos_label : object, optional
        The positive class; when not given, as `opchar.points_of` says.
    average : {"binary", "macro"}
        How an index of two classes sees more classes.
    prior : float, optional
        P(+) that scores are judged under; that of each test set when not given.
    alpha : float
        Weight of precision in ``best_f``.
    cost_fn, cost_fp : float
        Costs in ``least_cost``.

    Returns
    -------
    dict of str to callable
        Larger is better for all of them: those of errors are called ``neg_<name>``.

    Raises
    ------
    ValueError
        For an unknown name, or one that is no score.

    Examples
    --------
    >>> sorted(make_scorers(["g_mean", "error_rate", "pr_auc"], prior=0.01))
    ['g_mean', 'neg_error_rate', 'pr_auc']
    """
    options = {"prior": prior, "alpha": alpha, "cost_fn": cost_fn, "cost_fp": cost_fp}
    of_labels = [
        entry.name for entry in INDICES if entry.of != "conditions" and entry.name not in NEITHER
    ]
    if names is None:
        wanted = [*of_labels, *_fitting_names(average)]
    else:
        wanted = [name.removeprefix("neg_") for name in names]
    made = {}
    for name in wanted:
        called = f"neg_{name}" if name in ERRORS else name
        if name in OF_SCORES:
            made[called] = _of_scores(OF_SCORES[name], name not in ERRORS, pos_label, options)
        elif name in of_labels:
            made[called] = _of_labels(name, pos_label, average)
        else:
            hint = nearest(name, [*of_labels, *OF_SCORES])
            raise ValueError(f"no scorer is called {name!r}{hint}")
    return made


def _fitting_names(average: str) -> list[str]:
    """Return the names of the scores for two classes, or for more."""
    two = average == "binary"
    return [name for name, entry in OF_SCORES.items() if entry.two_classes == two]


def _of_labels(name: str, pos_label: Any, average: str) -> Any:
    from sklearn.metrics import make_scorer

    return make_scorer(
        index_score,
        greater_is_better=name not in ERRORS,
        name=name,
        pos_label=pos_label,
        average=average,
    )


def _of_scores(
    entry: _OfScores, greater_is_better: bool, pos_label: Any, options: dict[str, Any]
) -> Any:
    from sklearn.metrics import make_scorer

    given = {name: options[name] for name in entry.options} | dict(entry.fixed)
    if entry.two_classes and pos_label is not None:
        given["pos_label"] = pos_label
    return make_scorer(
        entry.function, response_method=entry.wants, greater_is_better=greater_is_better, **given
    )

"""All questions asked of labels and scores in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from opchar.analysis.asking import Asked
from opchar.analysis.options import Rule
from opchar.analysis.run import Answers
from opchar.analysis.run import analyse as ask_all
from opchar.analysis.tables.cells import label_text
from opchar.analysis.tables.columns import positive_class, positive_reason
from opchar.analysis.tables.further import costs_of
from opchar.analysis.tables.groups import copies
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.arguments import floats, label_vector, plain_array, sorted_classes
from opchar.errors import ScoresError
from opchar.retired import accept_old_arguments
from opchar.spaces.scored import check_same_index
from opchar.statistics.calibration import LARGEST


@accept_old_arguments(alphas="alpha")
def analyse(
    y_true: ArrayLike,
    scores: Any,
    *,
    pos_label: Any = None,
    prior: float | Sequence[float] | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    alpha: float | Sequence[float] = 0.5,
    limits: Sequence[float] = (0.01, 0.05, 0.1),
    max_fpr: float | None = None,
    max_fnr: float | None = None,
    max_alert_rate: float | None = None,
    min_precision: float | None = None,
    threshold: float | Mapping[str, float] | None = None,
    by: ArrayLike | None = None,
    rule: Rule = "auto",
    confidence: float = 0.95,
    resamples: int = 500,
    folds: ArrayLike | int = 10,
    resample: Literal["objects", "folds"] = "objects",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    unlabelled: Any = None,
    object_costs: Mapping[str, ArrayLike] | None = None,
    random_state: int = 1,
) -> Answers:
    """Say which model and threshold to use, what that does, and how sure it is.

    What ``opchar analyse`` answers of files, of arrays.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels of any type.
    scores : array_like of float, shape (n,) or (n, C); or mapping or DataFrame of them
        Of one model: scores of the positive class, or of all C classes in ascending order of their
        labels. A mapping or data frame has a model for each name, or all classes of one by theirs.
    pos_label : object, optional
        The positive class; when not given, as `opchar.analysis.tables.columns.positive_class` says.
        Of more than two classes the one that is set against the rest.
    prior : float or sequence of float, optional
        Shares of positives in use, in (0, 1); the decision is for the first, and for that of the
        labels when none is given.
    cost_fp, cost_fn : float, optional
        Cost of a false alarm and of a miss, positive, in any unit; one each, or the means of
        `object_costs`, when neither is given.
    max_fpr, max_fnr, max_alert_rate, min_precision : float, optional
        Limits to promise, alone and together, in (0, 1), see `opchar.controlled_threshold`.
    threshold : float or mapping of str to float, optional
        Threshold in use, of all models or of each by name: its rates, predictive values and cost,
        and the difference to the recommended one.
    by : array_like, shape (n,), optional
        Groups, such as sites, to judge one by one; a pandas Series gives its name.
    confidence : float
        Of intervals and bands, in (0, 1).
    alpha, limits, rule, resamples : optional
        As of `opchar.analysis.asking.Asked`.
    folds : array_like of int, shape (n,), or int
        The fold that each object was scored in, or how many are drawn.
    resample : {"objects", "folds"}
        What the bootstrap draws: folds where rows of one, such as a patient of both classes, are
        alike.
    sample_weight : array_like of float, shape (n,), optional
    groups : array_like, shape (n,), optional
        Which object a row belongs to, where objects have several rows, all of one class.
    unlabelled : array_like, mapping or DataFrame, optional
        Scores of objects in use, as `scores`; the prior in use is then estimated from them, and the
        decision is for it.
    object_costs : mapping of str to array_like of float, shape (n,), optional
        What decisions on each object cost: ``cost_fp`` and ``cost_fn``, ``cost_tp``, ``cost_tn``;
        or ``cost`` of a wrong decision.
    random_state : int
        Seed of all that is drawn.

    Returns
    -------
    Answers
        ``decision``, ``findings`` and ``tables``, with `to_frame`, `to_json` and `save`.

    Raises
    ------
    ScoresError
        If something asked is outside its range, or too little can be said.
    ValueError
        If lengths or pandas indices differ, or a score is not finite.

    Examples
    --------
    >>> import numpy as np, opchar
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 10 == 0
    >>> found = opchar.analyse(y, rng.normal(size=400) + 2 * y, prior=0.05, cost_fn=5, resamples=50)
    >>> found.decision.best.model, found.decision.positive
    ('model', 'True')
    >>> len(found.to_frame("thresholds"))
    4
    """
    given = _by_model(scores)
    check_same_index(y_true, sample_weight, groups, by, *given.values())
    each = label_vector(y_true)
    labels = sorted_classes(each)
    y = np.searchsorted(labels, each)
    classes = tuple(label_text(label) for label in labels)
    if len(classes) < 2:
        found = f"only the class '{classes[0]}'" if classes else "no objects"
        raise ScoresError(f"y_true has {found}; an analysis needs two classes")
    given = _of_classes(given, classes)
    named = None if pos_label is None else label_text(pos_label)
    index = positive_class(classes, y, named)
    models = {
        str(name): _scores(values, len(y), len(classes), name) for name, values in given.items()
    }
    cost_columns = {
        str(name): _numbers(values, len(y), str(name))
        for name, values in (object_costs or {}).items()
    }
    further = (*cost_columns.values(), by, sample_weight)
    beside = [pd.Series(each) for each in further if each is not None]
    fold = None if isinstance(folds, int) else _places(folds, len(y), "folds")
    scored = ScoredSample(
        classes, y.astype(np.intp), models, index, fold,
        None if sample_weight is None else _numbers(sample_weight, len(y), "sample_weight"),
        None if groups is None else _units(groups, y),
        costs_of(pd.DataFrame(cost_columns), "object_costs", tuple(cost_columns)),
        _unlabelled_scores(unlabelled, models, classes),
        (positive_reason(classes, index, named, False),) if len(classes) == 2 else (),
        by=None if by is None else _groups(by, len(y)),
        doubts=() if groups is not None else tuple(copies(y, list(models.values()), beside)),
    )  # fmt: skip
    asked = Asked(
        priors=() if prior is None else tuple(np.atleast_1d(floats(prior, "prior")).tolist()),
        cost=(1.0 if cost_fp is None else cost_fp, 1.0 if cost_fn is None else cost_fn),
        cost_stated=not (cost_fp is None and cost_fn is None),
        alphas=tuple(np.atleast_1d(floats(alpha, "alpha")).tolist()), limits=tuple(limits),
        max_fpr=max_fpr, max_fnr=max_fnr, max_alert_rate=max_alert_rate,
        min_precision=min_precision,
        thresholds=_in_use(threshold),
        rule=rule, level=confidence, resamples=resamples, unit=resample,
        folds=folds if isinstance(folds, int) else 10, seed=random_state,
    )  # fmt: skip
    return ask_all(scored, asked, positive=named)


def _in_use(threshold: Any) -> tuple[tuple[str, float], ...]:
    """Return the threshold in use of each model; an empty name stands for all models."""
    given = threshold if isinstance(threshold, Mapping) else {"": threshold}
    found = {str(model): at for model, at in given.items() if at is not None}
    for at in found.values():
        if not isinstance(at, Real) or not isfinite(at):
            raise ScoresError(f"threshold {at!r}: a threshold in use is a finite number")
    return tuple((model, float(at)) for model, at in found.items())


def _by_model(values: Any) -> dict[Any, Any]:
    """Return scores by model; a Series has those of one."""
    several = hasattr(values, "items") and getattr(values, "ndim", 2) == 2
    given = dict(values.items()) if several else {"model": values}
    if not given:
        raise ValueError("scores: give those of one model or more")
    return given


def _scores(values: Any, rows: int, classes: int, name: object) -> NDArray[np.float64]:
    """Return scores of one model, shape (n, 1) or (n, C)."""
    array = floats(values, f"scores of {name}")
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[0] != rows or array.shape[1] not in (1, classes):
        raise ValueError(
            f"scores of {name}: shape {array.shape}; give ({rows},) or ({rows}, {classes})"
        )
    if classes > 2 and array.shape[1] == 1:
        swapped = "; y_true comes first" if classes > rows / 2 else ""
        raise ValueError(
            f"scores of {name}: one score, and {classes} classes; give one per class{swapped}"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"scores of {name}: a score is not finite")
    if np.abs(array).max(initial=0.0) > LARGEST:
        raise ValueError(f"scores of {name}: one is beyond 1e150; divide all by one number")
    return array


def _of_classes(given: dict[Any, Any], classes: tuple[str, ...]) -> dict[Any, Any]:
    """Return scores by model; columns that are called as the classes are, are of one model."""
    columns = {label_text(name): values for name, values in given.items()}
    if set(columns) != set(classes) or any(np.ndim(values) != 1 for values in columns.values()):
        return given
    return {"model": np.column_stack([columns[name] for name in classes])}


def _unlabelled_scores(
    values: Any, models: dict[str, NDArray[np.float64]], classes: tuple[str, ...]
) -> dict[str, Any]:
    """Return unlabelled scores of each model."""
    if values is None:
        return {}
    given = _of_classes(_by_model(values), classes)
    if set(given) != set(models):
        raise ValueError(f"unlabelled has models {list(given)}, scores has {list(models)}")
    found = {}
    for name, scores in models.items():
        array = floats(given[name], f"scores of {name} (unlabelled)")
        rows = len(array) if array.ndim else 0
        found[name] = _scores(array, rows, scores.shape[1], f"{name} (unlabelled)")
        if not rows:
            raise ValueError(f"scores of {name} (unlabelled): give one or more")
    return found


def _numbers(values: ArrayLike, rows: int, name: str) -> NDArray[np.float64]:
    array = floats(values, name)
    if array.shape != (rows,) or not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"{name}: give {rows} finite numbers, none negative")
    return array


def _groups(by: ArrayLike, rows: int) -> tuple[str, NDArray[np.str_]]:
    """Return the name of groups and the group of each row."""
    texts = np.array([label_text(value) for value in label_vector(by, "by")])
    if texts.shape != (rows,):
        raise ValueError(f"by: shape {texts.shape}; give ({rows},)")
    return str(getattr(by, "name", None) or "group"), texts


def _units(groups: ArrayLike, y: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the object of each row; refuse those of several classes."""
    units = _places(groups, len(y), "groups")
    if len(np.unique(units * (int(y.max()) + 1) + y)) > len(np.unique(units)):
        raise ScoresError(
            "groups: one has rows of several classes; give these groups as folds, with "
            "resample='folds'"
        )
    return units


def _places(values: ArrayLike, rows: int, name: str) -> NDArray[np.intp]:
    array = plain_array(values, name)
    if array.shape != (rows,):
        raise ValueError(f"{name}: shape {array.shape}; give ({rows},)")
    return np.unique(array, return_inverse=True)[1].astype(np.intp)

"""Training: data set x model x protocol -> score table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator

from opchar.errors import DataError
from opchar.models.names import Vocabulary, parse
from opchar.models.posterior import from_decision
from opchar.models.protocols import splits
from opchar.scores import ScoreTable
from opchar.seeds import Spawn, integer_seed

if TYPE_CHECKING:
    from opchar.datasets.features import FeatureTable


def train(
    features: FeatureTable,
    model: str,
    vocabulary: Vocabulary,
    protocol: Mapping[str, Any],
    spawn: Spawn,
    provenance: Mapping[str, Any] | None = None,
) -> ScoreTable:
    """Train a model on each training set of a protocol and score the test sets.

    Splits that follow each other with the same training set share one fitted model.

    Parameters
    ----------
    features : opchar.datasets.features.FeatureTable
        Objects and classes; ``provenance["data"]`` is what results must name.
    model : str
        Name of the model, as in ``"pca17 ldc"``.
    vocabulary : mapping
        The entries of ``config/models.yaml``.
    protocol : mapping
        An entry of ``config/protocols.yaml`` in the profile that runs.
    spawn : callable
        Generators by name, for this data set and protocol. Splits use ``spawn("split", repeat)``,
        the same for all models; the model's own draws use ``spawn("model", model, fold)``.
    provenance : mapping, optional
        What the caller knows, such as ``seed`` and the protocol's name.

    Returns
    -------
    ScoreTable
        The scores of `class_scores` for every test object of every fold, with the raw decision
        values of `decision_values` where the model has them.

    Raises
    ------
    ConfigError
        If the name or protocol is unknown.
    DataError
        If the model cannot be trained on a fold: one line with data set, model, fold and reason.
    """
    data = str(features.provenance["data"])
    number = len(features.classes)
    folds, indices, scores, decisions = [], [], [], []
    fitted_to = np.empty(0, dtype=int)
    for fold, training, testing in splits(protocol, features.y, spawn):
        try:
            if not np.array_equal(training, fitted_to):
                estimator = seeded(parse(model, vocabulary), spawn("model", model, fold))
                estimator.fit(features.X[training], features.y[training])
                fitted_to = training
            scored = class_scores(estimator, features.X[testing], number)
            decided = decision_values(estimator, features.X[testing], number)
        except (ValueError, np.linalg.LinAlgError) as error:
            reason = " ".join(str(error).split())
            raise DataError(f"{data}, model '{model}', fold {fold}: {reason}") from error
        if not np.isfinite(scored).all():
            raise DataError(f"{data}, model '{model}', fold {fold}: scores are not finite")
        folds.append(np.full(len(testing), fold))
        indices.append(testing)
        scores.append(scored)
        decisions.append(decided)
    index = np.concatenate(indices)
    raw = [part for part in decisions if part is not None]
    return ScoreTable(
        np.concatenate(folds),
        index,
        features.y[index],
        np.concatenate(scores),
        features.classes,
        {
            "data": data,
            "source": dict(features.provenance),
            "model": model,
            "protocol": {
                key: protocol[key] for key in ("function", "parameters") if key in protocol
            },
            "versions": {"numpy": np.__version__, "scikit-learn": sklearn.__version__},
            **dict(provenance or {}),
        },
        np.concatenate(raw) if len(raw) == len(decisions) else None,
    )


def seeded(estimator: BaseEstimator, rng: np.random.Generator) -> BaseEstimator:
    """Give every ``random_state`` of an estimator and its parts a seed of its own.

    Parameters
    ----------
    estimator : sklearn.base.BaseEstimator
        Changed in place.
    rng : numpy.random.Generator
        Source of the seeds, used in alphabetical order of the parameters.

    Returns
    -------
    sklearn.base.BaseEstimator
        `estimator`.
    """
    names = sorted(
        name
        for name in estimator.get_params(deep=True)
        if name == "random_state" or name.endswith("__random_state")
    )
    return estimator.set_params(**{name: integer_seed(rng) for name in names})


def class_scores(estimator: Any, X: np.ndarray, number: int) -> np.ndarray:
    """Return a score in [0, 1] for each class.

    Posteriors where the estimator has them. Otherwise decision values: the sigmoid of one value for
    two classes, the soft maximum over classes for more. A class that was not in the training set
    scores zero.

    Parameters
    ----------
    estimator : scikit-learn classifier
        Fitted to class numbers in ``range(number)``.
    X : ndarray of shape (n, d)
        Test objects.
    number : int
        Number of classes C.

    Returns
    -------
    ndarray of shape (n, C)

    Raises
    ------
    ValueError
        If the estimator has neither ``predict_proba`` nor ``decision_function``, or does not give
        one score a class.
    """
    if hasattr(estimator, "predict_proba"):
        found = estimator.predict_proba(X)
    elif hasattr(estimator, "decision_function"):
        found = from_decision(estimator.decision_function(X))
    else:
        raise ValueError("the classifier has neither predict_proba nor decision_function")
    if found.shape[1] != len(estimator.classes_):
        raise ValueError(
            f"the classifier gives {found.shape[1]} scores for {len(estimator.classes_)} class(es)"
        )
    scores = np.zeros((len(X), number))
    scores[:, np.asarray(estimator.classes_, dtype=int)] = found
    return scores


def decision_values(estimator: Any, X: np.ndarray, number: int) -> np.ndarray | None:
    """Return the raw decision value of each class, before any scaling to [0, 1].

    Parameters
    ----------
    estimator : scikit-learn classifier
        Fitted to class numbers in ``range(number)``.
    X : ndarray of shape (n, d)
        Test objects.
    number : int
        Number of classes C.

    Returns
    -------
    ndarray of shape (n, C) or None
        None when the estimator has no ``decision_function`` or its values are not one a class. One
        value of two classes stands for the second, and its negative for the first. A class that
        was not in the training set has minus infinity.
    """
    if not hasattr(estimator, "decision_function"):
        return None
    found = np.asarray(estimator.decision_function(X), dtype=float)
    if found.ndim == 1:
        found = np.column_stack([-found, found])
    if found.shape[1] != len(estimator.classes_):
        return None
    values = np.full((len(X), number), -np.inf)
    values[:, np.asarray(estimator.classes_, dtype=int)] = found
    return values

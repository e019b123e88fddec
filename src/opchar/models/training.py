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
        The scores of `class_scores` for every test object of every fold.

    Raises
    ------
    ConfigError
        If the name or protocol is unknown.
    DataError
        If the model cannot be trained on a fold: one line with data set, model, fold and reason.
    """
    data = str(features.provenance["data"])
    folds, indices, scores = [], [], []
    for fold, training, testing in splits(protocol, features.y, spawn):
        estimator = seeded(parse(model, vocabulary), spawn("model", model, fold))
        try:
            estimator.fit(features.X[training], features.y[training])
            scored = class_scores(estimator, features.X[testing], len(features.classes))
        except (ValueError, np.linalg.LinAlgError) as error:
            reason = " ".join(str(error).split())
            raise DataError(f"{data}, model '{model}', fold {fold}: {reason}") from error
        if not np.isfinite(scored).all():
            raise DataError(f"{data}, model '{model}', fold {fold}: scores are not finite")
        folds.append(np.full(len(testing), fold))
        indices.append(testing)
        scores.append(scored)
    index = np.concatenate(indices)
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
        If the estimator has neither ``predict_proba`` nor ``decision_function``.
    """
    if hasattr(estimator, "predict_proba"):
        found = estimator.predict_proba(X)
    elif hasattr(estimator, "decision_function"):
        found = from_decision(estimator.decision_function(X))
    else:
        raise ValueError("the classifier has neither predict_proba nor decision_function")
    scores = np.zeros((len(X), number))
    scores[:, np.asarray(estimator.classes_, dtype=int)] = found
    return scores

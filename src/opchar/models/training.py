"""Training: data set x model x protocol -> score table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator

from opchar.errors import ConfigError, DataError
from opchar.models.names import Vocabulary, parse
from opchar.models.posterior import from_decision, last_step, posteriors_of
from opchar.models.splits.protocols import Split, splits
from opchar.scores import ScoreTable
from opchar.seeds import Spawn, integer_seed

if TYPE_CHECKING:
    from opchar.datasets.features import FeatureTable


@dataclass(frozen=True)
class _Scored:
    """Scores of one classifier, or member of a pool, on test objects."""

    scores: np.ndarray
    decisions: np.ndarray | None = None
    detector: np.ndarray | None = None


def train(
    features: FeatureTable,
    model: str,
    vocabulary: Vocabulary,
    protocol: Mapping[str, Any],
    spawn: Spawn,
    provenance: Mapping[str, Any] | None = None,
) -> ScoreTable:
    """Train a model on each training set of a protocol and score the test sets.

    Splits that follow each other with the same fold and training set share one fitted model.

    Parameters
    ----------
    features : opchar.datasets.features.FeatureTable
        Objects and classes; ``provenance["data"]`` is what results must name.
    model : str
        Name of the model, as in ``"pca17 ldc"``.
    vocabulary : mapping
        The entries of ``config/models.yaml``.
    protocol : mapping
        An entry of ``config/protocols.yaml`` in the profile that runs. With ``members: true`` the
        members of a pool are scored one by one, under the key ``member``.
    spawn : callable
        Generators by name, for this data set and protocol. Splits use ``spawn("split", repeat)``,
        the same for all models; the model's own draws use ``spawn("model", model, fold)``.
    provenance : mapping, optional
        What the caller knows, such as ``seed`` and the protocol's name.

    Returns
    -------
    ScoreTable
        The scores of `class_scores` for every test object of every fold, with the raw decision
        values of `decision_values` where the model has them. Of a system of two stages (an
        estimator with ``stage_scores``) both stages: the detector's score, and the posteriors of
        the classifier before the detector rejects anything, zero for the outlier class. Its
        provenance has the remarks of fitted estimators (their ``remark_``) by fold.

    Raises
    ------
    ConfigError
        If the name or protocol is unknown.
    DataError
        If the model cannot be trained on a fold: one line with data set, model, fold and reason.
    """
    data = str(features.provenance["data"])
    blocks: list[tuple[Split, int | None, _Scored]] = []
    fitted: Split | None = None
    estimator: Any = None
    remarks: dict[str, str] = {}
    groups = getattr(features, "groups", {})
    for split in splits(protocol, features.y, spawn, groups, features.X):
        y = features.y if split.y is None else split.y
        X = features.X if split.X is None else split.X
        number = len(split.classes or features.classes)
        try:
            if fitted is None or not _same_training(fitted, split):
                estimator = seeded(parse(model, vocabulary), spawn("model", model, split.fold))
                estimator.fit(X[split.train], y[split.train])
                fitted = split
                if remark := getattr(last_step(estimator, X[split.train[:1]])[0], "remark_", ""):
                    remarks[str(split.fold)] = remark
            found = _all_scores(
                estimator, X[split.test], number, bool(protocol.get("members", False))
            )
        except (ValueError, np.linalg.LinAlgError) as error:
            reason = " ".join(str(error).split())
            raise DataError(f"{data}, model '{model}', fold {split.fold}: {reason}") from error
        if not all(np.isfinite(each.scores).all() for each in found.values()):
            raise DataError(f"{data}, model '{model}', fold {split.fold}: scores are not finite")
        blocks += [(split, member, each) for member, each in found.items()]
    told = {str(split.fold): dict(split.about) for split, _, _ in blocks if split.about}
    told_of = ("function", "parameters", "members")
    about = {
        "data": data,
        "source": dict(features.provenance),
        "model": model,
        "protocol": {key: protocol[key] for key in told_of if key in protocol},
        "versions": {"numpy": np.__version__, "scikit-learn": sklearn.__version__},
        **({"folds": told} if told else {}),
        **({"remarks": remarks} if remarks else {}),
        **dict(provenance or {}),
    }
    return _table(blocks, features, about)


def _same_training(one: Split, two: Split) -> bool:
    same_y = one.y is two.y or (
        one.y is not None
        and two.y is not None
        and np.array_equal(one.y[one.train], two.y[two.train])
    )
    return one.fold == two.fold and np.array_equal(one.train, two.train) and same_y


def _all_scores(
    estimator: Any, X: np.ndarray, number: int, members: bool
) -> dict[int | None, _Scored]:
    """Return the scores of an estimator, or of each member of a pool, by member."""
    if members:
        return dict(enumerate(_member_scores(estimator, X, number)))
    last, seen = last_step(estimator, X)
    if not hasattr(last, "stage_scores"):
        return {
            None: _Scored(class_scores(estimator, X, number), decision_values(estimator, X, number))
        }
    detector, posteriors = last.stage_scores(seen)
    scores = np.zeros((len(X), number))
    scores[:, np.asarray(last.classifier_.classes_, dtype=int)] = posteriors
    return {None: _Scored(scores, detector=detector)}


def _member_scores(estimator: Any, X: np.ndarray, number: int) -> list[_Scored]:
    last, seen = last_step(estimator, X)
    if not hasattr(last, "member_decisions") or number != 2:
        raise ValueError(
            "the protocol scores the members of a pool; take a pool for two classes, as bagsvm20"
        )
    return [
        _Scored(from_decision(each), np.column_stack([-each, each]))
        for each in last.member_decisions(seen).T
    ]


def _table(
    blocks: list[tuple[Split, int | None, _Scored]],
    features: FeatureTable,
    about: dict[str, Any],
) -> ScoreTable:
    """Put the scores of all splits one below the other."""
    tested = [split for split, _, _ in blocks]
    classes = {split.classes or features.classes for split in tested}
    if len(classes) > 1:
        raise ConfigError("config/protocols.yaml: the classes differ from split to split")
    labels = [features.y if split.y is None else split.y for split in tested]

    def column(parts: list[Any]) -> np.ndarray | None:
        given = [part for part in parts if part is not None]
        if len(given) < len(parts):
            return None
        sized = zip(given, tested, strict=True)
        return np.concatenate([np.broadcast_to(part, len(split.test)) for part, split in sized])

    def stacked(parts: list[np.ndarray | None]) -> np.ndarray | None:
        given = [part for part in parts if part is not None]
        return np.concatenate(given) if len(given) == len(parts) else None

    return ScoreTable(
        np.concatenate([np.full(len(split.test), split.fold) for split in tested]),
        np.concatenate([split.test for split in tested]),
        np.concatenate([y[split.test] for y, split in zip(labels, tested, strict=True)]),
        np.concatenate([scored.scores for _, _, scored in blocks]),
        classes.pop(),
        about,
        stacked([scored.decisions for _, _, scored in blocks]),
        column([None if s.test_set is None else np.array(s.test_set, object) for s in tested]),
        column([member for _, member, _ in blocks]),
        stacked([scored.detector for _, _, scored in blocks]),
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
        Columns in the order of the classes.

    Raises
    ------
    ValueError
        If the estimator has neither ``predict_proba`` nor ``decision_function``, or does not give
        one score a class.
    """
    scores = np.zeros((len(X), number))
    found = posteriors_of(estimator, X)
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
        None when the estimator has no ``decision_function`` or its values are not one per class.
        One value of two classes stands for the second, and its negative for the first. A class that
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

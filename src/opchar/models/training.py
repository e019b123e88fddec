"""Training: data set x model x protocol -> score table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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

    def of(self, rows: np.ndarray) -> _Scored:
        """Return the scores of some of the objects."""
        decisions = None if self.decisions is None else self.decisions[rows]
        detector = None if self.detector is None else self.detector[rows]
        return _Scored(self.scores[rows], decisions, detector)


_Members = dict[int | None, _Scored]


def train(
    features: FeatureTable,
    model: str,
    vocabulary: Vocabulary,
    protocol: Mapping[str, Any],
    spawn: Spawn,
    provenance: Mapping[str, Any] | None = None,
) -> ScoreTable:
    """Train a model on each training set of a protocol and score the test sets.

    Splits that follow each other with the same fold and training set share one fitted model. Where
    their test sets overlap, an estimator with a true ``row_by_row`` scores each object once: one
    whose scores of an object have the same bits whatever objects are beside it.
    """
    data = str(features.provenance["data"])
    blocks: list[tuple[Split, int | None, _Scored]] = []
    remarks: dict[str, str] = {}
    groups = getattr(features, "groups", {})
    members = bool(protocol.get("members", False))
    for sharing in _by_training(splits(protocol, features.y, spawn, groups, features.X)):
        split = sharing[0]
        y = features.y if split.y is None else split.y
        X = features.X if split.X is None else split.X
        number = len(split.classes or features.classes)
        try:
            estimator = seed_estimator(parse(model, vocabulary), spawn("model", model, split.fold))
            estimator.fit(X[split.train], y[split.train])
            last = last_step(estimator, X[split.train[:1]])[0]
            if remark := getattr(last, "remark_", ""):
                remarks[str(split.fold)] = remark
            tests = [each.test for each in sharing]
            alone = not getattr(last, "row_by_row", False)
            found = _on_tests(estimator, X, tests, number, members, alone)
        except (ValueError, np.linalg.LinAlgError) as error:
            reason = " ".join(str(error).split())
            raise DataError(f"{data}, model '{model}', fold {split.fold}: {reason}") from error
        new = [(s, *one) for s, each in zip(sharing, found, strict=True) for one in each.items()]
        if not all(np.isfinite(scored.scores).all() for _, _, scored in new):
            raise DataError(f"{data}, model '{model}', fold {split.fold}: scores are not finite")
        blocks += new
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


def _by_training(found: Iterable[Split]) -> Iterator[list[Split]]:
    """Yield the splits that follow each other with the same fold, objects and training set."""
    sharing: list[Split] = []
    for split in found:
        if sharing and not _same_training(sharing[0], split):
            yield sharing
            sharing = []
        sharing.append(split)
    if sharing:
        yield sharing


def _on_tests(
    estimator: Any, X: np.ndarray, tests: list[np.ndarray], number: int, members: bool, alone: bool
) -> list[_Members]:
    """Return the scores of each test set.

    An object that is in several is scored once. Sets of an estimator that is not `row_by_row` are
    scored alone: a last digit of a product of matrices may depend on the rows beside it.
    """
    rows = np.unique(np.concatenate(tests))
    if alone or len(rows) == sum(map(len, tests)):
        return [_all_scores(estimator, X[test], number, members) for test in tests]
    found = _all_scores(estimator, X[rows], number, members)
    places = [np.searchsorted(rows, test) for test in tests]
    return [{member: each.of(place) for member, each in found.items()} for place in places]


def _same_training(one: Split, two: Split) -> bool:
    same_y = one.y is two.y or (
        one.y is not None
        and two.y is not None
        and np.array_equal(one.y[one.train], two.y[two.train])
    )
    same = one.fold == two.fold and one.X is two.X and same_y
    return same and np.array_equal(one.train, two.train)


def _all_scores(estimator: Any, X: np.ndarray, number: int, members: bool) -> _Members:
    """Return the scores of an estimator, or of each member of a pool, by member."""
    last, seen = last_step(estimator, X)
    if members:
        return dict(enumerate(_member_scores(last, seen, number)))
    if not hasattr(last, "stage_scores"):
        decisions = _decisions(last, seen)
        scores = _in_columns(last, posteriors_of(last, seen, decisions), number, 0.0)
        return {None: _Scored(scores, _decided(last, decisions, number))}
    detector, posteriors = last.stage_scores(seen)
    stage = last.estimator_ if hasattr(last, "estimator_") else last.classifier_
    scores = _in_columns(stage, posteriors, number, 0.0)
    return {None: _Scored(scores, detector=detector)}


def _member_scores(last: Any, seen: np.ndarray, number: int) -> list[_Scored]:
    if not hasattr(last, "member_decisions") or number != 2:
        raise ValueError(
            "the protocol scores the members of a pool; take a pool for two classes, as bagsvm20"
        )
    return [
        _Scored(from_decision(each), np.column_stack([-each, each]))
        for each in last.member_decisions(seen).T
    ]


def _table(
    blocks: list[tuple[Split, int | None, _Scored]], features: FeatureTable, about: dict[str, Any]
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


def seed_estimator(estimator: BaseEstimator, rng: np.random.Generator) -> BaseEstimator:
    """Give every ``random_state`` of an estimator and its parts a seed of its own."""
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

    Shapes: `X` (n, d); returned (n, C).
    """
    return _in_columns(estimator, posteriors_of(estimator, X), number, 0.0)


def decision_values(estimator: Any, X: np.ndarray, number: int) -> np.ndarray | None:
    """Return the raw decision value of each class, before any scaling to [0, 1].

    Shapes: `X` (n, d); returned (n, C).
    """
    return _decided(estimator, _decisions(estimator, X), number)


def _decisions(estimator: Any, X: np.ndarray) -> np.ndarray | None:
    """Return what ``decision_function`` gives, if the estimator has it."""
    if not hasattr(estimator, "decision_function"):
        return None
    return np.asarray(estimator.decision_function(X), dtype=float)


def _decided(estimator: Any, found: np.ndarray | None, number: int) -> np.ndarray | None:
    """Return decision values class by class, as `decision_values` does."""
    if found is None:
        return None
    if found.ndim == 1:
        found = np.column_stack([-found, found])
    if found.shape[1] != len(estimator.classes_):
        return None
    return _in_columns(estimator, found, number, -np.inf)


def _in_columns(estimator: Any, found: np.ndarray, number: int, missing: float) -> np.ndarray:
    """Put the values of an estimator's classes into the columns of all classes."""
    values = np.full((len(found), number), missing)
    values[:, np.asarray(estimator.classes_, dtype=int)] = found
    return values

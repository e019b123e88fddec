"""Classifiers that change the class sizes of their training set: RUSBoost, and SMOTE before any."""

from __future__ import annotations

from typing import Any

import numpy as np
from imblearn.ensemble import RUSBoostClassifier
from imblearn.over_sampling import SMOTE
from sklearn.tree import DecisionTreeClassifier

REDRAWS = 100
"""How often RUSBoost draws its first balanced sample again."""


class NeighbourOversampling(SMOTE):
    """smote: new objects on the lines between neighbours of a class, until all classes are equal.

    Each class is filled up to the size of the largest. A new object lies between a random one of
    the class and one of its nearest neighbours there (Chawla et al., 2002). When the smallest class
    has ``n`` objects, the neighbours are ``min(k_neighbors, n - 1)``; a class of one object has no
    neighbours, which is an error. (mullick2020, Sec. 5.2.)
    """

    def __init__(self, *, k_neighbors: int = 5, random_state: Any = None) -> None:
        super().__init__(k_neighbors=k_neighbors, random_state=random_state)

    def _fit_resample(self, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        names, counts = np.unique(y, return_counts=True)
        smallest = int(counts.min())
        if smallest < 2:
            raise ValueError(
                "smote wants two samples or more of each class to draw lines between; class "
                f"{names[counts.argmin()]} has 1 sample"
            )
        synthesis = SMOTE(
            k_neighbors=min(self.k_neighbors, smallest - 1), random_state=self.random_state
        )
        return synthesis.fit_resample(X, y)


def smote(neighbours: int = 5) -> NeighbourOversampling:
    """Return the over-sampling of the smaller classes, ``"smote"`` in ``"sc smote mlp8"``.

    `neighbours`: among which a new object's partner is drawn.
    """
    return NeighbourOversampling(k_neighbors=neighbours)


class RandomUndersamplingBoost(RUSBoostClassifier):
    """rusboost: RUSBoost that draws its first sample again while its tree is no better than chance.

    Few objects of the smallest class, or trees of one split with many classes, can make a first
    tree no better than a guess. This leaves AdaBoost without a classifier. Its sample is then drawn
    again, at most `REDRAWS` times. Where no tree is better than chance the last one is kept, alone,
    and `remark_` says so. Such a classifier is poor, but the method gives nothing better on such
    objects. A later tree of this kind ends the boosting, as usual.
    """

    row_by_row = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RandomUndersamplingBoost:
        """Boost trees on balanced samples; as in imbalanced-learn."""
        self.redrawn_, self.remark_ = 0, ""
        with np.errstate(over="ignore", invalid="ignore"):  # of what trees refuse by an error
            super().fit(X, y, sample_weight)
        if self.remark_:
            self.estimator_errors_[0] = self._first_error
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the weighted votes of the trees, as in imbalanced-learn."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(super().decision_function(X))

    def _boost_discrete(
        self, iboost: int, X: Any, y: Any, sample_weight: Any, random_state: Any
    ) -> Any:
        while True:
            try:
                return super()._boost_discrete(iboost, X, y, sample_weight, random_state)
            except ValueError as error:
                if "worse than random" not in str(error):
                    raise
                if self.redrawn_ == REDRAWS:
                    return self._one_tree(X, y, sample_weight, random_state)
                self.redrawn_ += 1

    def _one_tree(self, X: Any, y: Any, sample_weight: Any, random_state: Any) -> Any:
        """Keep one tree with weight one and end the boosting; an error of zero ends it."""
        tree, sampler = self._make_sampler_estimator(random_state=random_state)
        balanced = sampler.fit_resample(X, y)
        tree.fit(*balanced, sample_weight=sample_weight[sampler.sample_indices_])
        self._first_error = np.average(tree.predict(X) != y, weights=sample_weight)
        self.remark_ = f"one tree: no better than chance on {REDRAWS + 1} balanced samples"
        return sample_weight, 1.0, 0.0


def rusboost(rounds: int = 10, trees: str = "", *, depth: int) -> RUSBoostClassifier:
    """Return boosted decision trees, each on a balanced sample, ``"rusboost10"``.

    Seiffert et al. (2010) put random under-sampling into AdaBoost.M2 on C4.5 trees: a pseudo-loss
    over pairs of an object and a wrong class, with graded answers. The class of imbalanced-learn,
    used here, puts it into SAMME, with the weighted error of crisp answers. ``log(C - 1)`` is
    added to the weight of a round, so that better than chance is enough for C classes. For two
    classes SAMME is AdaBoost.M1, which is AdaBoost.M2 for crisp answers. In each round all
    classes but the smallest are thinned at random to its size, and the trees are CART.
    (mullick2020, Sec. 5.2.)

    `rounds`: trees at most, at least one. A tree that is right about all training objects is the
    last; `trees`: trees of the given depth, of one split, or grown until their leaves are pure;
    `depth`: depth of the trees at most, where `trees` says nothing else. Returns: of one tree, with
    a remark, when none is better than chance on `REDRAWS` samples, too.
    """
    most = {"": depth, "stumps": 1, "full": None}[trees]
    return RandomUndersamplingBoost(DecisionTreeClassifier(max_depth=most), n_estimators=rounds)

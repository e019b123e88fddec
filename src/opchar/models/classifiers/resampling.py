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

    Each class is filled up to the size of the largest with objects between a random one of its own
    and one of that object's nearest neighbours in the class (Chawla et al., 2002). When the
    smallest class has ``n`` objects, the neighbours are ``min(k_neighbors, n - 1)``; a class of one
    object has no neighbours, which is an error. (mullick2020, Sec. 5.2.)

    Parameters
    ----------
    k_neighbors : int
        Neighbours at most, at least one.
    random_state : int, RandomState or None
        Source of the new objects.
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

    Parameters
    ----------
    neighbours : int
        Among which a new object's partner is drawn.

    Returns
    -------
    NeighbourOversampling
        Not fitted.
    """
    return NeighbourOversampling(k_neighbors=neighbours)


class RandomUndersamplingBoost(RUSBoostClassifier):
    """rusboost: RUSBoost that draws its first sample anew while its tree is no better than chance.

    On few objects of the smallest class a first tree may be wrong about half of all objects or
    more, which leaves AdaBoost without a classifier. Its sample is then drawn again, at most
    `REDRAWS` times; a later tree of this kind ends the boosting, as usual.

    Attributes
    ----------
    redrawn_ : int
        How often the first sample was drawn again.
    """

    def _boost_discrete(
        self, iboost: int, X: Any, y: Any, sample_weight: Any, random_state: Any
    ) -> Any:
        if iboost == 0:
            self.redrawn_ = 0
        while True:
            try:
                return super()._boost_discrete(iboost, X, y, sample_weight, random_state)
            except ValueError as error:
                if "worse than random" not in str(error) or self.redrawn_ == REDRAWS:
                    raise
                self.redrawn_ += 1


def rusboost(rounds: int = 10, trees: str = "", *, depth: int) -> RUSBoostClassifier:
    """Return boosted decision trees, each on a balanced sample, ``"rusboost10"``.

    Seiffert et al. (2010) put random under-sampling into AdaBoost.M2 on C4.5 trees: a pseudo-loss
    over pairs of an object and a wrong class, with graded answers. This is imbalanced-learn's,
    which puts it into SAMME: the weighted error of crisp answers, with ``log(C - 1)`` added to the
    weight of a round so that better than chance is enough for C classes. For two classes SAMME is
    AdaBoost.M1, which is AdaBoost.M2 for crisp answers. In each round all classes but the smallest
    are thinned at random to its size, and the trees are CART. (mullick2020, Sec. 5.2.)

    Parameters
    ----------
    rounds : int
        Trees at most, at least one. A tree that is right about all training objects is the last.
    trees : {"", "stumps", "full"}
        Trees of the given depth, of one split, or grown until their leaves are pure.
    depth : int
        Depth of the trees at most, where `trees` says nothing else.

    Returns
    -------
    RandomUndersamplingBoost
        Fitting it is an error when the first tree is worse than chance on `REDRAWS` samples, too.
    """
    most = {"": depth, "stumps": 1, "full": None}[trees]
    return RandomUndersamplingBoost(DecisionTreeClassifier(max_depth=most), n_estimators=rounds)

"""Scores of one model on the test objects of a protocol, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from opchar.errors import ScoresError

FURTHER = ["test_set", "member", "detector"]
_COLUMNS = ["fold", "index", "y", "scores", "decisions", *FURTHER]


@dataclass(frozen=True)
class ScoreTable:
    """Scores of one model on the test objects of one or more folds.

    Parameters
    ----------
    fold : ndarray of int, shape (n,)
        Which repetition or fold a line belongs to.
    index : ndarray of int, shape (n,)
        The object's row in the feature table.
    y : ndarray of int, shape (n,)
        True class as an index into `classes`.
    scores : ndarray of float, shape (n, C)
        One column per class; higher means more likely. Rows need not sum to one.
    classes : tuple of str, length C
        Class names in column order.
    provenance : dict
        Data set, its provider or stand-in, model, protocol, seed, versions.
    decisions : ndarray of float, shape (n, C), optional
        Raw decision values of the classes; minus infinity for a class that was not trained on.
    test_set : ndarray of str, shape (n,), optional
        Which test set of its fold a line belongs to.
    member : ndarray of int, shape (n,), optional
        Which member of a pool of classifiers scored a line, from 0.
    detector : ndarray of float, shape (n,), optional
        Score of the detector of a two-stage system; higher means more likely a target.
    """

    fold: np.ndarray
    index: np.ndarray
    y: np.ndarray
    scores: np.ndarray
    classes: tuple[str, ...]
    provenance: dict[str, Any] = field(default_factory=dict)
    decisions: np.ndarray | None = None
    test_set: np.ndarray | None = None
    member: np.ndarray | None = None
    detector: np.ndarray | None = None

    @property
    def data(self) -> str:
        """The data that results from this table must name: the data set, or its stand-in."""
        return str(self.provenance.get("data", "scores given by the user"))

    def folds(self) -> Iterator[tuple[int, ScoreTable]]:
        """Yield ``(fold, table of that fold)`` in ascending order of the fold."""
        for number in np.unique(self.fold):
            yield int(number), self.where(self.fold == number)

    def test_sets(self) -> Iterator[tuple[str | None, ScoreTable]]:
        """Yield ``(name, table of that test set)`` in the order of the table.

        A table without the key yields itself once, under the name None.
        """
        if self.test_set is None:
            yield None, self
            return
        for name in dict.fromkeys(self.test_set.tolist()):
            yield str(name), self.where(self.test_set == name)

    def members(self) -> Iterator[tuple[int | None, ScoreTable]]:
        """Yield ``(member, table of that member)`` in ascending order of the member.

        A table without the key yields itself once, as the member None.
        """
        if self.member is None:
            yield None, self
            return
        for number in np.unique(self.member):
            yield int(number), self.where(self.member == number)

    def where(self, keep: np.ndarray) -> ScoreTable:
        """Return the lines for which `keep`, shape (n,), is true, or which it numbers."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        kept: dict[str, Any] = {
            name: None if values is None else values[keep] for name, values in columns.items()
        }
        return replace(self, **kept)

    def binary(self, positive: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(is_positive, score of the positive class)`` for a two-class analysis.

        Parameters
        ----------
        positive : str
            Name of the positive class.

        Returns
        -------
        is_positive : ndarray of bool, shape (n,)
            Whether each object is of the positive class.
        score : ndarray of float, shape (n,)
            Larger means more likely positive.

        Raises
        ------
        ScoresError
            If the table has no such class.
        """
        if positive not in self.classes:
            raise ScoresError(
                f"no class '{positive}' in the score table; it has {list(self.classes)}"
            )
        column = self.classes.index(positive)
        return self.y == column, self.scores[:, column]

    def decision(self, positive: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(is_positive, raw decision value of the positive class)``.

        For thresholds in the model's own units, and where the scaling to [0, 1] has made distinct
        values equal.

        Parameters
        ----------
        positive : str
            Name of the positive class.

        Returns
        -------
        is_positive : ndarray of bool, shape (n,)
            Whether each object is of the positive class.
        decision : ndarray of float, shape (n,)
            Larger means more likely positive.

        Raises
        ------
        ScoresError
            If the table has no such class, or no decision values.
        """
        is_positive, _ = self.binary(positive)
        if self.decisions is None:
            raise ScoresError(
                f"{self.data}: no raw decision values; the model gives posteriors only"
            )
        return is_positive, self.decisions[:, self.classes.index(positive)]

    def log_odds(self, positive: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(is_positive, log odds of the positive class)``.

        They order objects as the posterior does, but also where it is one to machine precision:
        only the small posteriors of the other classes tell such objects apart.

        Parameters
        ----------
        positive : str
            Name of the positive class.

        Returns
        -------
        is_positive : ndarray of bool, shape (n,)
            Whether each object is of the positive class.
        score : ndarray of float, shape (n,)
            Infinite where the score of one class is 0.

        Raises
        ------
        ScoresError
            If the table has no such class, or negative scores.
        """
        is_positive, posterior = self.binary(positive)
        if (self.scores < 0).any():
            raise ScoresError(
                f"{self.data}: log odds need posteriors, and some scores are negative"
            )
        others = np.delete(self.scores, self.classes.index(positive), axis=1).sum(axis=1)
        least = np.finfo(float).tiny
        return is_positive, np.log(np.maximum(posterior, least)) - np.log(np.maximum(others, least))


def rejecting_threshold(scores: np.ndarray, share: float) -> float:
    """Return the threshold that rejects a share of scores, halfway between two of them.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Higher means more like the class; in any order.
    share : float
        In [0, 1): ``floor(share * n)`` scores lie below the threshold, ties aside.

    Returns
    -------
    float
        The smallest score when none shall be rejected.
    """
    ordered = np.sort(scores)
    rejected = int(share * len(ordered))
    return float(ordered[max(rejected - 1, 0) : rejected + 1].mean())

"""Two videos of the same persons, and samples of target and non-target faces from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opchar.datasets.features import FeatureTable
from opchar.errors import DataError


@dataclass(frozen=True)
class Faces:
    """Face regions of one target and some other persons in one video.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        Features.
    is_positive : ndarray of bool, shape (n,)
        Whether a region shows the target.
    person : ndarray of int, shape (n,)
        Who it shows, as an index into the classes of the table.
    """

    X: np.ndarray
    is_positive: np.ndarray
    person: np.ndarray

    @property
    def prior(self) -> float:
        """P(+), the share of the target's regions."""
        return float(self.is_positive.mean())


def two_videos(
    features: dict[str, FeatureTable], *, persons: int, regions: int = 1
) -> tuple[FeatureTable, FeatureTable, np.ndarray]:
    """Return both videos and the persons whose regions are enough in each.

    Parameters
    ----------
    features : dict of str to FeatureTable
        Two tables of face regions, with the person as class.
    persons : int
        How many persons there must be.
    regions : int
        How many regions a person must have in each video.

    Returns
    -------
    first, second : FeatureTable
    usable : ndarray of int
        Persons, as indices into the classes.

    Raises
    ------
    DataError
        If the videos show different persons, or too few.
    """
    first, second = features.values()
    if first.classes != second.classes:
        raise DataError(f"{' and '.join(features)} show different persons; build both again")
    fewest = np.minimum(
        *(np.bincount(video.y, minlength=len(video.classes)) for video in (first, second))
    )
    usable = np.flatnonzero(fewest >= regions)
    if len(usable) < persons:
        raise DataError(
            f"{' and '.join(features)}: {len(usable)} persons have {regions} face regions or more "
            f"in both videos, the experiment wants {persons}; give a folder with more of them"
        )
    return first, second, usable


def faces_of(video: FeatureTable, persons: np.ndarray) -> Faces:
    """Return the regions of some persons in one video, of whom the first is the target."""
    chosen = np.isin(video.y, persons)
    who = video.y[chosen]
    return Faces(video.X[chosen], who == persons[0], who)


def folds_of(person: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Divide the regions of each person at random into folds of equal size.

    Parameters
    ----------
    person : ndarray of int, shape (n,)
    folds : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int, shape (n,)
        The fold of each region, from 0; sizes within a person differ by one at most.
    """
    fold = np.empty(len(person), dtype=int)
    for one in np.unique(person):
        mine = rng.permutation(np.flatnonzero(person == one))
        fold[mine] = np.arange(len(mine)) % folds
    return fold

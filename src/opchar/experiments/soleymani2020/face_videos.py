"""Two videos of the same persons, and samples of target and non-target faces from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from opchar.datasets.features import FeatureTable
from opchar.errors import DataError
from opchar.models.trajectories import Round, rounds
from opchar.seeds import Spawn


@dataclass(frozen=True)
class Faces:
    """Face regions of one target and some other persons in one video.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        Features.
    is_positive : ndarray of bool, shape (n,)
        Whether a region shows the target.
    """

    X: np.ndarray
    is_positive: np.ndarray

    @property
    def prior(self) -> float:
        """P(+), the share of the target's regions."""
        return float(self.is_positive.mean())


def rounds_of(
    features: dict[str, FeatureTable], protocol: Mapping[str, Any], spawn: Spawn
) -> list[Round]:
    """Return the rounds of a protocol over two videos.

    Parameters
    ----------
    features : dict of str to FeatureTable
        Two tables of face regions, with the person as class.
    protocol : mapping
        An entry of ``config/protocols.yaml`` over two videos.
    spawn : Spawn
        Equal names give nested samples to protocols that differ in the number of others only.

    Raises
    ------
    DataError
        If the videos show different persons, or too few; it names the data sets.
    """
    first, second = features.values()
    names = " and ".join(features)
    if first.classes != second.classes:
        raise DataError(f"{names} show different persons; build both again")
    try:
        return list(rounds(protocol, (first.y, second.y), spawn))
    except DataError as error:
        raise DataError(f"{names}: {error}") from None


def training_faces(features: dict[str, FeatureTable], one: Round) -> Faces:
    """Return the face regions that a round trains on."""
    return _faces(list(features.values())[one.video], one.train, one)


def held_out_faces(features: dict[str, FeatureTable], one: Round) -> Faces:
    """Return the face regions of the other video: those that validate and those that test.

    Rows ascend, so that they are the same for all folds of a target and video.
    """
    return _faces(list(features.values())[1 - one.video], held_out(one), one)


def held_out(one: Round) -> np.ndarray:
    """Return the rows of the other video in a round, those of validation and of test, ascending."""
    return np.sort(np.concatenate([one.validation, one.test]))


def _faces(video: FeatureTable, rows: np.ndarray, one: Round) -> Faces:
    return Faces(video.X[rows], video.y[rows] == one.target)

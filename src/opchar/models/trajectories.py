"""Rounds over two videos of the same persons: train on one, validate and test on the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from opchar.errors import ConfigError, DataError
from opchar.functions import imported
from opchar.seeds import Spawn


@dataclass(frozen=True, eq=False)
class Round:
    """One training, validation and test set of a target person among others.

    Parameters
    ----------
    target : int
        The positive class.
    persons : ndarray of int
        The target first, then the others, who are the negative class together.
    video : int
        Which video trains, 0 or 1; the other one validates and tests.
    fold : int
        Which fold of the other video validates; -1 when none does.
    train : ndarray of int
        Rows of the video that trains, ascending.
    validation, test : ndarray of int
        Rows of the other video, ascending, without overlap.
    """

    target: int
    persons: np.ndarray
    video: int
    fold: int
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray


def rounds(
    protocol: Mapping[str, Any], persons: tuple[np.ndarray, np.ndarray], spawn: Spawn
) -> Iterator[Round]:
    """Yield the rounds of a protocol over two videos.

    Parameters
    ----------
    protocol : mapping
        An entry of ``config/protocols.yaml``: ``function`` and ``parameters``.
    persons : tuple of two ndarray of int
        Whom each face region of a video shows.
    spawn : callable
        Generators by name.

    Yields
    ------
    Round

    Raises
    ------
    ConfigError
        If the function is unknown or does not take the parameters.
    DataError
        If there are too few persons, or too few of their regions for the folds.
    """
    try:
        made = imported(str(protocol["function"]))(persons, spawn, **protocol.get("parameters", {}))
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"config/protocols.yaml: {str(error).splitlines()[0]}") from None
    yield from made


def trajectories(
    persons: tuple[np.ndarray, np.ndarray],
    spawn: Spawn,
    *,
    targets: int,
    others: int,
    folds: int = 0,
    swapped: bool = True,
    regions: int = 25,
    at_most: bool = False,
) -> Iterator[Round]:
    """Yield the rounds of the experiments on face trajectories (soleymani2020, Sec. 4).

    Targets are drawn without replacement from the persons with a region for each fold in both
    videos. Each target gets others, drawn anew; a smaller number of others is part of a larger one.
    At most `regions` regions of a person and video take part, the first ones. Those of each person
    in the testing video are dealt out at random to the folds: one validates, the rest test. Ten
    targets, both roles and five folds make the 100 rounds of Sec. 4.2; one target, 99 others and no
    folds the comparison of Sec. 4.1. Rounds of one target are not independent.

    Parameters
    ----------
    persons : tuple of two ndarray of int
        Whom each region of a video shows; regions of a person in the order of the trajectory.
    spawn : callable
        Generators by name: ``spawn("targets")``, ``spawn("others", target)`` and
        ``spawn("folds", target, video)``.
    targets, others : int
        Number of targets, and of negative persons for each.
    folds : int
        Folds of the testing video, two or more; 0 for a test set of all and no validation.
    swapped : bool
        Whether the videos also change roles.
    regions : int
        Regions of a person and video at most.
    at_most : bool
        Whether to make do with as many targets and others as there are persons, two at least,
        rather than refuse.

    Yields
    ------
    Round
        Targets in the order drawn, then roles, then folds.

    Raises
    ------
    ConfigError
        If it is not given two videos, or one fold, or more folds than regions.
    DataError
        If too few persons have a region for each fold in both videos.
    """
    if len(persons) != 2 or np.ndim(persons[0]) != 1:
        raise ConfigError(
            "trajectories are split over two videos: name both under features: of an experiment, "
            "not one data set under scores:"
        )
    if folds == 1 or folds < 0:
        raise ConfigError(f"folds must be 0 (no validation) or at least 2, not {folds}")
    if folds > regions:
        raise ConfigError(f"{regions} regions of a person cannot be dealt out to {folds} folds")
    least, wanted = max(folds, 1), 2 if at_most else max(targets, others + 1)
    both = _with_regions(persons, least)
    if len(both) < wanted:
        raise DataError(
            f"{len(both)} persons have {least} face regions or more in both videos, the protocol "
            f"wants {wanted}; give a folder with more of them"
        )
    for target in spawn("targets").permutation(both)[:targets]:
        negatives = spawn("others", target).permutation(both[both != target])[:others]
        chosen = np.concatenate([[target], negatives])
        for video in (0, 1) if swapped else (0,):
            train = _first_rows(persons[video], chosen, regions)
            tested = _first_rows(persons[1 - video], chosen, regions)
            part = _dealt(persons[1 - video][tested], folds, spawn("folds", target, video))
            for fold in range(folds) if folds else (-1,):
                validation, test = tested[part == fold], tested[part != fold]
                yield Round(int(target), chosen, video, fold, train, validation, test)


def _with_regions(persons: tuple[np.ndarray, np.ndarray], least: int) -> np.ndarray:
    """Return who has so many regions in both videos, ascending."""
    counted = [np.unique(person, return_counts=True) for person in persons]
    first, second = (who[number >= least] for who, number in counted)
    return np.intersect1d(first, second)


def _first_rows(person: np.ndarray, chosen: np.ndarray, regions: int) -> np.ndarray:
    """Return the rows of the first regions of the chosen persons, ascending."""
    rows = [np.flatnonzero(person == one)[:regions] for one in chosen]
    return np.sort(np.concatenate(rows))


def _dealt(person: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fold of each region, dealt out at random within each person; 0 without folds."""
    part = np.zeros(len(person), dtype=int)
    for one in np.unique(person) if folds else ():
        mine = rng.permutation(np.flatnonzero(person == one))
        part[mine] = np.arange(len(mine)) % folds
    return part

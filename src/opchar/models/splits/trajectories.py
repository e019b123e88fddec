"""Targets among others in two videos: train on one video, test on the other (soleymani2020)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from opchar.errors import ConfigError, DataError
from opchar.models.splits.protocols import Groups, Split, column
from opchar.seeds import Spawn

CLASSES = ("other", "target")


def trajectories(
    y: np.ndarray,
    spawn: Spawn,
    *,
    groups: Groups,
    targets: int,
    others: int | Sequence[int],
    folds: int = 0,
    swapped: bool = True,
    regions: int = 25,
    at_most: bool = False,
) -> Iterator[Split]:
    """Yield the splits of the experiments on face trajectories (soleymani2020, Sec. 4).

    Targets are drawn without replacement from the persons with a region for each fold in both
    videos. Each target gets others, of its own draw; a smaller number of others is part of a larger
    one. At most `regions` regions of a person and video take part, the first ones. Regions of each
    person in the testing video are dealt out at random to test sets ``part 0``, ``part 1``, .... In
    each of `folds` rounds one of them validates and the rest test. Ten targets, both roles and five
    parts make the 100 rounds of Sec. 4.2; one target, 99 others and no parts the comparison of Sec.
    4.1. Rounds of one target are not independent.

    `y` (n,): whom each region shows; regions of a person and video in the order of the trajectory;
    `spawn`: generators by name: ``spawn("targets")``, ``spawn("others", target)`` and
    ``spawn("folds", target, role)``; `groups` (n,): ``video`` tells the two videos apart;
    `targets`: number of targets; `others`: number of negative persons for each; a list makes a
    training for each number; `folds`: parts of the testing video, two or more; 0 for one test set
    of all; `swapped`: whether the videos also change roles; `regions`: regions of a person and
    video at most; `at_most`: whether to make do with as many targets and others as there are
    persons, two at least, rather than refuse. Yields: a fold for each target in the order drawn,
    then number of others, then role, with the classes `CLASSES`; it is told about as ``target``,
    ``others`` and ``trained on``.
    """
    if folds == 1 or folds < 0:
        raise ConfigError(f"folds must be 0 (no validation) or at least 2, not {folds}")
    if folds > regions:
        raise ConfigError(f"{regions} regions of a person cannot be dealt out to {folds} folds")
    numbers = [others] if isinstance(others, int) else list(others)
    videos = _two_videos(column(groups, "video"))
    both = _with_regions(y, videos, max(folds, 1))
    wanted = 2 if at_most else max(targets, max(numbers) + 1)
    if len(both) < wanted:
        raise DataError(
            f"{len(both)} persons have {max(folds, 1)} face regions or more in both videos, the "
            f"protocol wants {wanted}; give a folder with more of them"
        )
    names = list(videos)
    fold = 0
    for target in spawn("targets").permutation(both)[:targets]:
        everybody = spawn("others", target).permutation(both[both != target])
        for number in numbers:
            chosen = np.concatenate([[target], everybody[:number]])
            for role in (0, 1) if swapped else (0,):
                train = _first_rows(y, videos[names[role]], chosen, regions)
                tested = _first_rows(y, videos[names[1 - role]], chosen, regions)
                part = _dealt(y[tested], folds, spawn("folds", target, role))
                about = {
                    "target": int(target),
                    "others": len(chosen) - 1,
                    "trained on": names[role],
                }
                for held in range(max(folds, 1)):
                    yield Split(
                        fold,
                        train,
                        tested[part == held],
                        f"part {held}" if folds else None,
                        (y == target).astype(np.int64),
                        CLASSES,
                        about,
                    )
                fold += 1


def _two_videos(video: np.ndarray) -> dict[str, np.ndarray]:
    """Return the rows of each video, in the order of the objects."""
    found = {str(name): np.flatnonzero(video == name) for name in dict.fromkeys(video.tolist())}
    if len(found) != 2:
        raise DataError(f"trajectories are split over two videos; there is {', '.join(found)}")
    return found


def _with_regions(y: np.ndarray, videos: dict[str, np.ndarray], least: int) -> np.ndarray:
    """Return who has so many regions in both videos, ascending."""
    counted = [np.unique(y[rows], return_counts=True) for rows in videos.values()]
    first, second = (who[number >= least] for who, number in counted)
    return np.intersect1d(first, second)


def _first_rows(y: np.ndarray, rows: np.ndarray, chosen: np.ndarray, regions: int) -> np.ndarray:
    """Return the rows of the first regions of the chosen persons in a video, ascending."""
    return np.sort(np.concatenate([rows[y[rows] == one][:regions] for one in chosen]))


def _dealt(person: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the part of each region, dealt out at random within each person; 0 without parts."""
    part = np.zeros(len(person), dtype=int)
    for one in np.unique(person) if folds else ():
        mine = rng.permutation(np.flatnonzero(person == one))
        part[mine] = np.arange(len(mine)) % folds
    return part

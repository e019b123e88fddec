"""Mixture-of-Gaussians classifiers: hard EM as in the toolbox of 2004, and ordinary EM."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.mixture import GaussianMixture
from sklearn.utils import check_random_state

from opchar.models.classifiers.gaussian import is_full_rank, log_gaussian, unbiased_covariance
from opchar.models.classifiers.one_class import fit_mixture
from opchar.models.posterior import PosteriorClassifier, from_log_densities
from opchar.ties import first_largest, first_least, without_last_bits

# Farthest companions measured before those of all members are.
MEASURED = 20


def k_centres(
    distances: np.ndarray, number: int, trials: int, random: np.random.RandomState
) -> np.ndarray:
    """Choose objects as centres so that the farthest object is near one.

    Each trial starts from random objects and gives every object to its nearest centre. It moves
    each centre to the object of its group whose farthest companion is nearest, until nothing moves.
    The best of the trials counts. (PRTools' ``kcentres``.)

    Shapes: `distances` (n, n); returned (number,).
    """
    distances = without_last_bits(distances)
    best, smallest = np.arange(number), np.inf
    middles: dict[bytes, int] = {}
    for _ in range(trials):
        centres = random.permutation(len(distances))[:number]
        radius = np.inf
        while (now := (rows := distances[centres]).min(axis=0).max()) < radius:
            radius, kept = now, centres
            nearest = rows.argmin(axis=0)
            centres = np.array(
                [
                    _middle(distances, nearest == group, centres[group], middles)
                    for group in range(number)
                ]
            )
        if radius < smallest:
            best, smallest = kept, radius
    return best


def _middle(
    distances: np.ndarray, members: np.ndarray, centre: int, middles: dict[bytes, int]
) -> int:
    """Return the member whose farthest companion is nearest; the centre if there is no member.

    The `middles` of groups are kept, because most trials end in the same ones.
    """
    key = members.tobytes()
    if key not in middles:
        objects = np.flatnonzero(members)
        if not len(objects):
            return centre
        middles[key] = _nearest_farthest(distances, members, objects)
    return middles[key]


def _nearest_farthest(distances: np.ndarray, members: np.ndarray, objects: np.ndarray) -> int:
    """Return the first of some objects whose farthest companion is nearest.

    An object far from one object is far from its neighbours. So a few rows bound all farthest
    distances from below. If the lowest bound is exact its object is taken, else all are measured.
    """
    least = np.where(members, 0.0, np.inf)
    exact = set()
    for _ in range(MEASURED):
        candidate = int(least.argmin())
        if candidate in exact:
            return candidate
        exact.add(candidate)
        farthest = objects[distances[candidate].take(objects).argmax()]
        np.maximum(least, distances[farthest], out=least)
    return int(objects[distances.take(objects, axis=0).max(axis=0)[objects].argmin()])


class MixtureBayes(PosteriorClassifier):
    """mogc: a mixture of Gaussians for each class.

    Hard EM (classification EM): centres by `k_centres`, objects to the nearest centre, then a
    quadratic Bayes classifier of the components is refitted to its own labels until they repeat.
    There is no regularisation. Ordinary EM (`soft`) starts from k-means, or from random objects
    with the covariance of their class. In hard EM a component left with too few objects for a
    covariance of full rank (fewer than d + 1) is given up and its objects go to the others; if none
    of a class is left, it gets one Gaussian, and if that is singular, that is an error. Class
    priors are class frequencies.
    (Landgrebe, 2007, Sec. 2.2.6; PRTools' ``mogc`` and ``emclust``.)

    Shapes: `log_priors_` (C,).
    """

    def __init__(
        self,
        components: int | tuple[int, ...] = 2,
        soft: bool = False,
        rounds: int = 50,
        trials: int = 50,
        start_objects: int = 500,
        random_state: Any = None,
        start: str = "kmeans",
    ) -> None:
        self.components = components
        self.soft = soft
        self.start = start
        self.rounds = rounds
        self.trials = trials
        self.start_objects = start_objects
        self.random_state = random_state

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        number = len(self.classes_)
        components = np.atleast_1d(self.components)
        if len(components) not in (1, number) or (components < 1).any():
            raise ValueError(
                f"components={self.components}: give one positive number, or one for each of the "
                f"{number} classes"
            )
        random = check_random_state(self.random_state)
        fit = self._soft_mixture if self.soft else self._hard_mixture
        counts = np.bincount(labels, minlength=number)
        self.log_priors_ = np.log(counts / counts.sum())
        self.mixtures_ = [
            fit(X[labels == group], int(size), random)
            for group, size in enumerate(np.broadcast_to(components, number))
        ]

    def _hard_mixture(
        self, X: np.ndarray, size: int, random: np.random.RandomState
    ) -> list[tuple[float, np.ndarray, np.ndarray]]:
        size = min(size, len(X))
        some = X
        if len(X) > self.start_objects:
            some = X[random.permutation(len(X))[: max(self.start_objects, size)]]
        centres = some[k_centres(cdist(some, some), size, self.trials, random)]
        labels = first_least(cdist(X, centres), axis=1)
        mixture = _components(X, labels)
        for _ in range(self.rounds):
            refitted = first_largest(_log_joint(X, mixture), axis=1)
            if np.array_equal(refitted, labels):
                break
            labels = refitted
            mixture = _components(X, labels)
        return mixture

    def _soft_mixture(
        self, X: np.ndarray, size: int, random: np.random.RandomState
    ) -> list[tuple[float, np.ndarray, np.ndarray]]:
        size = min(size, len(X))
        mixture = GaussianMixture(size, reg_covar=0.0, random_state=random, max_iter=500)
        try:
            covariance = unbiased_covariance(X)
            if self.start == "random":
                mixture.set_params(
                    weights_init=np.full(size, 1 / size),
                    means_init=X[random.permutation(len(X))[:size]],
                    precisions_init=np.tile(np.linalg.inv(covariance), (size, 1, 1)),
                )
            fit_mixture(mixture, X)
        except ValueError as error:
            raise ValueError(
                f"softmogc: a covariance in a class of {len(X)} samples in {X.shape[1]} dimensions "
                "is singular; reduce the dimensions first (as with pca) or take fewer components"
            ) from error
        return list(zip(mixture.weights_, mixture.means_, mixture.covariances_, strict=True))

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        return from_log_densities(self._log_densities(X) + self.log_priors_)

    def log_densities(self, X: Any) -> np.ndarray:
        """Return the log class-conditional densities of `X`, shape (n, C)."""
        return self._log_densities(self._check_input(X))

    def _log_densities(self, X: np.ndarray) -> np.ndarray:
        return np.column_stack(
            [logsumexp(_log_joint(X, mixture), axis=1) for mixture in self.mixtures_]
        )


def _components(X: np.ndarray, labels: np.ndarray) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """Return weight, mean and unbiased covariance of each group that has one of full rank.

    If no group has, all objects together are the only one.
    """
    groups = [X[labels == label] for label in np.unique(labels)]
    groups = [group for group in groups if len(group) > X.shape[1]]
    fitted = [(group, unbiased_covariance(group, full_rank=False)) for group in groups]
    fitted = [(group, covariance) for group, covariance in fitted if is_full_rank(covariance)]
    if not fitted:
        fitted = [(X, unbiased_covariance(X))]
    total = sum(len(group) for group, _ in fitted)
    return [(len(group) / total, group.mean(axis=0), covariance) for group, covariance in fitted]


def _log_joint(X: np.ndarray, mixture: list[tuple[float, np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return the log of weight times density of each component, shape (n, K)."""
    return np.column_stack(
        [np.log(weight) + log_gaussian(X, mean, covariance) for weight, mean, covariance in mixture]
    )


def mogc(*components: int) -> MixtureBayes:
    """Return the mixture-of-Gaussians classifier by hard EM, ``"mogc2,1,2"``.

    `components`: of each class; two for all when not given.
    """
    return MixtureBayes(_per_class(components))


def softmogc(*components: int | str) -> MixtureBayes:
    """Return the mixture-of-Gaussians classifier by ordinary EM, ``"softmogc2,1,2"``.

    `components`: as of `mogc`; with ``"random"`` last, EM starts from random objects in place of
    k-means.
    """
    numbers = tuple(number for number in components if isinstance(number, int))
    start = "random" if "random" in components else "kmeans"
    return MixtureBayes(_per_class(numbers), soft=True, start=start)


def _per_class(components: tuple[int, ...]) -> int | tuple[int, ...]:
    if not components:
        return 2
    return components[0] if len(components) == 1 else components

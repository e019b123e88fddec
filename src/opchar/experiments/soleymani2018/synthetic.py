"""Sec. 4 and Figure 5: naive Bayes, 5-NN and an RBF-SVM on positives amid uniform negatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from opchar.datasets.generators import surrounded
from opchar.experiments.soleymani2020.evidence import listed
from opchar.results import Results
from opchar.seeds import Spawn
from opchar.spaces.brier import rates_at
from opchar.spaces.cost import crossing_pc, expected_cost, lower_envelope, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import auprec, precision
from opchar.spaces.roc import auc

NAMES = ["C_1", "C_2", "C_3"]
DATA = "synthetic (Gaussian positives amid uniform negatives)"
UNSTATED = "stand-in for the authors' synthetic set (support of its negatives is not stated)"


@dataclass(frozen=True)
class Round:
    """One drawn set, split in halves: test scores and operating points of each classifier."""

    is_positive: np.ndarray
    scores: list[np.ndarray]

    def points(self, which: np.ndarray | slice = slice(None)) -> list[OperatingPoints]:
        """Return the operating points of all classifiers on the chosen test objects."""
        return [operating_points(self.is_positive[which], each[which]) for each in self.scores]

    def crisp(self, which: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return (TPR, FPR) of all classifiers at threshold 0.5, shape (classifiers, 2)."""
        return np.array([rates_at(points, 0.5) for points in self.points(which)])


def three_classifiers(
    *,
    per_class: int,
    cloud: dict[str, Any],
    neighbours: int,
    svm: dict[str, Any],
    other_clouds: dict[str, dict[str, Any]],
    shares: list[float],
    test_size: int,
    alphas: list[float],
    ms: list[float],
    alpha: float,
    m: float,
    priors: list[float],
    prior_range: list[float],
    grid: int,
    small: float,
    repeats: int,
    other_repeats: int,
    spawn: Spawn,
) -> Results:
    """Compare three classifiers in all spaces (Figure 5).

    Parameters
    ----------
    per_class : int
        Objects drawn a class; half of each train.
    cloud : dict
        Options of `opchar.datasets.generators.surrounded`: mean, std, delta, low, high.
    neighbours : int
        Of the nearest-neighbour classifier.
    svm : dict
        Options of the RBF-SVM: C, gamma.
    other_clouds : dict of str to dict
        Other readings of what the text leaves open, by name, as changes to `cloud`.
    shares : list of float
        lambda: size of the smaller test class as a share of the larger.
    test_size : int
        Objects of the larger class in a test subset.
    alphas, ms : list of float
        Weights of the crisp curves.
    alpha, m : float
        Weights of the soft classifiers' envelopes.
    priors : list of float
        P(+) of the ROC and precision-recall curves.
    prior_range : [low, high]
        Priors over which the classifiers are compared.
    grid : int
        Number of priors from 0 to 1.
    small : float
        Differences up to this count as very small, or nearly equal.
    repeats : int
        Number of sets drawn.
    other_repeats : int
        Number of sets drawn for each other reading.
    spawn : Spawn
        Random streams.

    Returns
    -------
    Results
        Curves ``crisp-f``, ``crisp-cost``, ``crisp-tested``, ``roc``, ``pr``, ``cost``, ``f``.

    References
    ----------
    soleymani2018, Sec. 4 and Fig. 5.
    """
    results = Results()
    sets = [
        draw_round(per_class, cloud, neighbours, svm, spawn("set", number))
        for number in range(repeats)
    ]
    rounds = [tested for tested, _ in sets]
    prior = np.linspace(0, 1, grid)
    inside = (prior >= prior_range[0]) & (prior <= prior_range[1])
    rates = np.array([each.crisp() for each in rounds])
    _crisp(results, rates.mean(axis=0), alphas, ms, prior, prior_range)
    _tested_subsets(results, rounds, shares, test_size, alphas[1], spawn)
    _roc_and_precision(results, rounds, priors, test_size, spawn)
    costs, fs = _envelopes(rounds, prior, alpha, m)
    for number, name in enumerate(NAMES):
        results.curve("cost", {"series": name, "prior": prior, "value": costs[:, number].mean(0)})
        results.curve("f", {"series": name, "prior": prior, "value": fs[:, number].mean(0)})
    _soft_claims(results, costs[:, :, inside], fs[:, :, inside], prior[inside], small)
    own = [trained for _, trained in sets[:other_repeats]]
    _sensitivity(results, "tested on the objects that trained", own, prior[inside], alpha, m)
    for name, change in other_clouds.items():
        others = [
            draw_round(per_class, cloud | change, neighbours, svm, spawn(name, number))[0]
            for number in range(other_repeats)
        ]
        _sensitivity(results, name, others, prior[inside], alpha, m)
    return results


def draw_round(
    per_class: int,
    cloud: dict[str, Any],
    neighbours: int,
    svm: dict[str, Any],
    rng: np.random.Generator,
) -> tuple[Round, Round]:
    """Draw a set, train on a balanced half, and score the other half and the training half."""
    X, y = surrounded(2 * per_class, rng, **cloud)
    train = np.zeros(len(y), dtype=bool)
    for label in (0, 1):
        members = rng.permutation(np.flatnonzero(y == label))
        train[members[: per_class // 2]] = True
    models = [GaussianNB(), KNeighborsClassifier(neighbours), SVC(kernel="rbf", **svm)]
    for model in models:
        model.fit(X[train], y[train])
    return _scored(models, X[~train], y[~train]), _scored(models, X[train], y[train])


def _scored(models: list[Any], X: np.ndarray, y: np.ndarray) -> Round:
    *posteriors, machine = models
    scores = [model.predict_proba(X)[:, 1] for model in posteriors]
    return Round(y == 1, [*scores, 1 / (1 + np.exp(-machine.decision_function(X)))])


def subset(
    is_positive: np.ndarray, n_positive: int, n_negative: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the indices of a random test subset of given class sizes."""
    positive = rng.choice(np.flatnonzero(is_positive), n_positive, replace=False)
    negative = rng.choice(np.flatnonzero(~is_positive), n_negative, replace=False)
    return np.concatenate([positive, negative])


def _crisp(
    results: Results,
    rates: np.ndarray,
    alphas: list[float],
    ms: list[float],
    prior: np.ndarray,
    prior_range: list[float],
) -> None:
    """Add the crisp curves, and judge: some cross, depending on alpha and m."""
    for name, (tpr, fpr) in zip(NAMES, rates, strict=True):
        for alpha in alphas:
            who = {"series": name, "weight": alpha, "prior": prior}
            results.curve("crisp-f", who | {"value": f_measure(tpr, fpr, prior, alpha)})
        for m in ms:
            cost = expected_cost(tpr, fpr, probability_cost(prior, m))
            who = {"series": name, "weight": m, "prior": prior}
            results.curve("crisp-cost", who | {"value": cost})
    low, high = prior_range
    found: dict[str, list[str]] = {"F": [], "EC": []}
    total = 0
    for one in range(len(NAMES)):
        for two in range(one + 1, len(NAMES)):
            (tpr_i, fpr_i), (tpr_j, fpr_j) = rates[one], rates[two]
            pc = float(crossing_pc(tpr_i, fpr_i, tpr_j, fpr_j))
            in_cost = [pc * m / (pc * m + (1 - pc) * (1 - m)) for m in ms]
            in_f = crossing_prior(tpr_i, fpr_i, tpr_j, fpr_j, alphas).tolist()
            for space, weights, places in (("F", alphas, in_f), ("EC", ms, in_cost)):
                found[space] += [
                    f"{NAMES[one]}, {NAMES[two]} at {at:.2f} ({weight:g})"
                    for weight, at in zip(weights, places, strict=True)
                    if low < at < high
                ]
                total += len(weights)
    crossings = len(found["F"]) + len(found["EC"])
    shown = "; ".join(f"{space}: {', '.join(where) or 'none'}" for space, where in found.items())
    at = ", ".join(f"({tpr:.3f}, {fpr:.3f})" for tpr, fpr in rates)
    results.claim(
        "figure-5ab",
        "crisp, threshold 0.5",
        0 < crossings < total,
        f"mean (TPR, FPR) {at}; crossings at P(+) in ({low:g}, {high:g}), weight in brackets: "
        f"{shown}",
        data=DATA,
    )


def _tested_subsets(
    results: Results,
    rounds: list[Round],
    shares: list[float],
    test_size: int,
    alpha: float,
    spawn: Spawn,
) -> None:
    """Add F and cost of the crisp classifiers from the counts of test subsets, mean of rounds."""
    sizes = [(round(share * test_size), test_size) for share in shares]
    sizes += [(test_size, test_size)] + [(large, small) for small, large in reversed(sizes)]
    for n_positive, n_negative in sizes:
        prior = n_positive / (n_positive + n_negative)
        rates = np.array(
            [
                each.crisp(
                    subset(
                        each.is_positive,
                        n_positive,
                        n_negative,
                        spawn("subset", n_positive, n_negative, number),
                    )
                )
                for number, each in enumerate(rounds)
            ]
        )
        f = f_measure(rates[..., 0], rates[..., 1], prior, alpha).mean(axis=0)
        cost = expected_cost(rates[..., 0], rates[..., 1], prior).mean(axis=0)
        results.curve("crisp-tested", {"series": NAMES, "prior": prior, "f": f, "cost": cost})


def _roc_and_precision(
    results: Results, rounds: list[Round], priors: list[float], test_size: int, spawn: Spawn
) -> None:
    """Add ROC and PR curves of the first round; judge how they answer to the prior of the test."""
    areas = np.empty((len(rounds), len(priors), len(NAMES), 2))
    for number, each in enumerate(rounds):
        for place, prior in enumerate(priors):
            skew = min(prior, 1 - prior) / max(prior, 1 - prior)
            small, large = round(skew * test_size), test_size
            counts = (small, large) if prior <= 0.5 else (large, small)
            chosen = subset(each.is_positive, *counts, spawn("area", prior, number))
            for column, points in enumerate(each.points(chosen)):
                areas[number, place, column] = auc(points), auprec(points, prior)
    for name, points in zip(NAMES, rounds[0].points(), strict=True):
        results.curve("roc", {"series": name, "fpr": points.fpr, "tpr": points.tpr})
        for prior in priors:
            height = precision(points.tpr, points.fpr, prior)
            who = {"series": name, "prior": prior}
            results.curve("pr", who | {"recall": points.tpr, "precision": height})
    means, spread = areas.mean(axis=0), areas.std(axis=0, ddof=1) / np.sqrt(len(rounds))
    moves, noise = np.ptp(means, axis=0), 4 * np.sqrt(2) * spread.max(axis=0)
    text = listed(priors)
    auc_moves, auc_noise, pr_moves, pr_noise = (
        listed(each[:, column], ".4f") for column in (0, 1) for each in (moves, noise)
    )
    results.claim(
        "figure-5c",
        "ROC",
        bool((moves[:, 0] <= noise[:, 0]).all()),
        f"mean AUC of {len(rounds)} rounds on test sets of P(+) = {text} moves by "
        f"{auc_moves} (four standard errors of a difference: {auc_noise})",
        data=DATA,
    )
    results.claim(
        "figure-5d",
        "PR",
        bool((np.abs(np.diff(means[..., 1], axis=0)) > noise[:, 1]).all()),
        f"mean AUPREC moves by {pr_moves} between P(+) = {text} (four standard errors "
        f"of a difference: {pr_noise})",
        data=DATA,
    )


def _envelopes(
    rounds: list[Round], prior: np.ndarray, alpha: float, m: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return least costs and best F over the prior, shape (rounds, classifiers, priors)."""
    pc = probability_cost(prior, m)
    points = [each.points() for each in rounds]
    costs = [[lower_envelope(one)(pc) for one in each] for each in points]
    fs = [[upper_envelope(one, alpha)(prior) for one in each] for each in points]
    return np.array(costs), np.array(fs)


def _soft_claims(
    results: Results, costs: np.ndarray, fs: np.ndarray, prior: np.ndarray, small: float
) -> None:
    mean_cost, mean_f = costs.mean(axis=0), fs.mean(axis=0)
    apart = [float(np.abs(each[0] - each[2]).max()) for each in (mean_cost, mean_f)]
    results.claim(
        "figure-5ef",
        "C_1 and C_3",
        max(apart) <= small,
        f"mean envelopes of {len(costs)} rounds are up to {apart[0]:.3f} apart in EC and "
        f"{apart[1]:.3f} in F over P(+) {prior[0]:g} to {prior[-1]:g} (nearly equal: {small})",
        data=UNSTATED,
    )
    saved, gained = _advantage(costs, fs)
    least = float(saved.mean(axis=0).min()), float(gained.mean(axis=0).min())
    results.claim(
        "figure-5ef",
        "C_2",
        min(least) > 0,
        f"mean advantage of C_2 over the better of the others: EC {least[0]:.4f} to "
        f"{saved.mean(axis=0).max():.4f}, F {least[1]:.4f} to {gained.mean(axis=0).max():.4f}",
        data=UNSTATED,
    )
    where = prior[saved.argmin(axis=1)]
    span = f"{prior[0]:g} to {prior[-1]:g}"
    row, column = "C_2 advantage in EC very small around P(+)", "position"
    _random_number(results, "figure-5e", row, column, where, f"where it is least, {span}")
    starts = np.array([_small_from(each, prior, small) for each in gained])
    row, column = "C_2 advantage in F very small above P(+)", "threshold"
    _random_number(results, "figure-5f", row, column, starts, f"above it F gains at most {small}")


def _advantage(costs: np.ndarray, fs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much C_2 is cheaper, and higher in F, than the better of the others."""
    saved = np.minimum(costs[:, 0], costs[:, 2]) - costs[:, 1]
    return saved, fs[:, 1] - np.maximum(fs[:, 0], fs[:, 2])


def _sensitivity(
    results: Results, name: str, rounds: list[Round], prior: np.ndarray, alpha: float, m: float
) -> None:
    """Add what another reading of the protocol makes of the two comparisons."""
    costs, fs = _envelopes(rounds, prior, alpha, m)
    for unit, values, gains in zip(("EC", "F"), (costs, fs), _advantage(costs, fs), strict=True):
        apart = np.abs(values[:, 0] - values[:, 2]).max(axis=1)
        for column, each in (
            (f"C_1 and C_3 apart, {unit}", apart),
            (f"least advantage of C_2, {unit}", gains.min(axis=1)),
        ):
            spread = float(each.std(ddof=1))
            mean, n = float(each.mean()), len(each)
            results.number(
                "figure-5ef", name, column, mean, std=spread, n=n, unit=unit, data=UNSTATED
            )


def _small_from(gained: np.ndarray, prior: np.ndarray, small: float) -> float:
    """Return the prior above which a gain stays small; the last one when it does nowhere."""
    large = np.flatnonzero(gained > small)
    return float(prior[min(large[-1] + 1, len(prior) - 1)] if len(large) else prior[0])


def _random_number(
    results: Results, artefact: str, row: str, column: str, values: np.ndarray, note: str
) -> None:
    spread = float(values.std(ddof=1))
    mean, n = float(values.mean()), len(values)
    results.number(
        artefact, row, column, mean, std=spread, n=n, unit="P(+)", data=UNSTATED, note=note
    )

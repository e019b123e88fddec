"""Sec. 4 and Figure 5: naive Bayes, 5-NN and an RBF-SVM on positives amid uniform negatives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.spaces.brier import rates_at
from opchar.spaces.cost import expected_cost, lower_envelope, probability_cost
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import auprec, precision
from opchar.spaces.roc import auc
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

NAMES = ["C_1", "C_2", "C_3"]
Tables = dict[tuple[str, str], ScoreTable]
SHARES = [
    0.1,
    0.15,
    0.2,
    0.25,
    0.3,
    0.35,
    0.4,
    0.45,
    0.5,
    0.55,
    0.6,
    0.65,
    0.7,
    0.75,
    0.8,
    0.85,
    0.9,
]
SUBSETS = {"size": 500, "shares": SHARES, "priors": [0.1, 0.5, 0.9], "draws": 20}


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


@study(
    "synthetic",
    basis="illustration",
    scores=[
        """surrounded | drawn-20-own | bayes; sklearn.neighbors:KNeighborsClassifier;
        sklearn.svm:SVC""",
        """surrounded-unit; surrounded-3 | drawn-20 | bayes; sklearn.neighbors:KNeighborsClassifier;
        sklearn.svm:SVC""",
        """surrounded-variance | drawn-5 | bayes; sklearn.neighbors:KNeighborsClassifier;
        sklearn.svm:SVC""",
    ],
    profiles={
        "tiny": {
            "own": 2,
            "subsets": {"size": 100, "shares": [0.1, 0.5], "priors": [0.1, 0.5, 0.9], "draws": 2},
        },
        "paper": {"own": 20},
    },
    variants={"profiles": ["paper"], "frames": ["crisp-rates", "areas", "envelopes"]},
    units="set",
)
def three_classifiers(
    *,
    scores: Tables,
    shown: str = "surrounded",
    other_sets: Mapping[str, str] = {
        "surrounded-unit": "negatives on the unit square",
        "surrounded-3": "negatives on a square of side 3",
        "surrounded-variance": "0.33 as variance",
    },
    own: int = 5,
    weights: Mapping[str, Any] = {
        "alphas": [0.1, 0.5, 0.9],
        "ms": [0.1, 0.5, 0.9],
        "alpha": 0.5,
        "m": 0.5,
    },
    subsets: Mapping[str, Any] = SUBSETS,
    compared: Mapping[str, Any] = {"grid": 201, "low": 0.1, "high": 0.9, "small": 0.02},
    spawn: Spawn,
) -> Results:
    """Compare three classifiers in all spaces (Figure 5).

    other_sets: Further data sets that are compared with it, with the name of each.
    own: Number of sets of which the training objects are judged, too, where they have scores.
    weights: Of precision (``alphas``) and of cost (``ms``) of the crisp curves, and one of each for
        the envelopes of the soft classifiers.
    subsets: Test subsets with other class sizes: ``size`` of the larger class, ``shares`` of the
        smaller one, ``priors`` of the areas and how often they are drawn.
    compared: The ``grid`` of priors; from ``low`` to ``high`` the soft classifiers are compared,
        whose gains up to ``small`` are small.
    """
    results = Results()
    priors = np.linspace(0, 1, compared["grid"])
    inside = (priors >= compared["low"]) & (priors <= compared["high"])
    tables = [table for (data, _), table in scores.items() if data == shown]
    parts = {name for table in tables for name, _ in table.test_sets()}
    rounds = rounds_of(scores, shown, "test" if "test" in parts else None)
    _crisp(results, rounds, weights, priors)
    _tested_subsets(results, rounds, subsets, weights["alphas"][1], spawn)
    _roc_and_precision(results, rounds, subsets, spawn)
    costs, fs = _envelopes(rounds, priors, weights)
    for number, name in enumerate(NAMES):
        for curve, values in (("cost", costs), ("f", fs)):
            columns = {"prior": priors, "value": values[:, number].mean(0)}
            results.add_frame(curve, {"series": name} | columns)
    _advantages(results, costs[:, :, inside], fs[:, :, inside], priors[inside], compared["small"])
    if "train" in parts:
        trained = rounds_of(scores, shown, "train")[:own]
        name = "tested on the objects that trained"
        _sensitivity(results, name, trained, priors[inside], weights)
    for data, name in other_sets.items():
        _sensitivity(results, name, rounds_of(scores, data, None), priors[inside], weights)
    return results


def rounds_of(scores: Tables, data: str, test_set: str | None) -> list[Round]:
    """Return the test scores of the classifiers on each draw of a data set."""
    tables = [
        dict(table.test_sets())[test_set] for (name, _), table in scores.items() if name == data
    ]
    rounds = []
    for parts in zip(*(each.folds() for each in tables), strict=True):
        scored = [part.binary("positive") for _, part in parts]
        rounds.append(Round(scored[0][0], [score for _, score in scored]))
    return rounds


def subset(
    is_positive: np.ndarray, n_positive: int, n_negative: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the indices of a random test subset of given class sizes."""
    positive = rng.choice(np.flatnonzero(is_positive), n_positive, replace=False)
    negative = rng.choice(np.flatnonzero(~is_positive), n_negative, replace=False)
    return np.concatenate([positive, negative])


def _crisp(
    results: Results, rounds: list[Round], weights: Mapping[str, Any], prior: np.ndarray
) -> None:
    """Add the rates of the crisp classifiers, and the curves of the mean rates."""
    rates = np.array([each.crisp() for each in rounds])
    for number, each in enumerate(rates):
        columns = {"series": NAMES, "tpr": each[:, 0], "fpr": each[:, 1]}
        results.add_frame("crisp-rates", {"set": number} | columns)
    for name, (tpr, fpr) in zip(NAMES, rates.mean(axis=0), strict=True):
        for alpha in weights["alphas"]:
            who = {"series": name, "weight": alpha, "prior": prior}
            results.add_frame("crisp-f", who | {"value": f_measure(tpr, fpr, prior, alpha)})
        for m in weights["ms"]:
            cost = expected_cost(tpr, fpr, probability_cost(prior, m))
            who = {"series": name, "weight": m, "prior": prior}
            results.add_frame("crisp-cost", who | {"value": cost})


def _tested_subsets(
    results: Results, rounds: list[Round], subsets: Mapping[str, Any], alpha: float, spawn: Spawn
) -> None:
    """Add F and cost of the crisp classifiers from the counts of test subsets, mean of rounds."""
    size = subsets["size"]
    sizes = [(round(share * size), size) for share in subsets["shares"]]
    sizes += [(size, size)] + [(large, small) for small, large in reversed(sizes)]
    for pair in sizes:
        prior = pair[0] / sum(pair)
        drawn = [
            subset(each.is_positive, *pair, spawn("subset", *pair, number))
            for number, each in enumerate(rounds)
        ]
        rates = np.array([each.crisp(rows) for each, rows in zip(rounds, drawn, strict=True)])
        f = f_measure(rates[..., 0], rates[..., 1], prior, alpha).mean(axis=0)
        cost = expected_cost(rates[..., 0], rates[..., 1], prior).mean(axis=0)
        results.add_frame("crisp-tested", {"series": NAMES, "prior": prior, "f": f, "cost": cost})


def _roc_and_precision(
    results: Results, rounds: list[Round], subsets: Mapping[str, Any], spawn: Spawn
) -> None:
    """Add ROC and PR curves of the first round, and mean areas on test subsets of each prior."""
    for number, each in enumerate(rounds):
        for prior in subsets["priors"]:
            skew = min(prior, 1 - prior) / max(prior, 1 - prior)
            small, large = round(skew * subsets["size"]), subsets["size"]
            counts = (small, large) if prior <= 0.5 else (large, small)
            drawn = [
                each.points(subset(each.is_positive, *counts, spawn("area", prior, number, draw)))
                for draw in range(subsets["draws"])
            ]
            who = {"set": number, "at": prior, "series": NAMES}
            areas = {
                "auc": np.mean([[auc(one) for one in points] for points in drawn], axis=0),
                "auprec": np.mean(
                    [[auprec(one, prior) for one in points] for points in drawn], axis=0
                ),
            }
            results.add_frame("areas", who | areas)
    for name, one in zip(NAMES, rounds[0].points(), strict=True):
        results.add_frame("roc", {"series": name, "fpr": one.fpr, "tpr": one.tpr})
        for prior in subsets["priors"]:
            height = precision(one.tpr, one.fpr, prior)
            who = {"series": name, "prior": prior}
            results.add_frame("pr", who | {"recall": one.tpr, "precision": height})


def _envelopes(
    rounds: list[Round], prior: np.ndarray, weights: Mapping[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return least costs and best F over the prior, shape (rounds, classifiers, priors)."""
    pc = probability_cost(prior, weights["m"])
    points = [each.points() for each in rounds]
    costs = [[lower_envelope(one)(pc) for one in each] for each in points]
    fs = [[upper_envelope(one, weights["alpha"])(prior) for one in each] for each in points]
    return np.array(costs), np.array(fs)


def _advantages(
    results: Results, costs: np.ndarray, fs: np.ndarray, prior: np.ndarray, small: float
) -> None:
    """Add the envelopes of each set, and where the advantage of C_2 is small."""
    for number, (cost, f) in enumerate(zip(costs, fs, strict=True)):
        columns = {f"cost {name}": each for name, each in zip(NAMES, cost, strict=True)}
        columns |= {f"F {name}": each for name, each in zip(NAMES, f, strict=True)}
        results.add_frame("envelopes", {"set": number, "at": prior} | columns)
    saved, gained = _advantage(costs, fs)
    where = prior[saved.argmin(axis=1)]
    row = "C_2 advantage in EC very small around P(+)"
    note = f"where it is least, {prior[0]:g} to {prior[-1]:g}"
    results.mean("figure-5e", row, "position", where, unit="P(+)", note=note)
    starts = [_small_from(each, prior, small) for each in gained]
    row, note = "C_2 advantage in F very small above P(+)", f"above it F gains at most {small}"
    results.mean("figure-5f", row, "threshold", starts, unit="P(+)", note=note)


def _advantage(costs: np.ndarray, fs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much C_2 is cheaper, and higher in F, than the better of the others."""
    saved = np.minimum(costs[:, 0], costs[:, 2]) - costs[:, 1]
    return saved, fs[:, 1] - np.maximum(fs[:, 0], fs[:, 2])


def _sensitivity(
    results: Results,
    name: str,
    rounds: list[Round],
    prior: np.ndarray,
    weights: Mapping[str, Any],
) -> None:
    """Add the two comparisons under another protocol variant."""
    costs, fs = _envelopes(rounds, prior, weights)
    for unit, values, gains in zip(("EC", "F"), (costs, fs), _advantage(costs, fs), strict=True):
        apart = np.abs(values[:, 0] - values[:, 2]).max(axis=1)
        for column, each in (
            (f"C_1 and C_3 apart, {unit}", apart),
            (f"least advantage of C_2, {unit}", gains.min(axis=1)),
        ):
            results.mean("figure-5ef", name, column, each, unit=unit)


def _small_from(gained: np.ndarray, prior: np.ndarray, small: float) -> float:
    """Return the prior above which a gain stays small; the last one when it does nowhere."""
    large = np.flatnonzero(gained > small)
    return float(prior[min(large[-1] + 1, len(prior) - 1)] if len(large) else prior[0])

"""Experiment 4.2: Boolean combination of a bagged pool, chosen on few samples (Figure 11)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.pipeline import make_pipeline

from opchar.combination.rules import Rule
from opchar.combination.selection import apply_rules
from opchar.datasets.features import FeatureTable
from opchar.experiments.soleymani2020.adaptive_evidence import (
    BAG,
    IBC,
    REFERENCE_MARK,
    Measured,
    report,
)
from opchar.experiments.soleymani2020.combination import Sample, f_of_rules
from opchar.experiments.soleymani2020.ensembles import chosen_rules, selections, with_mean
from opchar.experiments.soleymani2020.face_videos import faces_of, folds_of, two_videos
from opchar.models.imbalance import bagsvm
from opchar.models.mappings import sc
from opchar.models.training import seeded
from opchar.results import Results
from opchar.seeds import Spawn
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import from_rates

# Ways whose kept rules are also judged by an envelope that the test labels choose.
REFERENCES = {way: f"{way}, {REFERENCE_MARK}" for way in (BAG, IBC)}


@dataclass(frozen=True)
class Choice:
    """What a validation sample chose.

    Parameters
    ----------
    rules : dict of str to list of Rule
        For each way of combining one rule a prior.
    kept : dict of str to tuple of Rule
        All rules on the hull, for the ways in `REFERENCES`.
    """

    rules: dict[str, list[Rule]]
    kept: dict[str, tuple[Rule, ...]]


def adaptive_ensembles(
    *,
    features: dict[str, FeatureTable],
    spawn: Spawn,
    shares: list[float],
    targets: int,
    folds: int,
    members: int,
    alpha: float,
    prior_steps: int,
    shown: list[float],
    bootstrap: int,
) -> Results:
    """Choose combinations of bagged support vectors on few samples, and test them (Figure 11).

    Parameters
    ----------
    features : dict of str to FeatureTable
        Two videos of the same persons; each once trains, while the other validates and tests.
    spawn : Spawn
    shares : list of float
        P(+) of training, validation and test, one a setting: ``1 / share - 1`` non-targets. Those
        of a larger share are among those of a smaller one.
    targets : int
        Persons that are once the positive class.
    folds : int
        Parts of the other video, each once the validation sample.
    members : int
        Size of the pool.
    alpha : float
        Weight of precision.
    prior_steps : int
        Number of P(+), evenly inside (0, 1).
    shown : list of float
        P(+) in the table.
    bootstrap : int
        Drawings of targets, with replacement, for the spread of the thresholds.

    Returns
    -------
    Results
        Curves ``f`` (setting, way, sample, prior, mean, variance).

    Raises
    ------
    DataError
        If too few persons have enough face regions in both videos.

    References
    ----------
    soleymani2020, Sec. 4.2.
    """
    others = [round(1 / share) - 1 for share in shares]
    first, second, persons = two_videos(features, persons=max(others) + 1, regions=folds)
    priors = np.unique(np.append(np.arange(1, prior_steps + 1) / (prior_steps + 1), shown))
    chosen = spawn("targets").permutation(persons)[:targets]
    measured = {share: Measured(priors) for share in shares}
    example: dict[float, list[Rule]] = {}
    for target in chosen:
        strangers = spawn("others", target).permutation(persons[persons != target])
        for share, count in zip(shares, others, strict=True):
            group = np.append(target, strangers[:count])
            for role, (training, other) in enumerate([(first, second), (second, first)]):
                pool = pool_scores(
                    training, other, group, members, spawn("bags", target, share, role)
                )
                fold = folds_of(pool[2], folds, spawn("folds", target, role))
                for number in range(folds):
                    parts = [_part(pool, fold == number), _part(pool, fold != number)]
                    choice = choose(parts[0], priors, alpha)
                    example.setdefault(share, choice.rules[IBC])
                    for name, sample in zip(("validation", "test"), parts, strict=True):
                        found = judge(choice, sample, priors, alpha)
                        measured[share].add(name, int(target), found)
    results = Results()
    report(results, measured, shown, bootstrap, spawn("bootstrap"))
    for share, rules in example.items():
        for prior, rule in zip(priors.tolist(), rules, strict=True):
            if prior in shown:
                row = f"P = {share:g}; {IBC}; P(+) = {prior:g}"
                results.text("text-4.2", row, "rule of the first round", f"{rule:.3g}")
    return results


def pool_scores(
    training: FeatureTable,
    other: FeatureTable,
    group: np.ndarray,
    members: int,
    rng: np.random.Generator,
) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Train a pool on one video and score the other.

    Parameters
    ----------
    training, other : FeatureTable
    group : ndarray of int
        Persons; the first is the target.
    members : int
        Size of the pool.
    rng : numpy.random.Generator
        For the bags.

    Returns
    -------
    scores : dict of str to ndarray
        Decision values of ``svm01``, ``svm02``, ...
    is_positive : ndarray of bool
    person : ndarray of int
    """
    faces, test = faces_of(training, group), faces_of(other, group)
    model = seeded(make_pipeline(sc(), bagsvm(members)), rng).fit(faces.X, faces.is_positive)
    decisions = model[-1].member_decisions(model[:-1].transform(test.X))
    scores = {f"svm{number + 1:02d}": column for number, column in enumerate(decisions.T)}
    return scores, test.is_positive, test.person


def _part(pool: tuple[dict[str, np.ndarray], np.ndarray, np.ndarray], where: np.ndarray) -> Sample:
    scores, is_positive, _ = pool
    return {name: column[where] for name, column in scores.items()}, is_positive[where]


def choose(validation: Sample, priors: np.ndarray, alpha: float) -> Choice:
    """Choose rules for all priors by each way of combining, on the validation sample alone.

    Parameters
    ----------
    validation : (dict of str to ndarray, ndarray of bool)
        Scores of the pool, and labels.
    priors : ndarray of float
    alpha : float
    """
    found = selections(*validation)
    rules = chosen_rules(found, *validation, priors, alpha)
    return Choice(rules, {way: found[way].rules for way in REFERENCES})


def judge(
    choice: Choice, sample: Sample, priors: np.ndarray, alpha: float
) -> dict[str, np.ndarray]:
    """Return F at each prior of what was chosen, on a sample.

    Parameters
    ----------
    choice : Choice
    sample : (dict of str to ndarray, ndarray of bool)
        The validation sample itself or another.
    priors : ndarray of float, shape (n,)
    alpha : float

    Returns
    -------
    dict of str to ndarray, shape (n,)
        For each way, and for each of `REFERENCES` the upper envelope of the kept rules, which takes
        the labels of the sample to choose among them.
    """
    scores, is_positive = sample
    averaged = with_mean(scores), is_positive
    f = {way: f_of_rules(rules, averaged, priors, alpha) for way, rules in choice.rules.items()}
    for way, name in REFERENCES.items():
        kept = from_rates(*apply_rules(choice.kept[way], *averaged))
        f[name] = np.asarray(upper_envelope(kept, alpha)(priors))
    return f

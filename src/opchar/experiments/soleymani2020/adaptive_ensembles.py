"""Experiment 4.2: Boolean combination of a bagged pool, chosen on few samples (Figure 11)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

from opchar.combination.rules import Rule
from opchar.combination.selection import apply_rules
from opchar.datasets.features import FeatureTable
from opchar.errors import ConfigError
from opchar.experiments.soleymani2020.adaptive_evidence import (
    BAG,
    IBC,
    REFERENCE_MARK,
    Measured,
    report,
)
from opchar.experiments.soleymani2020.combination import Sample, f_of_rules
from opchar.experiments.soleymani2020.ensembles import chosen_rules, selections, with_mean
from opchar.experiments.soleymani2020.face_videos import (
    held_out,
    held_out_faces,
    rounds_of,
    training_faces,
)
from opchar.models.imbalance import bagsvm
from opchar.models.mappings import sc
from opchar.models.training import seeded
from opchar.models.trajectories import Round
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
    protocols: dict[str, dict[str, Any]],
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
        Two videos of the same persons.
    spawn : Spawn
    protocols : dict of str to dict
        Entries of ``config/protocols.yaml`` with folds, one a setting, which is called by its P(+)
        of training, validation and test. Non-targets of a larger P(+) are among those of a smaller
        one.
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
    ConfigError
        If a protocol has no folds, or two have the same number of others.
    DataError
        If too few persons have enough face regions in both videos.

    References
    ----------
    soleymani2020, Sec. 4.2.
    """
    settings = by_share(
        {name: rounds_of(features, entry, spawn) for name, entry in protocols.items()}
    )
    priors = np.unique(np.append(np.arange(1, prior_steps + 1) / (prior_steps + 1), shown))
    measured = {share: Measured(priors) for share in settings}
    example: dict[float, list[Rule]] = {}
    for share, made in settings.items():
        for (target, video), folds in groupby(made, lambda one: (one.target, one.video)):
            each = list(folds)
            rng = spawn("bags", target, share, video)
            pool = pool_scores(features, each[0], members, rng)
            for one in each:
                samples = samples_of(pool, one)
                choice = choose(samples["validation"], priors, alpha)
                example.setdefault(share, choice.rules[IBC])
                for name, sample in samples.items():
                    measured[share].add(name, target, judge(choice, sample, priors, alpha))
    results = Results()
    report(results, measured, shown, bootstrap, spawn("bootstrap"))
    for share, rules in example.items():
        for prior, rule in zip(priors.tolist(), rules, strict=True):
            if prior in shown:
                row = f"P = {share:g}; {IBC}; P(+) = {prior:g}"
                results.text("text-4.2", row, "rule of the first round", f"{rule:.3g}")
    return results


def by_share(made: dict[str, list[Round]]) -> dict[float, list[Round]]:
    """Return the rounds of each protocol by their P(+), one person among all.

    Parameters
    ----------
    made : dict of str to list of Round
        For each protocol.

    Raises
    ------
    ConfigError
        If a protocol has no folds to validate on, or shares its P(+) with another.
    """
    settings = {1 / len(each[0].persons): each for each in made.values()}
    if len(settings) < len(made) or any(each[0].fold < 0 for each in made.values()):
        raise ConfigError(
            f"config/protocols.yaml: {', '.join(made)}: an adaptive ensemble wants folds, and its "
            "protocols different numbers of others"
        )
    return settings


def pool_scores(
    features: dict[str, FeatureTable], one: Round, members: int, rng: np.random.Generator
) -> Sample:
    """Train a pool on the video of a round and score what it holds out of the other.

    Parameters
    ----------
    features : dict of str to FeatureTable
        The two videos.
    one : Round
        Any fold of a target and video; the training set and all that is held out are the same.
    members : int
        Size of the pool.
    rng : numpy.random.Generator
        For the bags.

    Returns
    -------
    scores : dict of str to ndarray
        Decision values of ``svm01``, ``svm02``, ...
    is_positive : ndarray of bool
    """
    faces, test = training_faces(features, one), held_out_faces(features, one)
    model = seeded(make_pipeline(sc(), bagsvm(members)), rng).fit(faces.X, faces.is_positive)
    decisions = model[-1].member_decisions(model[:-1].transform(test.X))
    scores = {f"svm{number + 1:02d}": column for number, column in enumerate(decisions.T)}
    return scores, test.is_positive


def samples_of(pool: Sample, one: Round) -> dict[str, Sample]:
    """Divide the scores of what a round holds out into its ``validation`` and ``test`` samples."""
    scores, is_positive = pool
    validates = np.isin(held_out(one), one.validation)
    return {
        name: ({member: column[rows] for member, column in scores.items()}, is_positive[rows])
        for name, rows in (("validation", validates), ("test", ~validates))
    }


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

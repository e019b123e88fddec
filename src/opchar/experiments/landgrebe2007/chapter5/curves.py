"""Errors against rejection, with bootstrap bands, where a class was hidden from training."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from opchar.experiments.landgrebe2007.chapter5.scored import TARGET, UNSEEN, by_test_set, pairs
from opchar.reject.characteristic import RejectCharacteristic
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn


def curves(
    scores: Mapping[tuple[str, str], ScoreTable],
    spawn: Spawn,
    *,
    shares: list[float],
    resamples: int,
    level: float,
) -> Results:
    """Missed targets and accepted objects of the hidden class as more targets are rejected.

    Parameters
    ----------
    scores : mapping
        Score tables by data set and model, of the protocol `opchar.models.unseen.hidden_class`.
    spawn : callable
        Generators by name.
    shares : list of float
        Of the training targets that are rejected, ascending from zero, which rejects none.
    resamples : int
        Bootstrap resamples of repeats, and of the objects within each class.
    level : float
        Of the intervals.

    Returns
    -------
    Results
        Lines of reject-curves; the frame ``curves`` with mean and band a model and share.
    """
    results = Results()
    for (data, model), table in scores.items():
        accepted = [
            _accepted(by_test_set(part), shares) for fold, part in table.folds() if fold % 2
        ]
        rng = spawn(data, model)
        drawn = np.array([_mean(accepted, rng) for _ in range(resamples)])
        mean = _mean(accepted)
        ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        name = f"{data} / {model}"
        for place, share in enumerate(shares):
            for column, which in (("targets missed", 0), ("hidden class accepted", 1)):
                results.number(
                    "reject-curves",
                    f"{name} / {share:g} of the training targets rejected",
                    column,
                    mean[which, place],
                    std=drawn[:, which, place].std(ddof=1),
                    n=len(accepted),
                    unit="fraction",
                    data=table.data,
                )
        for which, kind in enumerate(("targets missed", "hidden class accepted")):
            results.curve(
                "curves",
                {
                    "series": name,
                    "kind": kind,
                    "share": shares,
                    "rate": mean[which],
                    "low": ends[0, which],
                    "high": ends[1, which],
                },
            )
    return results


def _accepted(tests: dict[str, ScoreTable], shares: list[float]) -> list[np.ndarray]:
    """Return whether each target and each hidden object is called target at each share.

    Two arrays of shape (objects, shares).
    """
    train, shown = tests["train"], tests["validation"]
    known = RejectCharacteristic(pairs(train, TARGET), pairs(train, 1), np.empty((0, 2)))
    theta = known.equal_error_theta()
    levels = np.quantile(known.target[:, 1], shares)
    levels[np.asarray(shares) == 0] = -np.inf
    return [
        (pairs(shown, kind)[:, :1] >= theta) & (pairs(shown, kind)[:, 1:] >= levels)
        for kind in (TARGET, UNSEEN)
    ]


def _mean(accepted: list[list[np.ndarray]], rng: np.random.Generator | None = None) -> np.ndarray:
    """Return missed targets and accepted hidden objects, means over repeats, shape (2, shares)."""
    if rng is not None:
        chosen = [accepted[place] for place in rng.integers(len(accepted), size=len(accepted))]
        accepted = [
            [part[rng.integers(len(part), size=len(part))] for part in one] for one in chosen
        ]
    rates = np.array([[part.mean(axis=0) for part in one] for one in accepted]).mean(axis=0)
    rates[0] = 1 - rates[0]
    return rates

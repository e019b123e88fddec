"""Errors against rejection, with bootstrap bands, where a class was hidden from training."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.ranges import Count, Rate
from opchar.reject.characteristic import RejectCharacteristic
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    TARGET,
    UNSEEN,
    by_test_set,
    pairs,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study

KINDS = ("targets missed", "hidden class accepted")


@study(
    "reject-curves",
    kind="reject",
    scores=[
        "phoneme | hidden-cluster-10 | reject qdc; reject mogc 1 2",
        "mfeat-fou-26 | hidden-class-10 | fisher reject ldc; fisher reject qdc",
        "satellite-stubble | hidden-class-10 | fisher reject ldc; pca4 reject ldc",
    ],
    profiles={"tiny": {"resamples": 10}},
)
def measure_curves(
    scores: Mapping[tuple[str, str], ScoreTable],
    spawn: Spawn,
    *,
    shares: list[float] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7],
    resamples: Count = 200,
    level: Rate = 0.95,
) -> Results:
    """Missed targets and accepted objects of the hidden class as more targets are rejected.

    `scores`: score tables by data set and model, of the protocol
    `opchar.reject.unseen.hidden_class`; `shares`: of the training targets that are rejected,
    ascending from zero, which rejects none; `resamples`: bootstrap resamples of repeats, and of the
    objects within each class; `level`: of the intervals. Returns: lines of reject-curves; the frame
    ``curves`` with mean and band a model and share.
    """
    results = Results()
    for (data, model), table in scores.items():
        accepted = [
            _acceptances(by_test_set(part), shares) for fold, part in table.folds() if fold % 2
        ]
        rng = spawn(data, model)
        drawn = np.array([_mean(accepted, rng) for _ in range(resamples)])
        mean = _mean(accepted)
        ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        name = f"{data} / {model}"
        about: dict[str, Any] = {"n": len(accepted), "unit": "fraction", "data": table.data}
        for index, share in enumerate(shares):
            row = f"{name} / {share:g} of the training targets rejected"
            for which, kind in enumerate(KINDS):
                std = drawn[:, which, index].std(ddof=1)
                results.number("reject-curves", row, kind, mean[which, index], std=std, **about)
        for which, kind in enumerate(KINDS):
            band = {"rate": mean[which], "low": ends[0, which], "high": ends[1, which]}
            results.add_frame("curves", {"series": name, "kind": kind, "share": shares} | band)
    return results


def _acceptances(tests: dict[str, ScoreTable], shares: list[float]) -> list[np.ndarray]:
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
        chosen = [accepted[index] for index in rng.integers(len(accepted), size=len(accepted))]
        accepted = [
            [part[rng.integers(len(part), size=len(part))] for part in one] for one in chosen
        ]
    rates = np.array([[part.mean(axis=0) for part in one] for one in accepted]).mean(axis=0)
    rates[0] = 1 - rates[0]
    return rates


@figure("reject-curves")
def curves_with_bands(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw missed targets and accepted hidden objects against the share of rejected targets."""
    frame = curves["curves"]
    sets = list(dict.fromkeys(frame["series"].str.split(" / ").str[0]))
    figure, panels = style.panels(1, len(sets), height=2.8)
    for panel, data in zip(panels, sets, strict=True):
        part = frame[frame["series"].str.startswith(f"{data} / ")]
        groups = part.groupby(["series", "kind"], sort=False)
        for number, ((series, kind), own) in enumerate(groups):
            colour = style.COLOURS[number // 2]
            model = style.model_label(str(series).split(" / ")[1])
            band = "95 % interval, both models" if number == 0 else None
            panel.fill_between(
                own["share"], own["low"], own["high"], color=colour, alpha=0.2, lw=0, label=band
            )
            panel.plot(
                own["share"],
                own["rate"],
                color=colour,
                ls=style.DASHES[number % 2],
                marker=style.MARKERS[number % len(style.MARKERS)],
                ms=3 if number > 1 else 5,
                mfc=colour if number > 1 else "white",
                label=f"{model}: {kind}",
            )
        panel.set(ylim=(-0.02, 1.02), xlabel="training targets rejected")
        panel.set_title(data, loc="left")
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), fontsize=6)
    panels[0].set_ylabel("rate")
    return figure

"""The prior in use as estimated from unlabelled objects, and its effect on all answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import Judged, compact
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import class_text, count_text, share_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.decisions.priors import DOUBT, DRIFT, METHODS, WAYS, PriorEstimate, prior_in
from opchar.spaces.roc import auc

Floats = NDArray[np.float64]
REPEATS = 200


@dataclass(frozen=True)
class PriorInUse:
    """A prior that was estimated."""

    value: float
    low: float
    high: float
    objects: int
    model: str
    draws: Floats
    is_refuted: bool = False

    @property
    def in_words(self) -> str:
        """How it was found, as a part of a sentence."""
        return (
            f"estimated from {count_text(self.objects, 'unlabelled object')}: "
            f"{share_text(self.low)} to {share_text(self.high)}"
        )


def with_prior_in_use(
    judged: Judged, scored: ScoredSample
) -> tuple[Judged, pd.DataFrame, list[Finding]]:
    """Estimate the prior in use, and judge models there first of all."""
    column = scored.classes.index(judged.name)
    models = replace(scored, models=scored.unlabelled).scores_of_class(column)
    best = judged.names[int(np.argmax([auc(points) for points in judged.points]))]
    rows = []
    found: dict[str, PriorEstimate] = {}
    for model, data in zip(judged.names, judged.ranked, strict=True):
        for method in METHODS:
            estimate = prior_in(
                compact(data, data.counts),
                models[model],
                method,
                level=judged.asked.level,
                repeats=REPEATS,
                rng=judged.asked.spawn(judged.name, "prior", model, method),
            )
            used = model == best and method == METHODS[0]
            rows.append((judged.name, model, method, estimate.prior, estimate.low, estimate.high,
                         used))  # fmt: skip
            if model == best:
                found[method] = estimate
    names = ["class", "model", "method", "prior", "low", "high", "used"]
    in_use = _inside(found[METHODS[0]], len(models[best]), best)
    findings = _findings(judged, in_use, found)
    in_use = replace(in_use, is_refuted=any(one.code == "OPC043" for one in findings))
    asked = replace(judged.asked, priors=(in_use.value, *judged.asked.priors))
    with_prior = replace(judged, asked=asked, in_use=in_use)
    return with_prior, pd.DataFrame(rows, columns=names), findings


def _inside(estimate: PriorEstimate, objects: int, model: str) -> PriorInUse:
    """Move estimates of 0 and 1 inwards by half an object, so that costs can be compared."""
    least = 0.5 / objects
    found = np.array([estimate.prior, estimate.low, estimate.high])
    draws = estimate.draws[~np.isnan(estimate.draws)]
    value, low, high = np.clip(found, least, 1 - least).tolist()
    return PriorInUse(value, low, high, objects, model, np.clip(draws, least, 1 - least))


def _findings(judged: Judged, in_use: PriorInUse, found: dict[str, PriorEstimate]) -> list[Finding]:
    findings = [
        Finding(
            "OPC042",
            f"The share of {class_text(judged.name, positive=True)} in use, "
            f"{share_text(in_use.value)} ({share_text(in_use.low)} to {share_text(in_use.high)}), "
            f"is estimated from {count_text(in_use.objects, 'unlabelled object')} scored by "
            f"{in_use.model}; within each class their scores must be distributed as in the "
            f"labelled file. The interval allows for a move by {DRIFT:g} standard deviations.",
        )
    ]
    by_em, by_confusion = (found[method] for method in METHODS)
    tails = (1 - by_em.confidence) / 2, (1 + by_em.confidence) / 2
    low, high = np.quantile(by_em.draws[:: len(WAYS)], tails)  # by the sigmoid alone
    if by_em.mixture < DOUBT:
        is_unknown = by_em.low <= 0 and by_em.high >= 1
        known = " Nothing is known of the share in use: give it by --prior." if is_unknown else ""
        findings.append(
            Finding(
                "OPC043",
                "The unlabelled scores are no mixture of the scores of both classes "
                f"(p = {by_em.mixture:.2g}): scores within a class have changed.{known}",
            )
        )
    elif low > by_confusion.high or by_confusion.low > high:
        ends = f"{share_text(by_confusion.low)} to {share_text(by_confusion.high)}"
        findings.append(
            Finding(
                "OPC043",
                f"By the confusion matrix the share is {ends}, outside the interval of the "
                f"likeliest prior ({share_text(low)} to {share_text(high)}).",
            )
        )
    return findings

"""`opchar cascade`: a cheap model first, and a costly one where the first is unsure."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import numpy as np

from opchar.analysis.command import asked_of, read_scores
from opchar.analysis.numbers import class_text, number_text, share_text, threshold_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError
from opchar.reject.two_stage.cascade import CascadeDesign, design_cascade
from opchar.spaces.printing import printed_thresholds


def run(arguments: argparse.Namespace) -> int:
    """Read the files, choose the three thresholds and print what they cost."""
    if len(arguments.priors or ()) > 1:
        raise ScoresError("prior: give one")
    asked = asked_of(arguments)
    prices = arguments.cost_of_asking, arguments.cost_of_first
    if not all(0 <= price < float("inf") for price in prices):
        raise ScoresError("cost of asking: give a number from 0")
    scored = read_scores(arguments).with_weight()
    cheap, costly = _two_models(scored)
    first, second = scored.scores_of_class(scored.positive).values()
    design = design_cascade(
        scored.is_positive,
        first,
        second,
        first_cost=prices[1],
        second_cost=prices[0],
        cost_fp=asked.cost[0],
        cost_fn=asked.cost[1],
        band=True,
        pos_label=True,
        sample_weight=scored.weight,
        prior=asked.priors[0] if asked.priors else None,
        fold=scored.fold,
        random_state=asked.seed,
        confidence=asked.level,
    )
    low, high = printed_thresholds(
        [min(design.first_threshold, design.accept_threshold), design.accept_threshold],
        np.sort(first),
    ).tolist()
    least = float(printed_thresholds(design.second_threshold, np.sort(second)))
    design = replace(design, first_threshold=low, accept_threshold=high, second_threshold=least)
    others = _others(design, cheap, costly)
    best = min(others, key=lambda name: others[name])
    needed = others[best] > design.cost and design.sent_on > 0
    answer = {
        "models": {"cheap": cheap, "costly": costly},
        "positive": scored.classes[scored.positive],
        "reject_below": _bound(low),
        "accept_from": _bound(high),
        "accept_costly_from": _bound(least),
        "asked": design.sent_on,
        "cost": {"value": design.cost, "low": design.low, "high": design.high},
        "tpr": design.tpr,
        "fpr": design.fpr,
        "alternatives": design.alternatives,
        "cheapest": "cascade" if needed else best,
    }
    if arguments.json:
        print(json.dumps(answer, indent=1, ensure_ascii=False, allow_nan=False))
    else:
        costs = "" if arguments.cost else " A miss costs as much as a false alarm (the default)."
        print("\n".join([*scored.notes, *_lines(design, scored, (cheap, costly), others, costs)]))
        if not needed:
            no_more = others[best] <= design.cost
            why = f"'{best}' costs no more" if no_more else f"{costly} is never asked"
            print(f"  No cascade is needed: {why}.")
    return 0


def _two_models(scored: ScoredSample) -> list[str]:
    """Return the names of both models, or say what is missing."""
    names = list(scored.models)
    if len(names) != 2:
        raise ScoresError(
            f"a cascade needs two models, the cheap one first; here is {', '.join(names)}: name "
            "two files, or two columns by --scores"
        )
    if len(scored.classes) > 2:
        raise ScoresError("a cascade is of two classes; make one column of yes and no")
    if scored.costs:
        raise ScoresError(
            f"columns {', '.join(scored.costs)}: a cascade takes mean costs only, by --cost"
        )
    if scored.unit is not None:
        raise ScoresError("several rows of an object: a cascade takes one row each, or --fold")
    return names


def _bound(threshold: float) -> float | str:
    if np.isfinite(threshold):
        return threshold
    return "none" if threshold > 0 else "all"


def _others(design: CascadeDesign, cheap: str, costly: str) -> dict[str, float]:
    """Return what deciding without a cascade costs."""
    return {
        f"{cheap} alone": design.alternatives["first stage alone"],
        f"{costly} for all": design.alternatives["second stage for all"],
        "accept all": design.alternatives["accept all"],
        "accept none": design.alternatives["accept none"],
    }


def _lines(
    design: CascadeDesign,
    scored: ScoredSample,
    names: tuple[str, str],
    others: dict[str, float],
    costs: str,
) -> list[str]:
    cheap, costly = names
    low, high = design.first_threshold, design.accept_threshold
    positive = class_text(scored.classes[scored.positive], positive=True)
    lines = [f"A cascade for {positive}: {cheap} first, {costly} where {cheap} is unsure.{costs}"]
    lines += (
        [f"  Reject without asking: {cheap} below {threshold_text(low)}."] if low > -np.inf else []
    )
    if high < np.inf:
        lines.append(f"  Accept without asking: {cheap} at or above {threshold_text(high)}.")
    if low < high:
        least = design.second_threshold
        then = f"accept at or above {threshold_text(least)}" if np.isfinite(least) else "accept"
        lines.append(f"  All others: ask {costly}, {then}.")
    ends = f"{number_text(design.low)} to {number_text(design.high)}"
    lines += [
        f"  Asked: {share_text(design.sent_on)} of the objects.",
        f"  Cost of an object on held-out folds: {number_text(design.cost)} ({ends}); "
        + "; ".join(f"{name} {number_text(cost)}" for name, cost in others.items())
        + ".",
    ]
    return lines

"""Samples and arguments that are hard on numbers: right to the last fraction, or one clear line."""

from __future__ import annotations

import inspect
import warnings
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import edges
import opchar
from opchar.errors import DataError
from opchar.spaces.compare import compare_cost
from opchar.spaces.cost import lower_envelope
from opchar.spaces.points import operating_points
from soak.trials import Action


def _sample(chance: Random, most: int) -> tuple[list[int], list[int], list[int]]:
    size = chance.randint(2, 30)
    y = [0, 1, *(chance.randint(0, 1) for _ in range(size - 2))]
    return y, [chance.randint(0, 9) for _ in y], [chance.randint(1, most) for _ in y]


def counts(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a sample of objects that stand for up to 10^18 each, and its exact area and cost."""
    most = 10 ** chance.randint(0, 18)
    y, score, weight = _sample(chance, most)
    prior = Fraction(chance.randint(1, 9), 10)

    def judge() -> str:
        positive, negative = (
            {
                s: sum(w for c, t, w in zip(y, score, weight, strict=True) if c == of and t == s)
                for s in score
            }
            for of in (1, 0)
        )
        whole = sum(positive.values()), sum(negative.values())
        won = sum(
            p * n * (2 * (a > b) + (a == b))
            for a, p in positive.items()
            for b, n in negative.items()
        )
        area = Fraction(won, 2 * whole[0] * whole[1])
        costs = [
            prior * (1 - Fraction(sum(p for s, p in positive.items() if s >= t), whole[0]))
            + (1 - prior) * Fraction(sum(n for s, n in negative.items() if s >= t), whole[1])
            for t in [*set(score), 10]
        ]
        given = {"sample_weight": weight}
        found = {
            "area": (float(opchar.roc_auc(y, score, **given)), area),
            "cost": (float(opchar.least_cost(y, score, prior=float(prior), **given)), min(costs)),
        }
        wrong = [
            f"{name} {ours!r}, not {float(right)!r}"
            for name, (ours, right) in found.items()
            if abs(ours - right) > 1e-12
        ]
        return "; ".join(wrong)

    return f"{len(y)} objects of up to {most}", judge


def rounded(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a sample whose weights went through another unit: no choice may change."""
    y, score, weight = _sample(chance, 4)
    scale = chance.choice([1 / 7, 0.1, 1 / 3, 0.7, 1e-3])

    def judge() -> str:
        curves = []
        for unit in (1, scale):
            points = operating_points(y, score, np.array(weight) * unit)
            curves.append(lower_envelope(points))
        same = np.array_equal(curves[0].points.thresholds, curves[1].points.thresholds)
        apart = set(compare_cost(*curves).better) - {0}
        return "" if same and not apart else "the envelope hangs on the last bit"

    return f"weights times {scale}", judge


@cache
def _functions() -> dict[str, Any]:
    return edges.with_numbers()


def edge(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a call of a public function with one or two arguments at the edge."""
    address = chance.choice(sorted(_functions().keys() - edges.TRUSTING.keys()))
    function = _functions()[address]
    arguments = dict(edges.right_arguments(address, function) or {})
    said = []
    for name in chance.sample(sorted(arguments), min(len(arguments), chance.choice([1, 2]))):
        changes = [
            (what, changed)
            for what, changed in edges.at_the_edge(arguments[name])
            if not (name in edges.SIZES and what in edges.COUNTABLE)
        ]
        if changes:
            what, arguments[name] = chance.choice(changes)
            said.append(f"{name} {what}")

    def judge() -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                found = function(**arguments)
                list(found) if inspect.isgenerator(found) else None
            except (ValueError, TypeError) as error:
                raise DataError(str(error)) from None
        return ""

    return f"{address}: {', '.join(said)}", judge

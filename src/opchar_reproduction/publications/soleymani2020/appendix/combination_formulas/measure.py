"""Appendix A of soleymani2020 on a grid of rates: printed and true formulas."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from opchar.combination.formulas import dependent, independent
from opchar.combination.functions import decide
from opchar.ranges import Rate
from opchar.spaces.cost import crossing_pc, expected_cost
from opchar.spaces.f_measure import crossing_prior, f_measure
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


class Rates(NamedTuple):
    """TPR and FPR of classifiers, arrays of one shape."""

    tpr: np.ndarray
    fpr: np.ndarray


@study(
    "combination-formulas",
    kind="ibc",
    basis="exact",
    profiles={"tiny": {"steps": 5, "conditions": 9}},
)
def rates_of_combinations(
    *,
    steps: int = 9,
    conditions: int = 39,
    m: list[Rate] = [0.25, 0.5, 0.75],
    alpha: list[Rate] = [0.25, 0.5, 0.75],
    example: list[list[float]] = [[0.8, 0.2], [0.7, 0.1]],
) -> Results:
    """Evaluate Eqs. A.1-A.13, as printed and as corrected, over pairs of crisp classifiers.

    steps: Rates run over ``1/(steps + 1) ... steps/(steps + 1)``; classifiers are better than
        random.
    conditions: Number of operating conditions inside (0, 1).
    example ([[float, float], [float, float]]): (TPR, FPR) of the two classifiers of the numbers in
        the tables.
    """
    results = Results()
    first, second = _better_than_random(steps)
    conjunction, disjunction = (_combine(name, first, second) for name in ("AND", "OR"))
    _independent(results, first, second, conjunction, disjunction)
    at = np.arange(1, conditions + 1) / (conditions + 1)
    for equation, combination, sign in (("A.5", conjunction, 1), ("A.6", disjunction, -1)):
        _cost_condition(results, equation, combination, first, sign, at, m)
    for equation, combination, sign in (("A.7", conjunction, 1), ("A.8", disjunction, -1)):
        _f_condition(results, equation, combination, first, sign, at, alpha)
    _bounds(results, first, second)
    one, two = (Rates(np.array(tpr), np.array(fpr)) for tpr, fpr in example)
    _example_lines(results, one, two, m[0], alpha[0])
    return results


def _better_than_random(steps: int) -> tuple[Rates, Rates]:
    rate = np.arange(1, steps + 1) / (steps + 1)
    tpr, fpr = (axis.ravel() for axis in np.meshgrid(rate, rate))
    tpr, fpr = tpr[tpr > fpr], fpr[tpr > fpr]
    i, j = (axis.ravel() for axis in np.indices((len(tpr), len(tpr))))
    return Rates(tpr[i], fpr[i]), Rates(tpr[j], fpr[j])


def _combine(function: str, first: Rates, second: Rates) -> Rates:
    return Rates(
        independent(function, first.tpr, second.tpr), independent(function, first.fpr, second.fpr)
    )


def _independent(
    results: Results, first: Rates, second: Rates, conjunction: Rates, disjunction: Rates
) -> None:
    results.add_frame(
        "in-roc-space",
        {
            "tpr_i": first.tpr,
            "fpr_i": first.fpr,
            "tpr_j": second.tpr,
            "fpr_j": second.fpr,
            "tpr AND": conjunction.tpr,
            "fpr AND": conjunction.fpr,
            "tpr OR": disjunction.tpr,
            "fpr OR": disjunction.fpr,
        },
    )
    a, b = np.array([0, 0, 1, 1], dtype=bool), np.array([0, 1, 0, 1], dtype=bool)
    for combination, function in ((conjunction, "AND"), (disjunction, "OR")):
        accepted = decide(function, a, b)
        for rate, rate_i, rate_j in zip(combination, first, second, strict=True):
            i, j = rate_i[:, np.newaxis], rate_j[:, np.newaxis]
            outcome = np.where(a, i, 1 - i) * np.where(b, j, 1 - j)
            columns = {"said": rate, "computed": outcome @ accepted}
            add_cases(results, "independent", function=function, **columns)


def printed_cost_condition(
    equation: str, combination: Rates, single: Rates, pc: np.ndarray, m: float
) -> np.ndarray:
    """Return where Eq. A.5 (AND) or A.6 (OR) as printed says that the combination is cheaper."""
    factor = (1 - m) / m
    if equation == "A.5":
        fpr = single.fpr - combination.fpr
        return pc < _ratio(fpr, factor * (combination.tpr - single.tpr) + fpr)
    fpr = combination.fpr - single.fpr
    return pc > _ratio(fpr, factor * (single.tpr - combination.tpr) + fpr)


def printed_f_condition(
    equation: str, combination: Rates, single: Rates, prior: np.ndarray, alpha: float
) -> np.ndarray:
    """Return where Eq. A.7 (AND) or A.8 (OR) as printed says that the combination has higher F."""
    products = combination.fpr * single.tpr - single.fpr * combination.tpr
    if equation == "A.7":
        crossing = _ratio(products, (1 - 1 / alpha) * (single.tpr - combination.tpr) + products)
        return prior >= crossing
    crossing = _ratio(-products, (1 - 1 / alpha) * (combination.tpr - single.tpr) + products)
    return prior <= crossing


def _cost_condition(
    results: Results,
    equation: str,
    combination: Rates,
    single: Rates,
    sign: int,
    at: np.ndarray,
    weights: list[float],
) -> None:
    def truth(pc: np.ndarray, _: float) -> np.ndarray:
        return expected_cost(*single, pc) - expected_cost(*combination, pc)

    def corrected(pc: np.ndarray, _: float) -> np.ndarray:
        return (crossing_pc(*combination, *single) - pc) * sign

    def printed(pc: np.ndarray, m: float) -> np.ndarray:
        return printed_cost_condition(equation, combination, single, pc, m)

    _add_comparison(results, equation, at, weights, truth, corrected, printed)


def _f_condition(
    results: Results,
    equation: str,
    combination: Rates,
    single: Rates,
    sign: int,
    at: np.ndarray,
    weights: list[float],
) -> None:
    def truth(prior: np.ndarray, alpha: float) -> np.ndarray:
        return f_measure(*combination, prior, alpha) - f_measure(*single, prior, alpha)

    def corrected(prior: np.ndarray, alpha: float) -> np.ndarray:
        crossing = crossing_prior(*combination, *single, alpha)
        return np.where(np.isfinite(crossing), (crossing - prior) * sign, -sign)

    def printed(prior: np.ndarray, alpha: float) -> np.ndarray:
        return printed_f_condition(equation, combination, single, prior, alpha)

    _add_comparison(results, equation, at, weights, truth, corrected, printed)


def _add_comparison(
    results: Results,
    equation: str,
    at: np.ndarray,
    weights: list[float],
    truth: Callable[..., np.ndarray],
    corrected: Callable[..., np.ndarray],
    printed: Callable[..., np.ndarray],
) -> None:
    """Add the frame ``eq-<equation>``: how often conditions tell the sign of the computed gain.

    A condition and weight each row: at, weight, compared (pairs whose gain is not near 0), printed
    and corrected (of these, how many each form gets right).
    """
    for weight in weights:
        gain = truth(at[:, np.newaxis], weight)
        clear = np.abs(gain) > 1e-12
        says = {
            "printed": printed(at[:, np.newaxis], weight),
            "corrected": corrected(at[:, np.newaxis], weight) > 0,
        }
        right = {name: ((said == (gain > 0)) & clear).sum(axis=1) for name, said in says.items()}
        who = {"at": at, "weight": weight, "compared": clear.sum(axis=1)}
        results.add_frame(f"eq-{equation}", who | right)


def _bounds(results: Results, first: Rates, second: Rates) -> None:
    """Add the frame ``bounds``: printed bounds beside the extremes that decisions can attain."""
    (tpr_i, fpr_i), (tpr_j, fpr_j) = first, second
    least = np.minimum(tpr_i, tpr_j)
    printed = {
        "A.9 TPR of AND": (tpr_i * tpr_j, least),
        "A.9 FPR of AND": (fpr_i * fpr_j, fpr_i + fpr_j - 1 + np.minimum(fpr_i, fpr_j)),
        "A.10-A.11 TPR of OR": (tpr_i + tpr_j - least, tpr_i + tpr_j - tpr_i * tpr_j),
        "A.12-A.13 FPR of OR": (
            1 - np.minimum(1 - fpr_i, 1 - fpr_j),
            fpr_i + fpr_j - fpr_i * fpr_j,
        ),
    }
    for name, (low, high) in printed.items():
        function, rate = name.split()[-1], name.split()[1].lower()
        attained = dependent(function, getattr(first, rate), getattr(second, rate))
        for end, said, computed in (("low", low, attained.low), ("high", high, attained.high)):
            add_cases(results, "bounds", part=name, end=end, said=said, computed=computed)


def _example_lines(results: Results, one: Rates, two: Rates, m: float, alpha: float) -> None:
    """Add the numbers of one pair of classifiers to the tables of the equations."""
    equations = {"AND": ("A.5", "A.7"), "OR": ("A.6", "A.8")}
    for function, (by_cost, by_f) in equations.items():
        both = _combine(function, one, two)
        of = f"{function} of (TPR, FPR) = ({one.tpr:g}, {one.fpr:g}) and ({two.tpr:g}, {two.fpr:g})"
        results.number("eq-A.1", of, "TPR", float(both.tpr))
        results.number("eq-A.1", of, "FPR", float(both.fpr))
        for rate in ("tpr", "fpr"):
            for dependence in ("positive", "any"):
                ends = dependent(function, getattr(one, rate), getattr(two, rate), dependence)
                for end, value in ends._asdict().items():
                    column = f"{rate.upper()}, {end}est, {dependence} dependence"
                    results.number("eq-A.9", of, column, float(value))
        crossing = float(crossing_pc(*both, *one))
        costs = [float(expected_cost(*each, crossing)) for each in (both, one)]
        note = f"costs {costs[0]:.6f} and {costs[1]:.6f}"
        column = "PC(+) of equal cost with the first"
        results.number(f"eq-{by_cost}", of, column, crossing, note=note)
        printed = _printed_crossing(both, one, m)
        results.number(f"eq-{by_cost}", of, f"as printed, m = {m:g}", printed)
        crossing = float(crossing_prior(*both, *one, alpha))
        note = "the curves do not cross"
        if np.isfinite(crossing):
            f = [float(f_measure(*each, crossing, alpha)) for each in (both, one)]
            note = f"F {f[0]:.6f} and {f[1]:.6f}"
        column = f"P(+) of equal F with the first, alpha = {alpha:g}"
        results.number(f"eq-{by_f}", of, column, crossing, note=note)


def _printed_crossing(both: Rates, one: Rates, m: float) -> float:
    """Return the right-hand side of Eq. A.5 or A.6 as printed."""
    fpr = np.abs(one.fpr - both.fpr)
    tpr = np.abs(one.tpr - both.tpr)
    return float(_ratio(fpr, fpr - (1 - m) / m * tpr))


def _ratio(part: Any, whole: Any) -> np.ndarray:
    undefined = np.full(np.shape(whole), np.nan)
    return np.divide(part, whole, out=undefined, where=np.asarray(whole) != 0)

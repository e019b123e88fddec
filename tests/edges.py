"""Every public function of numbers with arguments that are right, and what they become at the edge.

Parameters of one name mean the same in all functions: so one right value serves them all, and
what a function needs besides stands in `BESIDES`.
"""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from checkout import ROOT
from opchar.spaces.points import OperatingPoints, operating_points

ROOMS = ("spaces", "metrics", "statistics", "decisions", "combination", "reject", "multiclass")
ROWS = 12
LABELS = np.arange(ROWS) % 3 == 0
SCORES = np.round((np.arange(ROWS) * 7 % ROWS) / ROWS + LABELS / 2, 3) / 2
Y = np.arange(ROWS) % 3
TABLE = np.round(0.1 + np.eye(3)[Y] / 2 + (np.arange(36).reshape(ROWS, 3) * 5 % 7) / 20, 3)
MATRICES = np.array([[[5.0, 1, 0], [2, 6, 1], [0, 1, 4]]])
RATES = np.array([0.2, 0.5, 0.9])


def points() -> OperatingPoints:
    return operating_points(LABELS, SCORES)


WEIGHTS = ("sample_weight", "weight")
# Right values by the name of the parameter.
RIGHT: dict[str, Callable[[], Any]] = {
    **{name: lambda: RATES for name in ("tpr", "fpr", "far", "tpr_i", "fpr_j", "tpr_c", "rate_i")},
    **{name: lambda: RATES[::-1] for name in ("frr", "tpr_j", "fpr_i", "fpr_c", "rate_j")},
    **{
        name: lambda: 0.4
        for name in ("prior", "alpha", "m", "pc", "area", "value", "rate", "share")
    },
    **{name: lambda: 0.1 for name in ("max_fpr", "low", "limit", "threshold")},
    **{name: lambda: 0.9 for name in ("high", "level")},
    **{name: lambda: 6 for name in ("n_positive", "n_negative", "number", "objects", "r")},
    **{name: lambda: np.array([5, 3]) for name in ("tp", "tn")},
    **{name: lambda: np.array([1, 2]) for name in ("fn", "fp")},
    **{name: lambda: 3 for name in ("classes", "n_classes", "degrees")},
    **{name: lambda: LABELS for name in ("is_positive",)},
    **{name: lambda: SCORES for name in ("score", "y_score")},
    "y_true": lambda: LABELS.astype(int),
    "y": lambda: Y,
    "y_pred": lambda: np.roll(Y, 1),
    "matrices": lambda: MATRICES,
    "points": points,
    "deviation": lambda: 1.0,
    "costs": lambda: 1 - np.eye(3),
    "posteriors": lambda: TABLE / TABLE.sum(axis=1, keepdims=True),
    "y_proba": lambda: TABLE / TABLE.sum(axis=1, keepdims=True),
    "confidence": lambda: 0.95,
    **{name: lambda: np.ones(ROWS) for name in WEIGHTS},
}
# What the value of a parameter is for one function, by address.
BESIDES: dict[str, dict[str, Callable[[], Any]]] = {
    "spaces.envelope:inner_breakpoints": {
        "crossings": lambda: RATES[:2],
        "points": lambda: np.arange(3),
    },
    "metrics.counts:counting_weights": {
        "sample_weight": lambda: np.ones(ROWS),
        "size": lambda: ROWS,
    },
    "spaces.points:checked_weights": {"sample_weight": lambda: np.ones(ROWS), "size": lambda: ROWS},
    "spaces.points:interpolate": {"fractions": lambda: RATES},
    "spaces.roc:binormal_roc": {"fpr": lambda: RATES, "mean": lambda: 1.0},
    "spaces.roc:binormal_auc": {"mean": lambda: 1.0},
    "spaces.roc:resolve_ties": {"ties": lambda: "optimistic"},
    "metrics.indices.biometrics:false_acceptance": {
        "impostors": lambda: SCORES,
        "thresholds": lambda: RATES,
    },
    "metrics.indices.biometrics:false_rejection": {
        "clients": lambda: SCORES,
        "thresholds": lambda: RATES,
    },
    "spaces.cost:cost_parts": {"miss": lambda: 1.0, "alarm": lambda: 2.0},
    "spaces.cost:condition_of": {"cost_fn": lambda: 1.0, "cost_fp": lambda: 2.0},
    "spaces.scored.sample:grid_of": {"condition": lambda: RATES},
    "metrics.counts:in_common_shape": {"count": lambda: RATES},
    "metrics.distortion:at_test_ratio": {
        "matrices": lambda: MATRICES[:, :2, :2],
        "ratio": lambda: 3.0,
    },
    "statistics.areas:areas": {"scores": lambda: SCORES},
    "statistics.joint_likelihood:correlation_of_repeats": {"repeats": lambda: TABLE},
    "statistics.joint_likelihood:cell_log_likelihood": {
        "published": lambda: np.array([0.5]),
        "unit": lambda: np.array([0.01]),
        "values": lambda: np.array([[0.51], [0.4]]),
        "spread": lambda: np.array([[0.02], [0.02]]),
    },
    "statistics.chance_variants:least_factor": {"log_factors": lambda: RATES, "rate": lambda: 0.05},
    "statistics.resampling:mean_of_holdouts": {
        "values": lambda: RATES,
        "test_to_train": lambda: 0.25,
    },
    "metrics.indices.composite:f_beta": {"beta": lambda: 2.0},
    "metrics.conditions.closed_forms:lowest_auroc_ova": {"sizes": lambda: [3, 4, 5]},
    "metrics.indices.costs:prior_sensitivity": {
        name: lambda: RATES for name in ("fnr_low", "fpr_low", "fnr_high", "fpr_high")
    },
    "metrics.indices.costs:acc_sens": {"auc": lambda: RATES, "sens": lambda: RATES},
    "metrics.counts:ratio": {"numerator": lambda: RATES, "denominator": lambda: RATES},
    "metrics.counts:class_rates": {"stack": lambda: MATRICES},
    "metrics.counts:confusion_matrix": {"predicted": lambda: np.roll(Y, 1)},
    "metrics.class_sizes:with_class_sizes": {"sizes": lambda: [4, 4, 4]},
    "metrics.class_sizes:ratio_of_representatives": {"sizes": lambda: [3, 4, 5]},
    "metrics.class_sizes:even_classifier": {"accuracy": lambda: 0.8},
    "metrics.distortion:rank_stability": {"values": lambda: MATRICES[0]},
    "metrics.drift:least_error_points": {"priors": lambda: RATES},
    "metrics.drift:equal_error_points": {"priors": lambda: RATES},
    "metrics.drift:reweighted_points": {"priors": lambda: RATES},
    "metrics.label_indices:confusion": {"y_true": lambda: Y},
    "metrics.label_indices:index_score": {"y_true": lambda: Y, "name": lambda: "acsa"},
    "metrics.stacks:evaluate": {"names": lambda: ["acsa"]},
    "statistics.proportions:guaranteed_threshold": {"scores": lambda: np.arange(100.0)},
    "statistics.proportions:of_two_rates": {
        "value": lambda: lambda tpr, fpr: tpr - fpr,
        "tpr": lambda: 0.8,
        "fpr": lambda: 0.1,
    },
    "statistics.risk_control:controlled_threshold": {"max_fpr": lambda: 0.5},
    "statistics.risk_control:allowed_beyond": {"size": lambda: 12},
    "statistics.decision_curves:decision_curve_difference": {"other_score": lambda: SCORES[::-1]},
    "spaces.object_costs:object_thresholds": {
        name: lambda: RATES for name in ("cost_fn", "cost_fp")
    },
    **{
        f"spaces.object_costs:{function}": {
            name: lambda: SCORES + 1 for name in ("cost_fn", "cost_fp")
        }
        for function in ("object_cost", "object_cost_threshold")
    },
    "statistics.signed_rank:signed_rank_p": {"gain": lambda: np.array([1.0, -2.0, 3.0])},
    "statistics.variants:weights": {"log_likelihood": lambda: np.array([-1.0, -2.0])},
    "combination.functions:combine": {
        "function": lambda: "AND",
        **{name: lambda: RATES for name in ("a", "b")},
        "both": lambda: RATES / 2,
    },
    "combination.functions:decide": {
        "function": lambda: "XOR",
        "a": lambda: LABELS,
        "b": lambda: ~LABELS,
    },
    "combination.formulas:independent": {"function": lambda: "AND"},
    "combination.formulas:dependent": {"function": lambda: "AND"},
    "combination.pairwise:pairwise": {"scores": lambda: {"a": SCORES, "b": SCORES[::-1]}},
    "combination.pairwise:number_of_candidates": {"thresholds": lambda: [3, 4]},
    "combination.iterative:iterative": {"scores": lambda: {"a": SCORES, "b": SCORES[::-1]}},
    "combination.ranks:rank": {"scores": lambda: {"a": SCORES, "b": SCORES[::-1]}},
    "combination.algorithm_1:run_listing": {
        "scores": lambda: {"a": SCORES[:6], "b": SCORES[6:]},
        "is_positive": lambda: LABELS[:6],
        "priors": lambda: RATES,
        "alpha": lambda: 0.5,
    },
    "combination.pools:with_mean": {"scores": lambda: {"a": SCORES, "b": SCORES[::-1]}},
    "combination.likelihood_ratio:likelihood_ratio": {"outcomes": lambda: TABLE > 0.4},
    "combination.likelihood_ratio:likelihood_ratio_roc": {"outcomes": lambda: TABLE > 0.4},
    "reject.options:is_distant": {"typicality": lambda: TABLE, "assigned": lambda: Y},
    "reject.options:decide": {"typicality": lambda: TABLE, "ambiguity": lambda: 0.5},
    "reject.options:error_reject_curve": {"is_right": lambda: LABELS, "confidence": lambda: SCORES},
    "reject.label_curve:reject_curve": {"y_true": lambda: Y, "confidence": lambda: SCORES},
    **{
        f"reject.areas:{name}": {"y_true": lambda: Y, "confidence": lambda: SCORES}
        for name in ("aurc", "augrc")
    },
    **{
        f"reject.open_set:{name}": {
            "y_true": lambda: Y,
            "y_proba": lambda: TABLE[:, :2],
            "labels": lambda: np.arange(2),
            "confidence": lambda: SCORES,
        }
        for name in ("oscr_curve", "oscr_auc")
    },
    "decisions.threshold_spread:threshold_spread": {"repeats": lambda: 5},
    "decisions.priors:likeliest_prior": {"log_ratios": lambda: np.array([-1.0, 0.5, 2.0])},
    "decisions.priors:prior_by_confusion": {"unlabelled": lambda: SCORES[::-1]},
    "spaces.printing:printed_thresholds": {
        "thresholds": lambda: RATES,
        "scores": lambda: np.sort(SCORES),
    },
    **{
        f"reject.outliers:{name}": {
            "targets": lambda: TABLE,
            "rng": lambda: np.random.default_rng(0),
        }
        for name in ("sphere_outliers", "gaussian_outliers")
    },
    "decisions.priors:estimate_prior": {"unlabelled": lambda: SCORES[::-1], "repeats": lambda: 5},
    "reject.two_stage.cascade:design_cascade": {
        **{name: lambda: SCORES for name in ("first_score", "second_score")},
        **{name: lambda: 0.5 for name in ("first_cost", "second_cost", "cost_fn", "cost_fp")},
    },
    "reject.sweep:least_over_pairs": {
        name: lambda: SCORES for name in ("outer", "inner", "joint", "alone")
    },
    "reject.two_stage.design:even_thresholds": {"scores": lambda: SCORES},
    "multiclass.roc.bounds:pair_areas": {"scores": lambda: TABLE},
    "multiclass.cost_weights.methods:cost_weights": {
        "scores": lambda: TABLE,
        "method": lambda: "simple",
        "rng": lambda: np.random.default_rng(0),
    },
    "multiclass.cost_weights.problem:cost_problem": {"scores": lambda: TABLE},
    "multiclass.cost_weights.problem:scored_objects": {"scores": lambda: TABLE},
    "multiclass.decomposition:decomposed_roc": {
        "scores": lambda: TABLE,
        "groups": lambda: [[0, 1], [2]],
    },
    "multiclass.roc.weighted_scores:weighted_scores": {"scores": lambda: TABLE},
    "multiclass.neyman_pearson:limits_from_matrices": {
        "indicator": lambda: np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]),
        "errors": lambda: np.full((3, 3), 0.1),
    },
    "multiclass.perturbation:perturbed_weights": {"base": lambda: np.ones(3), "moving": lambda: 1},
    "multiclass.perturbation:perturbation_cubes": {"scores": lambda: TABLE},
    "multiclass.perturbation:sensitivities": {
        "rates": lambda: lambda weights: weights[..., None] * np.ones(3),
        "base": lambda: np.ones(3),
    },
    "multiclass.perturbation:groups": {"largest": lambda: MATRICES[0] / 10},
    "multiclass.perturbation:groups_up_to": {
        "largest": lambda: MATRICES[0] / 10,
        "size": lambda: 2,
    },
    "multiclass.perturbation:score_sensitivities": {"scores": lambda: TABLE},
    "multiclass.perturbation:largest_by_class": {"changes": lambda: np.abs(MATRICES)},
    "spaces.preferences:bayes_threshold": {
        "cost_fn": lambda: np.array([5.0, 2.0]),
        "cost_fp": lambda: np.array([1.0, 3.0]),
    },
    "spaces.preferences:excess_costs": {
        "cost_fn": lambda: np.array([5.0, 2.0]),
        "cost_fp": lambda: np.array([1.0, 3.0]),
        "cost_tp": lambda: np.zeros(2),
        "cost_tn": lambda: np.zeros(2),
    },
    **{
        f"statistics.area_intervals:{curve}_auc_difference": {
            "first": lambda: SCORES,
            "second": lambda: SCORES[::-1],
        }
        for curve in ("pr", "roc")
    },
    "multiclass.label_volume:roc_volume": {"y_true": lambda: Y, "y_score": lambda: TABLE},
    "multiclass.roc.volume:ordered_gaussian_volume": {"means": lambda: RATES},
    "multiclass.roc.volume:dominated_volume": {"rates": lambda: MATRICES[0] / 10},
    "multiclass.roc.volume:staircase_surface": {"rates": lambda: MATRICES[0] / 10},
    "multiclass.roc.volume:trapezoid_volume": {"surface": lambda: MATRICES[0] / 10},
    "multiclass.roc.volume:linear_surface": {
        "lattice": lambda: np.random.default_rng(1).random((4, 2))
    },
    "multiclass.roc.volume:resampled_volume": {
        "lattice": lambda: np.random.default_rng(1).random((4, 2))
    },
    "multiclass.roc.bootstrap:normalised_vus": {"volume": lambda: 0.5},
}


OPEN = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
# These take numbers of another shape under the same names; tests of their own say what they refuse.
ELSEWHERE = {
    "metrics.counts:binary_counts",
    "statistics.binary_classifiers:classes_of",
    "statistics.rate_curves:near_thresholds",
    "multiclass.pairings:pairings",
    "spaces.scored.sample:plainly_positive",
}


def functions() -> dict[str, Callable[..., Any]]:
    """Return every public function of the rooms of numbers, by ``room.module:name``."""
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / "src/opchar" / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
            if Path(path).name == "__init__.py":
                continue
            module = import_module(name)
            for key, value in vars(module).items():
                own = inspect.isfunction(value) and value.__module__ == name
                if own and not key.startswith("_"):
                    found[f"{name.removeprefix('opchar.')}:{key}"] = value
    return found


def is_asked(parameter: inspect.Parameter) -> bool:
    """Whether a value must be given: scores, too, unless counts by score stand in their place."""
    return parameter.default is parameter.empty or parameter.name == "y_score"


def right_arguments(address: str, function: Callable[..., Any]) -> dict[str, Any] | None:
    """Return right arguments of a function; None where some are not numbers."""
    special = BESIDES.get(address, {})
    if address in ELSEWHERE:
        return None
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in special or name in WEIGHTS:
            found[name] = special.get(name, RIGHT.get(name))()
        elif parameter.kind not in OPEN and is_asked(parameter):
            if name not in RIGHT:
                return None
            found[name] = RIGHT[name]()
    return found


def at_the_edge(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what an argument may become, with its name; what is no number stays as it is."""
    if isinstance(value, dict):
        for name, changed in at_the_edge(next(iter(value.values()))):
            yield name, {**value, next(iter(value)): changed}
        yield "nothing", {}
        return
    if isinstance(value, bool | str) or callable(value) or isinstance(value, OperatingPoints):
        return
    if isinstance(value, list) and len({np.size(part) for part in value}) > 1:
        return
    array = np.asarray(value)
    if array.dtype == object or array.dtype.kind in "US":
        return
    yield "NaN", _with(array, np.nan)
    for number in (np.inf, -np.inf, -1.0, 0.0, 1.0, 2.0, 1e18, 1e300, 1e-300, 5e-324, 10**30):
        yield f"{number:g}", _with(array, number)
    yield "object", array.astype(object) if array.ndim else value
    yield "float32", array.astype(np.float32) if array.ndim else np.float32(value)
    yield "complex", _with(array.astype(complex), 1j)
    yield "None", None
    yield "text", "x"
    if array.ndim:
        yield "masked", np.ma.masked_array(array, np.arange(array.size).reshape(array.shape) == 0)
        yield "zeros", np.zeros_like(array)
        yield "empty", array[:0]
        yield "one", array[:1]
        yield "equal", np.full_like(array, array.flat[0])
        yield "deeper", array[None]
        yield "shorter", array[..., :-1]
        yield "scalar", array.flat[0]
    else:
        yield "list", [value]
        yield "empty", []


def _with(array: np.ndarray, number: Any) -> Any:
    """Return an array with one place changed, or the number alone."""
    if not array.ndim:
        return number
    kind = object if isinstance(number, int) else np.result_type(array.dtype, type(number))
    changed = array.astype(kind)
    changed.flat[min(4, changed.size - 1)] = number
    return changed


def with_numbers() -> dict[str, Callable[..., Any]]:
    """Return the public functions that have right arguments."""
    found = functions()
    return {
        address: function
        for address, function in found.items()
        if right_arguments(address, function)
    }


# Counts that take no part in an index, whatever they are.
APART = {
    **{f"composite:{name}": ("tn",) for name in ("f_beta", "f1", "f_alpha", "jaccard", "aurpc")},
    **{f"rates:{name}": ("fp", "tn") for name in ("tpr", "fnr")},
    **{f"rates:{name}": ("tp", "fn") for name in ("tnr", "fpr")},
    **{f"rates:{name}": ("fn", "tn") for name in ("precision", "false_discovery_rate")},
    **{f"rates:{name}": ("tp", "fp") for name in ("npv", "false_omission_rate")},
}
WITHOUT_PART = {
    (f"metrics.indices.{address}", name) for address, names in APART.items() for name in names
}
# Classifiers whose index is NaN are left out, as it says.
WITHOUT_PART |= {("metrics.distortion:rank_stability", "values")}
# How many, not how much: numbers beyond the memory of any machine are asked of nobody.
SIZES = {"classes", "n_classes", "objects", "number", "r", "size", "budget"}
COUNTABLE = {"1e+18", "1e+300", "1e+30", "inf"}
# What takes anything, with the reason.
TRUSTING = {
    "spaces.blocks:key_limits": "scores that its callers have checked",
    "spaces.envelope:inner_breakpoints": "points and crossings of an envelope that was just found",
    "combination.functions:combine": "counts, rates or symbols of algebra, in the innermost loop",
    "combination.formulas:independent": "rates or symbols of algebra",
    "combination.pairwise:number_of_candidates": "whole numbers of any size",
    "metrics.conditions.page:kappa": "an example of a page: a metric as people write it",
    "reject.sweep:least_over_pairs": "scores and sums that its callers have checked",
}
# Masks get lost in these, too.
UNMASKED = TRUSTING | {
    "metrics.counts:ratio": "counts that every index has checked, in the innermost loop"
}

"""Operating characteristics of classifiers under imbalance, unknown costs and shifting priors.

What most people need is here, for labels and scores as scikit-learn has them; each name is imported
when it is first used.

Examples
--------
>>> import opchar
>>> y_true, y_score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2]
>>> opchar.best_threshold(y_true, y_score, prior=[0.1, 0.9]).tolist()
[0.9, 0.7]
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opchar.analysis.library import analyse as analyse
    from opchar.decisions.at_threshold import at_threshold as at_threshold
    from opchar.decisions.estimator import PriorThresholdClassifier as PriorThresholdClassifier
    from opchar.decisions.priors import estimate_prior as estimate_prior
    from opchar.decisions.threshold_rules import choose_threshold as choose_threshold
    from opchar.decisions.threshold_spread import threshold_spread as threshold_spread
    from opchar.displays import BrierCurveDisplay as BrierCurveDisplay
    from opchar.displays import CostCurveDisplay as CostCurveDisplay
    from opchar.displays import DecisionCurveDisplay as DecisionCurveDisplay
    from opchar.displays import DetDisplay as DetDisplay
    from opchar.displays import FMeasureDisplay as FMeasureDisplay
    from opchar.displays import PrecisionRecallDisplay as PrecisionRecallDisplay
    from opchar.displays import PriorDisplay as PriorDisplay
    from opchar.displays import RejectDisplay as RejectDisplay
    from opchar.displays import RocDisplay as RocDisplay
    from opchar.metrics.label_indices import confusion as confusion
    from opchar.metrics.label_indices import index_score as index_score
    from opchar.metrics.scorers import make_scorers as make_scorers
    from opchar.multiclass.cost_weights.estimator import (
        CostWeightedClassifier as CostWeightedClassifier,
    )
    from opchar.multiclass.label_volume import roc_volume as roc_volume
    from opchar.reject.areas import augrc as augrc
    from opchar.reject.areas import aurc as aurc
    from opchar.reject.estimator import RejectClassifier as RejectClassifier
    from opchar.reject.label_curve import reject_curve as reject_curve
    from opchar.reject.open_set import oscr_auc as oscr_auc
    from opchar.reject.open_set import oscr_curve as oscr_curve
    from opchar.reject.sequential import (
        SequentialOneClassMultiClass as SequentialOneClassMultiClass,
    )
    from opchar.reject.two_stage.cascade import design_cascade as design_cascade
    from opchar.spaces.h_measure import h_measure as h_measure
    from opchar.spaces.object_costs import object_cost as object_cost
    from opchar.spaces.object_costs import object_cost_threshold as object_cost_threshold
    from opchar.spaces.object_costs import object_thresholds as object_thresholds
    from opchar.spaces.preferences import bayes_threshold as bayes_threshold
    from opchar.spaces.preferences import preference as preference
    from opchar.spaces.scored import best_f as best_f
    from opchar.spaces.scored import best_threshold as best_threshold
    from opchar.spaces.scored import brier_curve as brier_curve
    from opchar.spaces.scored import brier_score as brier_score
    from opchar.spaces.scored import cost_curve as cost_curve
    from opchar.spaces.scored import det_curve as det_curve
    from opchar.spaces.scored import equal_error_rate as equal_error_rate
    from opchar.spaces.scored import f_curve as f_curve
    from opchar.spaces.scored import least_cost as least_cost
    from opchar.spaces.scored import mean_pr_auc as mean_pr_auc
    from opchar.spaces.scored import neyman_pearson as neyman_pearson
    from opchar.spaces.scored import points_of as points_of
    from opchar.spaces.scored import pr_auc as pr_auc
    from opchar.spaces.scored import precision_recall_curve as precision_recall_curve
    from opchar.spaces.scored import roc_auc as roc_auc
    from opchar.spaces.scored import roc_curve as roc_curve
    from opchar.statistics.decision_curves import decision_curve as decision_curve
    from opchar.statistics.decision_curves import (
        decision_curve_difference as decision_curve_difference,
    )
    from opchar.statistics.risk_control import controlled_threshold as controlled_threshold
    from opchar.statistics.risk_estimator import (
        RiskControlledClassifier as RiskControlledClassifier,
    )

__version__ = "0.2.0"

_DISPLAYS = (
    "BrierCurveDisplay",
    "CostCurveDisplay",
    "DecisionCurveDisplay",
    "DetDisplay",
    "FMeasureDisplay",
    "PrecisionRecallDisplay",
    "PriorDisplay",
    "RejectDisplay",
    "RocDisplay",
)
_SCORED = (
    "best_f",
    "best_threshold",
    "brier_curve",
    "brier_score",
    "cost_curve",
    "det_curve",
    "equal_error_rate",
    "f_curve",
    "least_cost",
    "mean_pr_auc",
    "neyman_pearson",
    "points_of",
    "pr_auc",
    "precision_recall_curve",
    "roc_auc",
    "roc_curve",
)
# Each name and the module that has it.
_HOMES = {
    **dict.fromkeys(_DISPLAYS, "opchar.displays"),
    **dict.fromkeys(_SCORED, "opchar.spaces.scored"),
    "CostWeightedClassifier": "opchar.multiclass.cost_weights.estimator",
    "analyse": "opchar.analysis.library",
    "PriorThresholdClassifier": "opchar.decisions.estimator",
    "RejectClassifier": "opchar.reject.estimator",
    "RiskControlledClassifier": "opchar.statistics.risk_estimator",
    "SequentialOneClassMultiClass": "opchar.reject.sequential",
    "at_threshold": "opchar.decisions.at_threshold",
    "augrc": "opchar.reject.areas",
    "aurc": "opchar.reject.areas",
    "bayes_threshold": "opchar.spaces.preferences",
    "choose_threshold": "opchar.decisions.threshold_rules",
    "confusion": "opchar.metrics.label_indices",
    "controlled_threshold": "opchar.statistics.risk_control",
    "decision_curve": "opchar.statistics.decision_curves",
    "decision_curve_difference": "opchar.statistics.decision_curves",
    "design_cascade": "opchar.reject.two_stage.cascade",
    "estimate_prior": "opchar.decisions.priors",
    "h_measure": "opchar.spaces.h_measure",
    "index_score": "opchar.metrics.label_indices",
    "make_scorers": "opchar.metrics.scorers",
    "object_cost": "opchar.spaces.object_costs",
    "object_cost_threshold": "opchar.spaces.object_costs",
    "object_thresholds": "opchar.spaces.object_costs",
    "oscr_auc": "opchar.reject.open_set",
    "oscr_curve": "opchar.reject.open_set",
    "preference": "opchar.spaces.preferences",
    "reject_curve": "opchar.reject.label_curve",
    "roc_volume": "opchar.multiclass.label_volume",
    "threshold_spread": "opchar.decisions.threshold_spread",
}
# Parts of the library that can be reached by attribute after `import opchar`.
_ROOMS = (
    "combination",
    "datasets",
    "decisions",
    "displays",
    "metrics",
    "models",
    "multiclass",
    "reject",
    "scores",
    "spaces",
    "statistics",
)


__all__ = [*_HOMES, *_ROOMS]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for."""
    from importlib import import_module

    if name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
    elif name in _ROOMS:
        found = import_module(f"opchar.{name}")
    else:
        raise AttributeError(f"module 'opchar' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List what can be asked for."""
    return sorted({*globals(), *__all__})

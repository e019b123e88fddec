"""Operating characteristics of classifiers under imbalance, unknown costs and shifting priors.

What most people need is here, for labels and scores as scikit-learn has them; each name is imported
when it is first used.

Examples
--------
>>> import opchar
>>> y_true, y_score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2]
>>> round(opchar.choose_threshold(y_true, y_score, alpha=0.5, prior=0.1).threshold, 2)
0.85
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opchar import analysis as analysis
    from opchar import combination as combination
    from opchar import datasets as datasets
    from opchar import decisions as decisions
    from opchar import displays as displays
    from opchar import metrics as metrics
    from opchar import models as models
    from opchar import multiclass as multiclass
    from opchar import printed as printed
    from opchar import reject as reject
    from opchar import scores as scores
    from opchar import spaces as spaces
    from opchar import statistics as statistics
    from opchar.analysis.library import analyse as analyse
    from opchar.decisions.at_threshold import at_threshold as at_threshold
    from opchar.decisions.estimator import PriorThresholdClassifier as PriorThresholdClassifier
    from opchar.decisions.object_rule import object_rule as object_rule
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
    from opchar.printed import check as check
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
    from opchar.spaces.score_counts import ScoreCounts as ScoreCounts
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
    from opchar.statistics.area_intervals import pr_auc_difference as pr_auc_difference
    from opchar.statistics.area_intervals import pr_auc_interval as pr_auc_interval
    from opchar.statistics.area_intervals import roc_auc_difference as roc_auc_difference
    from opchar.statistics.area_intervals import roc_auc_interval as roc_auc_interval
    from opchar.statistics.decision_curves import decision_curve as decision_curve
    from opchar.statistics.decision_curves import (
        decision_curve_difference as decision_curve_difference,
    )
    from opchar.statistics.risk_control import controlled_threshold as controlled_threshold
    from opchar.statistics.risk_estimator import (
        RiskControlledClassifier as RiskControlledClassifier,
    )

__version__ = "0.3.0"


if not TYPE_CHECKING:  # so that mypy finds a name that is misspelt

    def __getattr__(name: str) -> Any:
        """Import what is asked for when it is first asked for."""
        from importlib import import_module

        face = import_module("opchar._face")
        retired = import_module("opchar.retired")
        if name in retired.FUNCTIONS:
            module, instead = retired.FUNCTIONS[name]
            retired.warn_of(f"opchar.{name}", instead)
            return getattr(import_module(module), name)
        if name == "published":
            retired.warn_of("opchar.published", "opchar.printed")
            return import_module("opchar.printed")
        if name in ("_HOMES", "_ROOMS", "_SCORED", "__all__"):
            found = getattr(face, name)
        elif name in face._HOMES:
            found = getattr(import_module(face._HOMES[name]), name)
        elif name in face._ROOMS:
            found = import_module(f"opchar.{name}")
        else:
            raise AttributeError(f"module 'opchar' has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """List what can be asked for."""
    from opchar._face import __all__ as names

    return sorted({*globals(), *names})

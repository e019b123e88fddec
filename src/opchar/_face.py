"""What `opchar` has, and where: apart, so that a new name changes the code of no job."""

_DISPLAYS = (
    *("BrierCurveDisplay", "CostCurveDisplay", "DecisionCurveDisplay", "DetDisplay"),
    *("FMeasureDisplay", "PrecisionRecallDisplay", "PriorDisplay", "RejectDisplay", "RocDisplay"),
)
_SCORED = (
    *("best_f", "brier_curve", "brier_score", "cost_curve", "det_curve", "equal_error_rate"),
    *("f_curve", "least_cost", "mean_pr_auc", "points_of", "pr_auc", "precision_recall_curve"),
    *("roc_auc", "roc_curve"),
)
_AREAS = ("pr_auc_difference", "pr_auc_interval", "roc_auc_difference", "roc_auc_interval")
# Each name and the module that has it.
_HOMES = {
    **dict.fromkeys(_AREAS, "opchar.statistics.area_intervals"),
    **dict.fromkeys(_DISPLAYS, "opchar.displays"),
    **dict.fromkeys(_SCORED, "opchar.spaces.scored"),
    "CostWeightedClassifier": "opchar.multiclass.cost_weights.estimator",
    "analyse": "opchar.analysis.library",
    "PriorThresholdClassifier": "opchar.decisions.estimator",
    "RejectClassifier": "opchar.reject.estimator",
    "RiskControlledClassifier": "opchar.statistics.risk_estimator",
    "ScoreCounts": "opchar.spaces.score_counts",
    "SequentialOneClassMultiClass": "opchar.reject.sequential",
    "at_threshold": "opchar.decisions.at_threshold",
    "augrc": "opchar.reject.areas",
    "aurc": "opchar.reject.areas",
    "bayes_threshold": "opchar.spaces.preferences",
    "check": "opchar.printed",
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
    "object_rule": "opchar.decisions.object_rule",
    "oscr_auc": "opchar.reject.open_set",
    "oscr_curve": "opchar.reject.open_set",
    "preference": "opchar.spaces.preferences",
    "reject_curve": "opchar.reject.label_curve",
    "roc_volume": "opchar.multiclass.label_volume",
    "threshold_spread": "opchar.decisions.threshold_spread",
}
# Parts of the library that can be reached by attribute after `import opchar`.
_ROOMS = (
    *("analysis", "combination", "datasets", "decisions", "displays", "metrics", "models"),
    *("multiclass", "printed", "reject", "scores", "spaces", "statistics"),
)


__all__ = [*_HOMES, *_ROOMS]

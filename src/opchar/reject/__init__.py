"""Operating characteristics of classifiers that may reject, and of detectors with classifiers."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opchar.reject.analytic import Gaussian, RejectRates, Uniform, reject_rates, target_regions
    from opchar.reject.areas import augrc, aurc
    from opchar.reject.characteristic import OperatingPoint, RejectCharacteristic, mean_error
    from opchar.reject.estimator import NeighbourCloseness, RejectClassifier, class_log_densities
    from opchar.reject.open_set import OscrCurve, oscr_auc, oscr_curve
    from opchar.reject.options import (
        ErrorRejectCurve,
        decide,
        error_reject_curve,
        is_ambiguous,
        is_distant,
    )
    from opchar.reject.outliers import gaussian_outliers, sphere_outliers
    from opchar.reject.sequential import SequentialOneClassMultiClass
    from opchar.reject.two_stage.cascade import CascadeDesign, design_cascade
    from opchar.reject.two_stage.design import TwoStageScores, even_thresholds, weight_grid
    from opchar.reject.two_stage.known_system import KnownDesign, KnownSystem, published_example
    from opchar.reject.two_stage.stage_scores import StageScores, SystemDesign
    from opchar.reject.volume import PatchVolume, vuc, vuc_of_patch, vuc_resampled

# Each name and the module that has it: some load scikit-learn, which most do without.
_HOMES = {
    "CascadeDesign": "two_stage.cascade",
    "ErrorRejectCurve": "options",
    "Gaussian": "analytic",
    "KnownDesign": "two_stage.known_system",
    "KnownSystem": "two_stage.known_system",
    "NeighbourCloseness": "estimator",
    "OperatingPoint": "characteristic",
    "OscrCurve": "open_set",
    "PatchVolume": "volume",
    "RejectCharacteristic": "characteristic",
    "RejectClassifier": "estimator",
    "RejectRates": "analytic",
    "SequentialOneClassMultiClass": "sequential",
    "StageScores": "two_stage.stage_scores",
    "SystemDesign": "two_stage.stage_scores",
    "TwoStageScores": "two_stage.design",
    "Uniform": "analytic",
    "augrc": "areas",
    "aurc": "areas",
    "class_log_densities": "estimator",
    "decide": "options",
    "design_cascade": "two_stage.cascade",
    "error_reject_curve": "options",
    "even_thresholds": "two_stage.design",
    "gaussian_outliers": "outliers",
    "is_ambiguous": "options",
    "is_distant": "options",
    "mean_error": "characteristic",
    "oscr_auc": "open_set",
    "oscr_curve": "open_set",
    "published_example": "two_stage.known_system",
    "reject_rates": "analytic",
    "sphere_outliers": "outliers",
    "target_regions": "analytic",
    "vuc": "volume",
    "vuc_of_patch": "volume",
    "vuc_resampled": "volume",
    "weight_grid": "two_stage.design",
}

__all__ = [
    "CascadeDesign",
    "ErrorRejectCurve",
    "Gaussian",
    "KnownDesign",
    "KnownSystem",
    "NeighbourCloseness",
    "OperatingPoint",
    "OscrCurve",
    "PatchVolume",
    "RejectCharacteristic",
    "RejectClassifier",
    "RejectRates",
    "SequentialOneClassMultiClass",
    "StageScores",
    "SystemDesign",
    "TwoStageScores",
    "Uniform",
    "augrc",
    "aurc",
    "class_log_densities",
    "decide",
    "design_cascade",
    "error_reject_curve",
    "even_thresholds",
    "gaussian_outliers",
    "is_ambiguous",
    "is_distant",
    "mean_error",
    "oscr_auc",
    "oscr_curve",
    "published_example",
    "reject_rates",
    "sphere_outliers",
    "target_regions",
    "vuc",
    "vuc_of_patch",
    "vuc_resampled",
    "weight_grid",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'opchar.reject' has no attribute {name!r}")
    return getattr(import_module(f"opchar.reject.{_HOMES[name]}"), name)

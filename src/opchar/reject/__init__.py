"""Operating characteristics of classifiers that may reject, and of detectors with classifiers.

`estimator.RejectClassifier` and `sequential.SequentialOneClassMultiClass` wrap classifiers of
scikit-learn, whose import takes its time: ask for them there, or from `opchar`.
"""

from opchar.reject.analytic import Gaussian, RejectRates, Uniform, reject_rates, target_regions
from opchar.reject.areas import augrc, aurc
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.open_set import OscrCurve, oscr_auc, oscr_curve
from opchar.reject.operating_point import OperatingPoint, mean_error
from opchar.reject.options import (
    ErrorRejectCurve,
    decide,
    error_reject_curve,
    is_ambiguous,
    is_distant,
)
from opchar.reject.outliers import gaussian_outliers, sphere_outliers
from opchar.reject.two_stage.cascade import CascadeDesign, design_cascade
from opchar.reject.two_stage.design import TwoStageScores, even_thresholds
from opchar.reject.two_stage.known_system import KnownDesign, KnownSystem, published_example
from opchar.reject.two_stage.stage_scores import StageScores, SystemDesign
from opchar.reject.two_stage.weight_search import weight_grid
from opchar.reject.volume import PatchVolume, vuc, vuc_of_patch, vuc_resampled

__all__ = [
    "CascadeDesign",
    "ErrorRejectCurve",
    "Gaussian",
    "KnownDesign",
    "KnownSystem",
    "OperatingPoint",
    "OscrCurve",
    "PatchVolume",
    "RejectCharacteristic",
    "RejectRates",
    "StageScores",
    "SystemDesign",
    "TwoStageScores",
    "Uniform",
    "augrc",
    "aurc",
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

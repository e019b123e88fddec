"""What the words of model names make: classifiers that reject, and systems of two stages."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from opchar.models.classifiers.gaussian import ldc, nmc, qdc
from opchar.models.classifiers.mixture import mogc
from opchar.models.classifiers.stages import TwoStage
from opchar.reject.estimator import RejectClassifier
from opchar.reject.sequential import SequentialOneClassMultiClass

OUTLIER = 1
SHARE = 0.05


def reject(classifier: str, *components: int) -> RejectClassifier:
    """Return a classifier with a distance reject option, such as ``"reject qdc"``.

    For two classes by number, the target 0 and the outlier 1; it rejects a twentieth of the
    training targets (landgrebe2007, Sec. 5.2.5). A score table has its typicality for the target
    class beside the posteriors, so that any other threshold can be set. Only ``"mogc"`` has
    `components`.
    """
    makers: dict[str, Any] = {"nmc": nmc, "ldc": ldc, "qdc": qdc, "mogc": mogc}
    if classifier not in makers or (components and classifier != "mogc"):
        raise ValueError(f"no classifier '{classifier}' {components}: use {', '.join(makers)}")
    return RejectClassifier(makers[classifier](*components), share=SHARE, outlier=OUTLIER)


def socmc(detector: Any, classifier: Any) -> SequentialOneClassMultiClass:
    """Return the sequential combination, ``"socmc pca0.99 gauss + pca0.99 qdc"``.

    The detector rejects a twentieth of the training targets (landgrebe2007, Sec. 5.2.5). The last
    class that is trained on is the outlier.
    """
    return SequentialOneClassMultiClass(_set_rejected_share(detector), classifier)


def _set_rejected_share(detector: Any) -> BaseEstimator:
    """Set the share of targets that a detector rejects, at the end of a pipeline or alone."""
    if isinstance(detector, Pipeline):
        return detector.set_params(**{f"{detector.steps[-1][0]}__reject": SHARE})
    return detector.set_params(reject=SHARE)


def two_stage(detector: Any, classifier: Any) -> TwoStage:
    """Return a recognition system, ``"two-stage pca3 gauss + fisher ldc"``.

    The detector describes all targets together; mappings before it are trained on all objects. The
    last class is the outlier (landgrebe2007, Sec. 6.2).
    """
    return TwoStage(detector, classifier)

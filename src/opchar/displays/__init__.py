"""Plots in the manner of scikit-learn's displays, for every space.

Each display draws one classifier. It is made of plain arrays, a condition and the height of the
curve there, as the figures of the works do with the curves of their experiments. For one's own
classifiers it computes the curve from a fitted estimator, from predictions, or from the folds of a
cross-validation (mean and a band of one standard deviation).

Examples
--------
>>> import numpy as np
>>> prior = np.array([0.0, 0.5, 1.0])
>>> display = CostCurveDisplay(prior, [[0.0, 0.3, 0.0], [0.0, 0.1, 0.0]], name="two folds")
>>> display.mean.round(3).tolist(), display.spread.round(3).tolist()
([0.0, 0.2, 0.0], [0.0, 0.141, 0.0])
>>> line = display.plot(legend=False).line_
"""

from opchar.displays.base import ConditionDisplay as ConditionDisplay
from opchar.displays.conditions import BrierCurveDisplay as BrierCurveDisplay
from opchar.displays.conditions import CostCurveDisplay as CostCurveDisplay
from opchar.displays.conditions import DecisionCurveDisplay as DecisionCurveDisplay
from opchar.displays.conditions import FMeasureDisplay as FMeasureDisplay
from opchar.displays.conditions import PriorDisplay as PriorDisplay
from opchar.displays.rates import DetDisplay as DetDisplay
from opchar.displays.rates import PrecisionRecallDisplay as PrecisionRecallDisplay
from opchar.displays.rates import RejectDisplay as RejectDisplay
from opchar.displays.rates import RocDisplay as RocDisplay

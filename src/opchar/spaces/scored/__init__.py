"""Every space for labels and scores, in the manner of scikit-learn's metrics.

Each function takes ``y_true, y_score, pos_label, sample_weight``, counts the sample once and asks
the space. A curve comes back as a named tuple of arrays, or as a pandas data frame when labels or
scores are pandas; what belongs to given priors or costs comes back in their shape, or as a series
over their index.

Examples
--------
>>> y_true, y_score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2]
>>> round(roc_auc(y_true, y_score), 4)
0.8333
>>> best_threshold(y_true, y_score, prior=[0.1, 0.9]).tolist()
[0.9, 0.7]
"""

from opchar.spaces.scored.curves import CostCurve as CostCurve
from opchar.spaces.scored.curves import DetCurve as DetCurve
from opchar.spaces.scored.curves import FCurve as FCurve
from opchar.spaces.scored.curves import PrecisionRecallCurve as PrecisionRecallCurve
from opchar.spaces.scored.curves import RocCurve as RocCurve
from opchar.spaces.scored.curves import brier_curve as brier_curve
from opchar.spaces.scored.curves import cost_curve as cost_curve
from opchar.spaces.scored.curves import det_curve as det_curve
from opchar.spaces.scored.curves import f_curve as f_curve
from opchar.spaces.scored.curves import precision_recall_curve as precision_recall_curve
from opchar.spaces.scored.curves import roc_curve as roc_curve
from opchar.spaces.scored.sample import check_same_index as check_same_index
from opchar.spaces.scored.sample import points_of as points_of
from opchar.spaces.scored.sample import positive_label as positive_label
from opchar.spaces.scored.summary_metrics import best_f as best_f
from opchar.spaces.scored.summary_metrics import brier_score as brier_score
from opchar.spaces.scored.summary_metrics import equal_error_rate as equal_error_rate
from opchar.spaces.scored.summary_metrics import least_cost as least_cost
from opchar.spaces.scored.summary_metrics import mean_pr_auc as mean_pr_auc
from opchar.spaces.scored.summary_metrics import pr_auc as pr_auc
from opchar.spaces.scored.summary_metrics import roc_auc as roc_auc
from opchar.spaces.scored.thresholds import Choice as Choice
from opchar.spaces.scored.thresholds import best_threshold as best_threshold
from opchar.spaces.scored.thresholds import neyman_pearson as neyman_pearson
from opchar.spaces.scored.thresholds import threshold_for as threshold_for

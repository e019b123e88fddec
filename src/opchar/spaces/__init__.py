"""One set of operating points and its upper hull, seen in every space.

`operating_points` counts a scored sample once; everything else, areas, envelopes, optimal
thresholds and comparisons, follows from its points. `opchar.spaces.scored` has the same for labels
and scores.

Examples
--------
>>> from opchar.spaces.f_measure import upper_envelope
>>> from opchar.spaces.points import operating_points
>>> points = operating_points([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2])
>>> envelope = upper_envelope(points, alpha=0.5)
>>> envelope.threshold([0.1, 0.9]).tolist()
[0.9, 0.7]
"""

from opchar.spaces.brier import brier_curve as brier_curve
from opchar.spaces.brier import brier_score as brier_score
from opchar.spaces.brier import rates_at as rates_at
from opchar.spaces.compare import Ranges as Ranges
from opchar.spaces.compare import compare_cost as compare_cost
from opchar.spaces.compare import compare_f as compare_f
from opchar.spaces.compare import compare_roc as compare_roc
from opchar.spaces.cost import CostEnvelope as CostEnvelope
from opchar.spaces.cost import expected_cost as expected_cost
from opchar.spaces.cost import lower_envelope as lower_envelope
from opchar.spaces.cost import probability_cost as probability_cost
from opchar.spaces.det import equal_error_rate as equal_error_rate
from opchar.spaces.det import normal_deviate as normal_deviate
from opchar.spaces.f_measure import FEnvelope as FEnvelope
from opchar.spaces.f_measure import f_measure as f_measure
from opchar.spaces.f_measure import upper_envelope as upper_envelope
from opchar.spaces.p_roc import exact_auprec as exact_auprec
from opchar.spaces.p_roc import exact_iauprec as exact_iauprec
from opchar.spaces.points import OperatingPoints as OperatingPoints
from opchar.spaces.points import from_rates as from_rates
from opchar.spaces.points import operating_points as operating_points
from opchar.spaces.points import upper_hull as upper_hull
from opchar.spaces.precision_recall import auprec as auprec
from opchar.spaces.precision_recall import auprg as auprg
from opchar.spaces.precision_recall import average_precision as average_precision
from opchar.spaces.precision_recall import iauprec as iauprec
from opchar.spaces.precision_recall import precision as precision
from opchar.spaces.precision_recall import precision_recall_curve as precision_recall_curve
from opchar.spaces.roc import auc as auc
from opchar.spaces.roc import neyman_pearson as neyman_pearson
from opchar.spaces.roc import partial_auc as partial_auc
from opchar.spaces.score_counts import ScoreCounts as ScoreCounts

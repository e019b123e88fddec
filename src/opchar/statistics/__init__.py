"""Comparing classifiers: analyses of variance, paired tests, intervals and bands, cross-fitting.

`areas` has DeLong's method. `proportions` has intervals of rates and guaranteed limits.
`resampling` has the stratified bootstrap. `cross_fitting` chooses thresholds on some folds and
judges them on the others. `rate_curves` has their intervals and bands over all operating
conditions.
"""

from opchar.statistics.differences import Differences as Differences
from opchar.statistics.differences import design_array as design_array
from opchar.statistics.differences import differences as differences
from opchar.statistics.differences import f_values as f_values
from opchar.statistics.signed_rank import signed_rank_p as signed_rank_p
from opchar.statistics.subsampling import subsample_to_prior as subsample_to_prior
from opchar.statistics.variance import Anova as Anova
from opchar.statistics.variance import anova as anova
from opchar.statistics.variance import compare as compare
from opchar.statistics.variance import differences_in_words as differences_in_words
from opchar.statistics.variance import f_spread as f_spread
from opchar.statistics.variance import friedman as friedman
from opchar.statistics.variance import pair as pair

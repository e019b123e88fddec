"""Conditions 1 to 3 of mullick2020 for any index of a confusion matrix, a user's own included."""

from opchar.metrics.conditions.failing_class import FailingClass as FailingClass
from opchar.metrics.conditions.failing_class import (
    limit_of_a_failing_class as limit_of_a_failing_class,
)
from opchar.metrics.conditions.invariance import CounterExample as CounterExample
from opchar.metrics.conditions.invariance import Invariance as Invariance
from opchar.metrics.conditions.invariance import invariant_to_test_set as invariant_to_test_set
from opchar.metrics.conditions.metric import MatrixIndex as MatrixIndex
from opchar.metrics.conditions.metric import MetricError as MetricError
from opchar.metrics.conditions.metric import of_two_classes as of_two_classes
from opchar.metrics.conditions.ranges import Bound as Bound
from opchar.metrics.conditions.ranges import Bounds as Bounds
from opchar.metrics.conditions.ranges import bounds as bounds
from opchar.metrics.conditions.verdicts import ConditionReport as ConditionReport
from opchar.metrics.conditions.verdicts import Witness as Witness
from opchar.metrics.conditions.verdicts import conditions_of as conditions_of
from opchar.metrics.conditions.verdicts import conditions_of_registered as conditions_of_registered

"""Class weights for given costs: one line search, the thesis' algorithms, a certified optimum.

`problem.cost_problem` takes scored objects and cost matrices, `methods.cost_weights` (or an
algorithm by its own name) gives weights and losses, `certificate.certify` the best weights with a
proven lower bound. `estimator.CostWeightedClassifier` wraps a classifier of scikit-learn, whose
import takes its time: ask for it there.
"""

from opchar.multiclass.cost_weights.certificate import certify as certify
from opchar.multiclass.cost_weights.methods import cost_weights as cost_weights
from opchar.multiclass.cost_weights.problem import cost_problem as cost_problem

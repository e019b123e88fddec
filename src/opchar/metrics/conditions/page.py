"""The page ``docs/conditions.md``, renewed by running this module and keeping what it prints."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import numpy as np

from opchar.metrics.conditions.command import SEED, report_lines
from opchar.metrics.conditions.verdicts import (
    ConditionReport,
    conditions_of,
    conditions_of_registered,
)
from opchar.seeds import generator

NAMES = (
    "g_mean",
    "balanced_accuracy",
    "precision",
    "aurpc",
    "m_precision",
    "m_aurpc",
    "g_mean_multiclass",
    "acsa",
    "auroc_ovo",
    "auroc_ova",
    "normalised_auroc_ova",
    "aurpc_ova",
    "m_aurpc_ova",
    "overall_accuracy",
    "f1",
    "mcc",
)

HEAD = """# Is my metric distorted by imbalance or by the number of classes?

Made by `python -m opchar.metrics.conditions.page`. A classifier that treats each class as before
should keep its value when the test set holds more of one class (Condition 1). Values should mean
the same whatever the number of classes: the range must not depend on it (Condition 2). And a
classifier that fails in one class only should not look like one that fails in all (Condition 3).
The conditions are those of mullick2020, Sec. 2. `opchar condition` searches any metric for
violations and shows the matrices.
"""

OWN = """## Your own metric

A metric is a function of stacks of confusion matrices, shape (..., C, C) with a row for each true
class. It returns values of shape (...). Put Cohen's kappa into `mymodule.py`:

```python
import numpy as np


{source}```

Then `opchar condition mymodule:kappa`, in the folder of the module, says:

```text
{said}
```

Indices of [indices.md](indices.md) go by name: `opchar condition precision`. Those of counts have
two classes, the first of which is the positive one. A metric that is slow, or one of single
matrices that `numpy.vectorize(metric, signature="(c,c)->()")` makes one of stacks, needs
`--matrices 1000`; more classes are searched with `--classes 6`. Test sets go up to 1e13 objects: a
metric must compute from the counts, never list the objects (a function of scikit-learn takes the
cells of a matrix as `sample_weight`). In Python:

```python
import numpy as np

from opchar.metrics import bounds, conditions_of, invariant_to_test_set, limit_of_a_failing_class
from opchar.metrics import auroc_ova
from opchar.metrics.distortion import at_test_ratio, power, sampling_of, spread_over_test_sets

rng = np.random.default_rng(1)
found = invariant_to_test_set(auroc_ova, classes=3, rng=rng)
print(found.holds, found.counter_example.first, found.counter_example.second)
print(bounds(auroc_ova, classes=3, sizes=(1, 2, 3)).low.value)  # of these class sizes, exactly
print(limit_of_a_failing_class(auroc_ova, classes=3).low)

matrix = np.array([[8, 2, 0], [5, 40, 5], [0, 10, 90]])
spread = spread_over_test_sets(auroc_ova, matrix, [(10, 10, 10), (10, 50, 100)], rng=rng)
print(spread.distortion, spread.sampling)  # what class sizes do, and what drawing does
```

`spread_over_test_sets` matters for small classes: an index that meets Condition 1 still varies over
test sets because they are drawn. With `replace=False` they are taken out of the objects of the
matrix. `power` says how often a metric tells two classifiers apart, `rank_stability` how well their
order is kept between test sets.
"""

TABLE = """## Which indices meet them

Searched for 2, 3 and 4 classes; indices of counts for two. *Any* is over test sets of any class
sizes, as Condition 2 is written; *equal* over classes of equal sizes: the work leaves this open,
and Lemma 3 takes the sizes as given. It also sets epsilon, the accuracy of the failing class, to
1/C before it lets epsilon go to 0: the limit decides, and the last column has the other
interpretation.

| index | 1 | 2, any | 2, equal | 3, any | 3, equal | 3, epsilon = 1/C |
| --- | --- | --- | --- | --- | --- | --- |
{rows}

## What is searched, and what a verdict is worth

- Condition 1: all matrices of up to 100,000 (37 objects for two classes, 10 for three, 7 for four)
  and 20,000 large random pairs. A counter-example from the first is the smallest there is.
- Condition 2: the same, and all classifiers that call each class one thing on classes of 1 or 1e9
  objects, and steps from the best of them. Over given class sizes all matrices: exact.
- Condition 3: each class fails, called one other class, all others evenly or as drawn, on even,
  uneven and drawn class sizes; the limits are extrapolated.
- The two matrices prove a violation of Condition 1. All else is proved for the indices of the work
  only (the tests do so symbolically, from the definitions); for a metric given as a function a
  condition that holds means that nothing was found against it, and ranges over any sizes are those
  that were found. Values that agree to nine digits are equal: compute in double precision.
- Undefined values (0/0, as the precision of a class that nothing is called) are left out. Each
  verdict is found again with 0/0 counted as 0 and as 1, and a verdict that changes is named. A
  metric with a keyword `zero_division` gets it; else an undefined value is replaced as a whole.
"""


def kappa(matrices: Any) -> Any:
    """Return Cohen's kappa of confusion matrices, shape (..., C, C).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes.

    Returns
    -------
    ndarray, shape (...)
        At most 1.
    """
    rates = matrices / matrices.sum(axis=(-2, -1), keepdims=True)
    agreed = np.trace(rates, axis1=-2, axis2=-1)
    by_chance = (rates.sum(axis=-1) * rates.sum(axis=-2)).sum(axis=-1)
    return (agreed - by_chance) / (1 - by_chance)


def markdown() -> str:
    """Return ``docs/conditions.md``.

    Returns
    -------
    str
        The page, ending with a newline.
    """
    name = "mymodule:kappa"
    report = conditions_of(kappa, name=name, rng=generator(SEED, "conditions", name))
    source = getsource(kappa).replace(": Any", "").replace(" -> Any", "")
    user_part = OWN.format(source=source, said="\n".join(report_lines(report)))
    rows = "\n".join(
        _row(name, conditions_of_registered(name, generator(SEED, "conditions", name)))
        for name in NAMES
    )
    return "\n".join([HEAD, user_part, TABLE.format(rows=rows)])


def _row(name: str, report: ConditionReport) -> str:
    verdicts = (
        report.condition_1,
        report.condition_2,
        report.condition_2_of_equal,
        report.condition_3,
        report.condition_3_of_equal,
        report.condition_3_at_one_over_c,
    )
    words = {True: "holds", False: "**violated**", None: "-"}
    return f"| `{name}` | " + " | ".join(words[verdict] for verdict in verdicts) + " |"


if __name__ == "__main__":
    print(markdown(), end="")

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

VERDICTS = {
    "1": "condition_1",
    "2, any": "condition_2",
    "2, equal": "condition_2_of_equal",
    "3, any": "condition_3",
    "3, equal": "condition_3_of_equal",
    "3, epsilon = 1/C": "condition_3_at_one_over_c",
}

HEAD = """# Is my metric distorted by imbalance or by the number of classes?

Sec. 2 of mullick2020 states three conditions:

1. A classifier whose rates stay the same keeps its value when the test set holds more of one class.
2. The range of values does not depend on the number of classes.
3. A classifier that fails in one class only does not look like one that fails in all.

`opchar condition` searches any metric for violations and shows the matrices.
"""

OWN = """## Your own metric

A metric is a function of stacks of confusion matrices, shape (..., C, C), with a row for each true
class. It returns values of shape (...). Put Cohen's kappa into `mymodule.py`:

```python
import numpy as np


{source}```

Then `opchar condition mymodule:kappa --classes 3`, in the folder of the module, says:

```text
{said}
```

- Indices of the library go by name: `opchar condition precision`. Those of counts have two classes,
  the first of which is positive.
- A slow metric, or one of single matrices wrapped by `numpy.vectorize`, needs `--matrices 1000`.
- Test sets go up to 1e13 objects, so a metric must compute from counts and never list the objects.

In Python:

```python
import numpy as np

from opchar.metrics import auroc_ova, bounds, invariant_to_test_set, limit_of_a_failing_class
from opchar.metrics.distortion import spread_over_test_sets

rng = np.random.default_rng(1)
found = invariant_to_test_set(auroc_ova, classes=3, rng=rng)
print(found.holds, found.counter_example.first, found.counter_example.second)
print(bounds(auroc_ova, classes=3, sizes=(1, 2, 3)).low.value)  # of these class sizes, exactly
print(limit_of_a_failing_class(auroc_ova, classes=3).low)

matrix = np.array([[8, 2, 0], [5, 40, 5], [0, 10, 90]])
spread = spread_over_test_sets(auroc_ova, matrix, [(10, 10, 10), (10, 50, 100)], rng=rng)
print(spread.distortion, spread.sampling)  # the effect of class sizes, and that of sampling
```

Small test sets vary by sampling even if the index meets Condition 1: `spread_over_test_sets`
separates both effects.
"""

TABLE = """## Which indices meet them

Indices of a matrix are searched for 2, 3 and 4 classes. Those of counts have two classes, so that
only Condition 1 applies. The publication leaves open whether
Condition 2 is over test sets of any class sizes (*any*) or of equal ones (*equal*). It also leaves
open whether epsilon, the accuracy of the failing class, goes to 0 or is 1/C (last row).

| condition | violated by |
| --- | --- |
{rows}

The search covers {names}.

## What a verdict is worth

- Condition 1: all small matrices (up to 37 objects for two classes, 10 for three, 7 for four) and
  20,000 large random pairs. The smallest counter-example among small matrices is shown.
- Condition 2: the same, very uneven class sizes, and steps from the best of them. Over given class
  sizes all matrices are tried.
- Condition 3: each class fails in turn, on even, uneven and drawn class sizes; limits are
  extrapolated.
- Two matrices prove a violation of Condition 1. Everything else is proved for the indices above
  only. For a metric of yours, "holds" means that no counter-example was found.
- Values that agree to nine digits count as equal. Undefined values (0/0) are left out; a verdict
  that changes when they count as 0 or 1 is named.
"""


def kappa(matrices: Any) -> Any:
    """Return Cohen's kappa of confusion matrices, rows for true classes."""
    rates = matrices / matrices.sum(axis=(-2, -1), keepdims=True)
    agreed = np.trace(rates, axis1=-2, axis2=-1)
    by_chance = (rates.sum(axis=-1) * rates.sum(axis=-2)).sum(axis=-1)
    return (agreed - by_chance) / (1 - by_chance)


def markdown() -> str:
    """Return ``docs/conditions.md``."""
    name = "mymodule:kappa"
    report = conditions_of(
        kappa, classes=(2, 3), name=name, rng=generator(SEED, "conditions", name)
    )
    source = getsource(kappa).replace(": Any", "").replace(" -> Any", "")
    user_part = OWN.format(source=source, said="\n".join(report_lines(report)))
    reports = {
        name: conditions_of_registered(name, generator(SEED, "conditions", name)) for name in NAMES
    }
    names = ", ".join(f"`{name}`" for name in NAMES)
    return "\n".join([HEAD, user_part, TABLE.format(rows=violations(reports), names=names)])


def violations(reports: dict[str, ConditionReport]) -> str:
    """Return a row for each condition with the indices that violate it."""
    rows = []
    for condition, verdict in VERDICTS.items():
        found = [f"`{name}`" for name, each in reports.items() if getattr(each, verdict) is False]
        rows.append(f"| {condition} | {', '.join(found) or 'none'} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(markdown(), end="")

"""VUC and the gain of the reject option on a hidden class (Sec. 5.3.4)."""

from typing import Any

from opchar_reproduction.publications.landgrebe2007.chapter5.validation.gains import (
    Choices,
    Scores,
    TestedRow,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.validation.lines import (
    add_printed,
    add_variants,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, settings, study

ROWS = settings(__file__, "rows.csv")


@study(
    "reject-validation",
    kind="reject",
    scores=[
        """phoneme | hidden-cluster-10 | reject qdc; pca3 reject qdc; reject mogc 1 4; reject mogc 1
        3; reject mogc 1 2""",
        """phoneme-middle-cluster | hidden-cluster-10-middle | reject qdc; pca3 reject qdc; reject
        mogc 1 4; reject mogc 1 3; reject mogc 1 2""",
        """phoneme-largest-cluster | hidden-cluster-10-largest | reject qdc; pca3 reject qdc; reject
        mogc 1 4; reject mogc 1 3; reject mogc 1 2""",
        """mfeat-fou-26; mfeat-fou-26-numbers | hidden-class-10 | fisher reject nmc; fisher reject
        ldc; fisher reject qdc; fisher reject mogc 2 3""",
        """satellite-stubble | hidden-class-10 | fisher reject nmc; fisher reject ldc; pca4 reject
        ldc""",
    ],
    variants={
        "with": {"beyond": False},
        "frames": ["validation", "restricted"],
        "contradicted": {
            "Mfeat": """Section 5.3.4: "digits 2 and 6 are used as the target class, digits 4, 5, 6
            and 8" as outliers, and "digits 1, 2 and 9" as the unseen ones: two digits are both
            target and outlier."""
        },
    },
    units="repeat",
)
def validation(
    scores: Scores,
    *,
    shared: Shared,
    rows: list[dict[str, Any]] = ROWS,
    units: dict[str, str] = {"nmc": "posterior", "other": "relative"},
    chosen_on: str = "train",
    sphere: str = "sphere",
    errors: str = "classes",
    lists: str = "digits",
    cluster: str = "as numbered",
    volume: str = "dominated",
    restricted: dict[str, str] = {
        "Satellite / Fisher LDC, 0<t_d<=0.2": "Satellite / Fisher LDC t_d=0.10",
        "Satellite / PCA-4D LDC, 0<t_d<=0.2": "Satellite / PCA-4D LDC t_d=0.10",
    },
    largest: float = 0.2,
    grid: list[int] = [200, 100],
    beyond: bool = True,
) -> Results:
    """VUC of each model and what its reject option gains on objects of a hidden class.

    `rows`: ``row`` of Table 5.3, ``data``, ``model``, ``t_d`` and ``others``, data sets by the
    `lists` or the `cluster` that they stand for.
    `units`: What t_d is a threshold of: ``nmc`` of the nearest mean, ``other`` of all others:
    ``density``, ``posterior``, ``share`` (of the training targets that are rejected) or
    ``relative`` (to the largest density of a training target).
    `chosen_on`: Objects on which theta is set to the point of equal errors.
    `sphere`: The artificial unseen objects of the VUC.
    `errors`: Whether an error rate is the mean of the rates of both classes (Eq. 5.16), or pooled.
    `lists`: Whether the lists of outliers are digits or numbers of classes.
    `cluster`: The unseen cluster of phonemes.
    `volume`: Whether the volume is the dominated one or Eq. 5.15 over the patch of a grid of
    thresholds.
    `restricted`: Row of Table 5.3 by row of the restricted volume.
    `largest`: Largest t_d of the restricted volume.
    `grid`: Thresholds theta and t_d of the volumes by integration.
    `beyond`: Whether other variants stand beside Table 5.3.
    """
    results = Results()
    chosen = Choices(units, chosen_on, sphere, errors, lists, cluster, volume, (grid[0], grid[1]))
    measured = {entry["row"]: shared(TestedRow, scores, entry) for entry in rows}
    add_printed(results, measured, chosen, restricted, largest)
    for row in measured.values() if beyond else ():
        add_variants(results, row, chosen)
    return results

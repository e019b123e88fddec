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
    choices=[
        """a digit that the text puts in two lists stays in the first of them: targets 2 and 6,
        known outliers 4, 5 and 8, unseen 1 and 9. If both lists of outliers count classes from 1
        (digits 3, 4, 5, 7 and 0, 1, 8), no digit is in two lists. Then the gains of the three
        density models come out as printed (table of variants)""",
        "satellite: classes counted 1 to 6 in the order of the data's description",
        """phoneme: k-means once, in the order in which it numbers its clusters; the
        third is unseen. The numbers are random: the other two are variants""",
        "half of the targets and the whole unseen class validate; ten repeats draw this half again",
        """gain: mean of the error rates of targets and unseen class (Eq. 5.16) without
        reject option minus with it, in points; the formula in the text has the other sign""",
        "theta: equal errors of targets and known outliers on the training objects",
        """t_d: "all classifier outputs are scaled between [0,1], irrespective of the classifier
        type" (Sec. 4.2.2) -> of the density of Eq. 5.13 in the model's own space, relative to the
        largest one of a training target; of NMC a posterior, since the text says that small values
        reject nothing, which no density does""",
        """PCA-4D LDC: no training target has a density of 0.1 in four components of
        grey values, so that t_d = 0.10 as a density would reject everything; as the share of
        training targets to reject, 0.10 gives this model the printed gain""",
        """unseen objects of the VUC: 1000, uniform in a sphere of 1.1 times the distance of the
        farthest target, in a subspace "retaining 99.9% of variance". A version of dd_tools'
        gendatouts has the same sphere in the components of smallest variance: a variant""",
        """VUC: the exact dominated volume over all thresholds; radius, integration and
        rejection threshold read otherwise in the table of variants""",
        """what differs, gains: they move with the unit of t_d, the lists and the unseen cluster.
        With the outliers as numbers of classes and the cluster of middle size unseen, the gains of
        Phoneme and of Mfeat's density models come near the print; those of Satellite's LDC lie
        between this unit and the share of rejected targets. NMC has another gain under all""",
        """what differs, volumes: no variant tried gives all of them (radius, integration, lists,
        cluster). The radius moves them most. For Phoneme with the cluster of middle size most
        printed volumes lie between both radii; for Mfeat's density models they lie beside the
        radius of the standard deviation, for NMC below both""",
    ],
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

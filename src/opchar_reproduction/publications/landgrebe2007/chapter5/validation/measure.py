"""VUC and the gain of the reject option on a hidden class (Sec. 5.3.4)."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from opchar.reject.volume import vuc_of_patch, vuc_resampled
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    TARGET,
    characteristic,
    pairs,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.validation.gains import (
    Choices,
    Scores,
    TestedRow,
    patch_rates,
    typicality_of,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, settings, study

OTHERS = {
    "numbers": "digits by number of the class",
    "middle": "the cluster of middle size unseen",
    "largest": "the largest cluster unseen",
}
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
    `volume`: Whether the volume is the dominated one or Eq. 5.15 over the patch of a grid of
    thresholds.
    `restricted`: Row of Table 5.3 by row of the restricted volume.
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


def add_printed(
    results: Results,
    measured: Mapping[str, TestedRow],
    chosen: Choices,
    restricted: Mapping[str, str],
    largest: float,
) -> None:
    """Add the lines that the work prints, and the frames that its statements read."""
    for name, row in measured.items():
        volumes, gains, data = row.volumes(chosen), row.gains(chosen), row.data(chosen)
        add = partial(add_mean, results, data=data)
        add("table-5.3", name, "VUC", volumes, unit="fraction")
        add("table-5.3", name, "Percentage gain", gains, unit="% points")
        where = {"row": name, "data set": data, "repeat": range(len(gains))}
        results.add_frame("validation", where | {"vuc": volumes, "gain": gains})
    for name, whole in restricted.items():
        row = measured[whole]
        parts, data = row.volumes(chosen, largest), row.data(chosen)
        add_mean(results, "text-5.3.4", name, "VUC_2", parts, unit="fraction", data=data)
        where = {"row": name, "repeat": range(len(parts))}
        results.add_frame("restricted", where | {"vuc": row.volumes(chosen), "restricted": parts})


def add_variants(results: Results, row: TestedRow, chosen: Choices) -> None:
    """Add the volume and the gain under what else the text can mean."""
    unit, name, data = chosen.unit(row.model), row.entry["row"], row.data(chosen)
    volumes = {
        "VUC, radius in deviations": row.volumes(replace(chosen, sphere="sphere of deviations"))
    }
    for one, _ in row.folds(chosen):
        sample = characteristic(one["held out"], one[chosen.sphere], typicality_of(unit))
        rates = patch_rates(sample, chosen.grid, sample.target[:, 1].max())
        patch = vuc_of_patch(rates)
        volumes.setdefault("VUC, Eq. 5.15 over the patch", []).append(patch.vuc)
        volumes.setdefault("VUC, volume under the patch", []).append(patch.under_patch)
        volumes.setdefault("VUC, resampled", []).append(vuc_resampled(rates, 51))
    gains = {}
    for key, words in OTHERS.items():
        if key in row.entry.get("others", {}):
            other = replace(chosen, lists=key, cluster=key)
            volumes[f"VUC, {words}"] = row.volumes(other)
            gains[f"gain, {words}"] = row.gains(other)
    for other_unit in ("density", "posterior", "share", "relative"):
        if other_unit != unit:
            units = {"nmc": other_unit, "other": other_unit}
            gains[f"gain, t_d as {other_unit}"] = row.gains(replace(chosen, units=units))
    gains["gain, errors pooled"] = row.gains(replace(chosen, errors="pooled"))
    gains["gain, theta on held-out objects"] = row.gains(replace(chosen, chosen_on="held out"))
    densities = [
        float(np.exp(pairs(two["train"], TARGET)[:, 1].max())) for _, two in row.folds(chosen)
    ]
    largest = {"largest density of a training target": densities}
    for found, what in ((volumes, "fraction"), (largest, "density"), (gains, "% points")):
        for column, values in found.items():
            add_mean(results, "table-5.3-variants", name, column, values, unit=what, data=data)

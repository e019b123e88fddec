"""Lines of Table 5.3 and of the table of its variants."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from opchar.reject.volume import vuc_of_patch, vuc_resampled
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    TARGET,
    characteristic,
    pairs,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.validation.gains import (
    Choices,
    TestedRow,
    add_spread,
    patch_rates,
    typicality_of,
)
from opchar_reproduction.results import Results

OTHERS = {
    "numbers": "digits by number of the class",
    "middle": "the cluster of middle size unseen",
    "largest": "the largest cluster unseen",
}


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
        add_spread(results, "table-5.3", name, "VUC", volumes, "fraction", data)
        add_spread(results, "table-5.3", name, "Percentage gain", gains, "% points", data)
        results.add_frame(
            "validation",
            {
                "row": name,
                "data set": data,
                "repeat": range(len(gains)),
                "vuc": volumes,
                "gain": gains,
            },
        )
    for name, whole in restricted.items():
        row = measured[whole]
        parts, data = row.volumes(chosen, largest), row.data(chosen)
        add_spread(results, "text-5.3.4", name, "VUC_2", parts, "fraction", data)
        results.add_frame(
            "restricted",
            {
                "row": name,
                "repeat": range(len(parts)),
                "vuc": row.volumes(chosen),
                "restricted": parts,
            },
        )


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
        for column, value in {
            "VUC, Eq. 5.15 over the patch": patch.vuc,
            "VUC, volume under the patch": patch.under_patch,
            "VUC, resampled": vuc_resampled(rates, 51),
        }.items():
            volumes.setdefault(column, []).append(value)
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
    for found, what in (
        (volumes, "fraction"),
        ({"largest density of a training target": densities}, "density"),
        (gains, "% points"),
    ):
        for column, values in found.items():
            add_spread(results, "table-5.3-variants", name, column, values, what, data)

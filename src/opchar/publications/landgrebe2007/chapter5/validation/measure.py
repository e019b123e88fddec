"""VUC and the gain of the reject option on a hidden class (Sec. 5.3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from opchar.publications.landgrebe2007.chapter5.score_tables import (
    OUTLIER,
    TARGET,
    UNSEEN,
    by_test_set,
    characteristic,
    pairs,
)
from opchar.reject.analytic import RejectRates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.two_stage.design import even_thresholds
from opchar.reject.volume import vuc, vuc_of_patch, vuc_resampled
from opchar.results import Results, keep_repeats
from opchar.scores import ScoreTable, rejecting_threshold
from opchar.study import study, table, variant

Scores = Mapping[tuple[str, str], ScoreTable]
Tests = dict[str, ScoreTable]

OTHERS = {
    "numbers": "digits by number of the class",
    "middle": "the cluster of middle size unseen",
    "largest": "the largest cluster unseen",
}


@dataclass(frozen=True)
class Choices:
    """What Sec. 5.3.4 leaves open; see `validation`."""

    units: Mapping[str, str]
    chosen_on: str
    sphere: str
    errors: str
    lists: str
    cluster: str
    volume: str
    grid: tuple[int, int]

    def unit(self, model: str) -> str:
        """Return what t_d is a threshold of for a model."""
        return self.units["nmc" if model.endswith("nmc") else "other"]


@study(
    "reject-validation",
    choices=[
        """a digit that the text puts in two lists stays in the first of them: targets
        2 and 6, known outliers 4, 5 and 8, unseen 1 and 9. If both lists of outliers are
        numbers of classes counted from 1 (digits 3, 4, 5, 7 and 0, 1, 8), no digit is in two
        lists, and the gains of the three density models come out as printed (table of variants)""",
        "satellite: classes counted 1 to 6 in the order of the data's description",
        """phoneme: k-means once, in the order in which it numbers its clusters; the
        third is unseen. The numbers are random: the other two are variants""",
        """half of the targets and the whole unseen class validate; ten repeats draw
        this half anew""",
        """gain: mean of the error rates of targets and unseen class (Eq. 5.16) without
        reject option minus with it, in points; the formula in the text has the other sign""",
        "theta: equal errors of targets and known outliers on the training objects",
        """t_d: a density of the target class in the model's own space, as Eq. 5.13
        says; of NMC a posterior, since the text says that small values reject nothing, which no
        density does""",
        """PCA-4D LDC: no training target has a density of 0.1 in four components of
        grey values, so t_d = 0.10 rejects everything and the printed gain cannot be one at this
        density; as the share of training targets to reject, 0.10 gives this model the printed
        gain""",
        """unseen objects of the VUC: 1000, uniform in a sphere of 1.1 times the
        distance of the farthest target""",
        """VUC: the exact dominated volume over all thresholds; radius, integration and
        rejection threshold read otherwise in the table of variants""",
        """what differs, gains: looked for, not found. They move with the unit of t_d, the lists
        and the unseen cluster. With the outliers as numbers of classes, t_d relative to the largest
        density and the cluster of middle size unseen, the gains of Phoneme and of Mfeat's
        density models come near the print; those of Satellite's LDC lie between this unit and
        the share of rejected targets. With the radius of a standard deviation this is the most
        likely variant of the table as a whole, and does not fit (page of alternative
        protocols). NMC has another gain under all""",
        """what differs, volumes: no variant tried gives all of them (radius,
        integration, lists, cluster). The radius moves them most: for Phoneme with the cluster
        of middle size most printed ones lie between those of both radii, for Mfeat's density
        models beside that of the standard deviation, for NMC below both""",
    ],
    kind="reject",
    basis="data",
    scores=[
        {
            "data": "phoneme",
            "protocol": "hidden-cluster-10",
            "models": [
                "reject qdc",
                "pca3 reject qdc",
                "reject mogc 1 4",
                "reject mogc 1 3",
                "reject mogc 1 2",
            ],
        },
        {
            "data": "phoneme-middle-cluster",
            "protocol": "hidden-cluster-10-middle",
            "models": [
                "reject qdc",
                "pca3 reject qdc",
                "reject mogc 1 4",
                "reject mogc 1 3",
                "reject mogc 1 2",
            ],
        },
        {
            "data": "phoneme-largest-cluster",
            "protocol": "hidden-cluster-10-largest",
            "models": [
                "reject qdc",
                "pca3 reject qdc",
                "reject mogc 1 4",
                "reject mogc 1 3",
                "reject mogc 1 2",
            ],
        },
        {
            "data": "mfeat-fou-26",
            "protocol": "hidden-class-10",
            "models": [
                "fisher reject nmc",
                "fisher reject ldc",
                "fisher reject qdc",
                "fisher reject mogc 2 3",
            ],
        },
        {
            "data": "mfeat-fou-26-numbers",
            "protocol": "hidden-class-10",
            "models": [
                "fisher reject nmc",
                "fisher reject ldc",
                "fisher reject qdc",
                "fisher reject mogc 2 3",
            ],
        },
        {
            "data": "satellite-stubble",
            "protocol": "hidden-class-10",
            "models": ["fisher reject nmc", "fisher reject ldc", "pca4 reject ldc"],
        },
    ],
    variants={
        "measure_all": "all_variants",
        "frames": ["validation", "restricted"],
        "contradicted": {
            "Mfeat": """Section 5.3.4: "digits 2 and 6 are used as the target class, digits 4, 5, 6
            and 8" as outliers, and "digits 1, 2 and 9" as the unseen ones: two digits are both
            target and outlier."""
        },
    },
)
@variant(
    "lists of outliers",
    section="5.3.4",
    why="""Two digits are in two of the three lists of classes; as numbers of classes
        counted from one the lists of outliers share none with the targets.""",
    primary="digits",
    values={"digits": {}, "numbers of classes": {"lists": "numbers"}},
)
@variant(
    "t_d",
    section="5.3.4",
    why="""The equation thresholds the density; the unit of the printed thresholds, the
        same for models of other dimensions, is not said.""",
    primary="density",
    values={
        "density": {},
        "share of rejected targets": {"units": {"nmc": "posterior", "other": "share"}},
        "share of the largest density": {"units": {"nmc": "posterior", "other": "relative"}},
    },
)
@variant(
    "unseen cluster",
    section="5.3.4",
    why="""The third cluster of phonemes is unseen, and k-means numbers its clusters at
        random.""",
    primary="as numbered",
    values={
        "as numbered": {},
        "middle in size": {"cluster": "middle"},
        "largest": {"cluster": "largest"},
    },
)
@variant(
    "error rate",
    section="5.3.4",
    why="""The case study averages the rates of the classes, the validation speaks of
        the error rate of one joined set.""",
    primary="mean of the classes",
    values={"mean of the classes": {}, "pooled": {"errors": "pooled"}},
)
@variant(
    "radius",
    section="5.3.4",
    why="""A radius of 1.1 of the covariance may be 1.1 standard deviations or reach
        around the class.""",
    primary="farthest target",
    values={"farthest target": {}, "standard deviation": {"sphere": "sphere of deviations"}},
)
@variant(
    "volume",
    section="5.3.3",
    why="""The integral runs over a surface that leaves a part of the false positives
        out; the numbers of thresholds are those of Sec. 6.2.4.""",
    primary="dominated",
    values={"dominated": {}, "patch of 200 by 100 thresholds": {"volume": "patch"}},
)
@variant(
    "theta chosen on",
    section="5.3.4",
    why="""Theta is set to the point of equal errors after a training with all known
        objects, while the operating characteristics of the step before are those of held-out
        objects; the validation set has no known outliers, and t_d is printed. Declared after
        results had been seen.""",
    primary="training objects",
    values={"training objects": {}, "held-out objects": {"chosen_on": "held out"}},
)
def validation(
    scores: Scores,
    *,
    rows: list[dict[str, Any]] = [
        {
            "row": "Phoneme / QDC t_d=0.01",
            "data": "phoneme",
            "others": {"middle": "phoneme-middle-cluster", "largest": "phoneme-largest-cluster"},
            "model": "reject qdc",
            "t_d": 0.01,
        },
        {
            "row": "Phoneme / PCA-3D QDC t_d=0.01",
            "data": "phoneme",
            "others": {"middle": "phoneme-middle-cluster", "largest": "phoneme-largest-cluster"},
            "model": "pca3 reject qdc",
            "t_d": 0.01,
        },
        {
            "row": "Phoneme / MOGC 1 4 t_d=0.01",
            "data": "phoneme",
            "others": {"middle": "phoneme-middle-cluster", "largest": "phoneme-largest-cluster"},
            "model": "reject mogc 1 4",
            "t_d": 0.01,
        },
        {
            "row": "Phoneme / MOGC 1 3 t_d=0.01",
            "data": "phoneme",
            "others": {"middle": "phoneme-middle-cluster", "largest": "phoneme-largest-cluster"},
            "model": "reject mogc 1 3",
            "t_d": 0.01,
        },
        {
            "row": "Phoneme / MOGC 1 2 t_d=0.01",
            "data": "phoneme",
            "others": {"middle": "phoneme-middle-cluster", "largest": "phoneme-largest-cluster"},
            "model": "reject mogc 1 2",
            "t_d": 0.01,
        },
        {
            "row": "Mfeat / Fisher NMC t_d=0.70",
            "data": "mfeat-fou-26",
            "others": {"numbers": "mfeat-fou-26-numbers"},
            "model": "fisher reject nmc",
            "t_d": 0.7,
        },
        {
            "row": "Mfeat / Fisher LDC t_d=0.05",
            "data": "mfeat-fou-26",
            "others": {"numbers": "mfeat-fou-26-numbers"},
            "model": "fisher reject ldc",
            "t_d": 0.05,
        },
        {
            "row": "Mfeat / Fisher QDC t_d=0.05",
            "data": "mfeat-fou-26",
            "others": {"numbers": "mfeat-fou-26-numbers"},
            "model": "fisher reject qdc",
            "t_d": 0.05,
        },
        {
            "row": "Mfeat / Fisher MOGC 2 3 t_d=0.05",
            "data": "mfeat-fou-26",
            "others": {"numbers": "mfeat-fou-26-numbers"},
            "model": "fisher reject mogc 2 3",
            "t_d": 0.05,
        },
        {
            "row": "Satellite / Fisher NMC t_d=0.70",
            "data": "satellite-stubble",
            "model": "fisher reject nmc",
            "t_d": 0.7,
        },
        {
            "row": "Satellite / Fisher LDC t_d=0.10",
            "data": "satellite-stubble",
            "model": "fisher reject ldc",
            "t_d": 0.1,
        },
        {
            "row": "Satellite / PCA-4D LDC t_d=0.10",
            "data": "satellite-stubble",
            "model": "pca4 reject ldc",
            "t_d": 0.1,
        },
    ],
    units: dict[str, str] = {"nmc": "posterior", "other": "density"},
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
) -> Results:
    """VUC of each model and what its reject option gains on objects of a hidden class.

    Parameters
    ----------
    scores : mapping
        Score tables by data set and model, of the protocol `opchar.reject.unseen.hidden_class`.
    rows : list of dict
        ``row`` of Table 5.3, ``data``, ``model``, ``t_d`` and ``others``, data sets by the `lists`
        or the `cluster` that they stand for.
    units : dict
        What t_d is a threshold of: ``nmc`` of the nearest mean, ``other`` of all others:
        ``density``, ``posterior``, ``share`` (of the training targets that are rejected) or
        ``relative`` (to the largest density of a training target).
    chosen_on : {"train", "held out"}
        Objects on which theta is set to the point of equal errors.
    sphere : {"sphere", "sphere of deviations"}
        The artificial unseen objects of the VUC.
    errors : {"classes", "pooled"}
        Whether an error rate is the mean of the rates of both classes (Eq. 5.16), or pooled.
    lists : {"digits", "numbers"}
        Whether the lists of outliers are digits or numbers of classes.
    cluster : {"as numbered", "middle", "largest"}
        The unseen cluster of phonemes.
    volume : {"dominated", "patch"}
        Whether the volume is the dominated one or Eq. 5.15 over the patch of a grid of thresholds.
    restricted : dict
        Row of Table 5.3 by row of the restricted volume.
    largest : float
        Largest t_d of the restricted volume.
    grid : [int, int]
        Thresholds theta and t_d of the volumes by integration.

    Returns
    -------
    Results
        Lines of table-5.3, text-5.3.4 and table-5.3-variants; the frames ``validation`` and
        ``restricted`` with a line per row and repeat.
    """
    results = Results()
    chosen = Choices(units, chosen_on, sphere, errors, lists, cluster, volume, (grid[0], grid[1]))
    measured = {entry["row"]: _Row(scores, entry) for entry in rows}
    _add_printed(results, measured, chosen, restricted, largest)
    for row in measured.values():
        _variants(results, row, chosen)
    return results


def all_variants(
    scores: Scores,
    *,
    rows: list[dict[str, Any]],
    restricted: dict[str, str],
    largest: float,
    grid: list[int],
    variants: Mapping[str, Mapping[str, Any]],
    **choices: Any,
) -> dict[str, Results]:
    """Return what the work prints of Sec. 5.3.4 under several variants.

    Parameters
    ----------
    scores, rows, restricted, largest, grid, **choices
        As for `validation`.
    variants : mapping of str to mapping
        Parameters of `validation` that each variant changes.

    Returns
    -------
    dict of str to Results
        The lines of table-5.3 and text-5.3.4, and both frames.
    """
    measured = {entry["row"]: _Row(scores, entry) for entry in rows}
    found = {}
    for name, changes in variants.items():
        own = {"grid": grid, **choices, **changes}
        chosen = Choices(**own | {"grid": tuple(own["grid"])})
        found[name] = Results()
        _add_printed(found[name], measured, chosen, restricted, largest)
    return found


class _Row:
    """The score tables of a row of Table 5.3, and what was measured on them before."""

    def __init__(self, scores: Scores, entry: Mapping[str, Any]) -> None:
        self.entry = entry
        self.model = str(entry["model"])
        names = {"": entry["data"], **entry.get("others", {})}
        self._tables = {key: scores[data, self.model] for key, data in names.items()}
        self._folds = cache(lambda key: list(repeats(self._tables[key])))
        self._gains = cache(self._gains_by)
        self._volumes = cache(self._volumes_by)

    def _table_key(self, chosen: Choices) -> str:
        """Return which of the data sets the choices take, empty for the first."""
        return next((one for one in (chosen.lists, chosen.cluster) if one in self._tables), "")

    def folds(self, chosen: Choices) -> list[tuple[Tests, Tests]]:
        """Return the tests of the hold-out and of the validation of each repeat."""
        return self._folds(self._table_key(chosen))

    def data(self, chosen: Choices) -> str:
        """Return the data that the scores rest on."""
        return self._tables[self._table_key(chosen)].data

    def gains(self, chosen: Choices) -> list[float]:
        """Return the gain of each repeat."""
        unit = chosen.unit(self.model)
        return self._gains(self._table_key(chosen), unit, chosen.chosen_on, chosen.errors)

    def _gains_by(self, key: str, unit: str, chosen_on: str, errors: str) -> list[float]:
        return [
            _gain(one, two, self.entry["t_d"], unit, chosen_on, errors)
            for one, two in self._folds(key)
        ]

    def volumes(self, chosen: Choices, largest: float | None = None) -> list[float]:
        """Return the volume of each repeat, over all t_d or those up to `largest`."""
        unit = chosen.unit(self.model)
        grid = chosen.grid if chosen.volume == "patch" else None
        restricted = None if largest is None else (largest, unit)
        return self._volumes(
            self._table_key(chosen), chosen.sphere, _closeness(unit), grid, restricted
        )

    def _volumes_by(
        self,
        key: str,
        sphere: str,
        closeness: str,
        grid: tuple[int, int] | None,
        restricted: tuple[float, str] | None,
    ) -> list[float]:
        return [_volume(one, sphere, closeness, grid, restricted) for one, _ in self._folds(key)]


def _add_printed(
    results: Results,
    measured: Mapping[str, _Row],
    chosen: Choices,
    restricted: Mapping[str, str],
    largest: float,
) -> None:
    """Add the lines that the work prints, and the frames that its statements read."""
    for name, row in measured.items():
        volumes, gains, data = row.volumes(chosen), row.gains(chosen), row.data(chosen)
        _spread(results, "table-5.3", name, "VUC", volumes, "fraction", data)
        _spread(results, "table-5.3", name, "Percentage gain", gains, "% points", data)
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
        _spread(results, "text-5.3.4", name, "VUC_2", parts, "fraction", data)
        results.add_frame(
            "restricted",
            {
                "row": name,
                "repeat": range(len(parts)),
                "vuc": row.volumes(chosen),
                "restricted": parts,
            },
        )


def repeats(table: ScoreTable) -> Iterator[tuple[Tests, Tests]]:
    """Yield the test sets of the hold-out and of the validation of each repeat.

    Parameters
    ----------
    table : ScoreTable
        Of the protocol `opchar.reject.unseen.hidden_class`.

    Yields
    ------
    one, two : dict of str to ScoreTable
        The tests of the hold-out and those of the validation (landgrebe2007, Sec. 5.3.4).
    """
    folds = {fold: by_test_set(part) for fold, part in table.folds()}
    for fold in sorted(folds)[::2]:
        yield folds[fold], folds[fold + 1]


def _spread(
    results: Results,
    artefact: str,
    row: str,
    column: str,
    values: list[float],
    unit: str,
    data: str,
) -> None:
    given = np.asarray(values)
    results.number(
        artefact,
        row,
        column,
        given.mean(),
        std=given.std(ddof=1),
        n=len(given),
        unit=unit,
        data=data,
    )
    keep_repeats(results, artefact, row, column, given)


def _closeness(unit: str) -> str:
    return "posterior" if unit == "posterior" else "density"


def _volume(
    tests: Tests,
    sphere: str,
    closeness: str,
    grid: tuple[int, int] | None,
    restricted: tuple[float, str] | None,
) -> float:
    """Return the volume on the held-out objects and the artificial ones.

    On a grid, or else of what is dominated; over all t_d, or up to a value in its unit.
    """
    sample = characteristic(tests["held out"], tests[sphere], closeness)
    near = sample.target[:, 1]
    highest = near.max() if restricted is None else _level(near, *restricted)
    if grid is None:
        return vuc(sample, None if restricted is None else (-np.inf, highest))
    return vuc_of_patch(_rates(sample, grid, highest)).vuc


def _rates(sample: RejectCharacteristic, grid: tuple[int, int], highest: float) -> RejectRates:
    """Return the rates at even thresholds theta, and t_d from zero to a highest one."""
    everything = np.concatenate([sample.target, sample.outlier, sample.unseen])
    with np.errstate(divide="ignore"):
        distances = np.log(np.linspace(0, np.exp(highest), grid[1]))
    return sample.surface(even_thresholds(everything[:, 0], grid[0]), distances)


def _level(near: np.ndarray, t_d: float, unit: str) -> float:
    """Return t_d on the scale of the typicality, given that of targets."""
    if unit == "share":
        return rejecting_threshold(near, t_d)
    return float(np.log(t_d) + (near.max() if unit == "relative" else 0.0))


def _theta(one: Tests, two: Tests, chosen_on: str) -> float:
    """Return the point of equal errors between targets and known outliers."""
    known = two["train"] if chosen_on == "train" else one["held out"]
    sample = RejectCharacteristic(pairs(known, TARGET), pairs(known, OUTLIER), np.empty((0, 2)))
    return sample.equal_error_theta()


def _gain(one: Tests, two: Tests, t_d: float, unit: str, chosen_on: str, errors: str) -> float:
    """Return by how many points the reject option lowers the error on targets and hidden class."""
    shown = two["validation"]
    sample = RejectCharacteristic(
        pairs(shown, TARGET, _closeness(unit)),
        np.empty((0, 2)),
        pairs(shown, UNSEEN, _closeness(unit)),
    )
    theta = _theta(one, two, chosen_on)
    sizes = sample.sizes[[0, 2]]
    weights = np.array([0.5, 0.5]) if errors == "classes" else sizes / sizes.sum()
    rates = []
    near = pairs(two["train"], TARGET, _closeness(unit))[:, 1]
    for level in (-np.inf, _level(near, t_d, unit)):
        point = sample.at(theta, level)
        rates.append(weights @ [1 - point.tpr, point.fpr_unseen])
    return 100 * float(rates[0] - rates[1])


def _variants(results: Results, row: _Row, chosen: Choices) -> None:
    """Add the volume and the gain under what else the text can mean."""
    unit, name, data = chosen.unit(row.model), row.entry["row"], row.data(chosen)
    volumes = {
        "VUC, radius in deviations": row.volumes(replace(chosen, sphere="sphere of deviations"))
    }
    for one, _ in row.folds(chosen):
        sample = characteristic(one["held out"], one[chosen.sphere], _closeness(unit))
        rates = _rates(sample, chosen.grid, sample.target[:, 1].max())
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
            _spread(results, "table-5.3-variants", name, column, values, what, data)


table(
    "table-5.3",
    title="VUC and gain of the reject option with a hidden class",
    section="5.3.4",
    caption="Means and standard deviations over ten repeats.",
    lines=["table-5.3"],
)


table(
    "table-5.3-variants",
    title="VUC and gain under other variants of the protocol",
    section="5.3.4",
    caption="""What the same scores give when the text is read otherwise, one choice at a
        time.""",
)


table(
    "text-5.3.4",
    title="Volumes of two Satellite models over a part of the rejection thresholds",
    section="5.3.4",
    caption="Means and standard deviations over ten repeats; thresholds t_d up to 0.2.",
    choices=[],
)

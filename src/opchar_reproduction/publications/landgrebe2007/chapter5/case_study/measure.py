"""Three classifiers with a reject option on generated data (Sec. 5.3.3)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.datasets.generators import grid_points
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.operating_point import mean_error
from opchar.reject.two_stage.design import even_thresholds
from opchar.reject.volume import vuc, vuc_of_patch
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    OUTLIER,
    TARGET,
    by_test_set,
    characteristic,
    level_of,
    pairs,
    target_margin,
)
from opchar_reproduction.results import Results, keep_repeats
from opchar_reproduction.study import study

Tests = dict[str, ScoreTable]


@study(
    "reject-case-study",
    kind="reject",
    basis="illustration",
    scores=["reject-case-study | case-study | reject ldc; reject qdc; reject mogc 3"],
    features=["reject-case-study"],
    variants={
        "profiles": ["paper"],
        "frames": ["volumes", "errors", "mean performance", "operating points", "by threshold"],
    },
    units="set",
)
def case_study(
    scores: Mapping[tuple[str, str], ScoreTable],
    features: Mapping[str, FeatureTable],
    *,
    models: dict[str, str] = {"LDC": "reject ldc", "QDC": "reject qdc", "MOGC": "reject mogc 3"},
    t_d: float = 0.05,
    unit: str = "density",
    chosen_on: str = "train",
    at_fpr: float = 0.25,
    grid: list[int] = [200, 10],
    surface: list[int] = [60, 30],
) -> Results:
    """Operating characteristics, VUC and errors of three models (Figures 5.9, 5.10, Table 5.2).

    `features`: Their training set.
    `models`: Model by its name in the work.
    `t_d`, `unit`: Rejection threshold on the density of the target class, or ``relative`` to the
    largest one of a training target.
    `chosen_on`: Objects on which the theta of the errors is set to the point of least error: those
    of the training, or those of each independent set itself.
    `at_fpr`: Share of the unseen class at which mean performances are compared.
    `grid`: Thresholds theta and t_d of the volume over the patch.
    `surface`: Thresholds of the surfaces that are drawn.
    """
    results = Results()
    (data, objects), *_ = features.items()
    rows = objects.groups["part"] == "train"
    names = np.array(objects.classes, dtype=object)[objects.y[rows]]
    results.add_frame("scatter", {"x": objects.X[rows, 0], "y": objects.X[rows, 1], "class": names})
    for name, model in models.items():
        folds = [by_test_set(part) for _, part in scores[data, model].folds()]
        for fold, tests in enumerate(folds[:-1]):
            _hold_out(results, name, fold, tests["held out"], at_fpr, grid)
        _add_surface(results, name, folds[0]["held out"], surface)
        level = level_of(pairs(folds[-1]["train"], TARGET)[:, 1], t_d, unit)
        _independent(results, name, folds[-1], level, chosen_on)
        _boundary(results, name, objects, folds[-1], level)
    _lines(results)
    return results


def _sample(table: ScoreTable) -> RejectCharacteristic:
    return characteristic(table, table)


def _hold_out(
    results: Results, name: str, fold: int, table: ScoreTable, at_fpr: float, grid: list[int]
) -> None:
    """Add the volumes of one hold-out, and its mean performance at limited acceptance."""
    sample = _sample(table)
    patch = vuc_of_patch(sample.surface(*_thresholds(sample, grid)))
    results.add_frame(
        "volumes", {"model": [name], "fold": fold, "vuc": vuc(sample), "patch": patch.vuc}
    )
    rates = sample.surface(*_thresholds(sample, [200, 100]))
    performance = rates.mean_performance()
    allowed = np.where(rates.fpr_reject <= at_fpr, performance, -np.inf)
    best = np.unravel_index(int(np.argmax(allowed)), allowed.shape)
    levels = np.linspace(0.05, 1.0, 20)
    reached = [performance[rates.fpr_reject <= level].max(initial=0.0) for level in levels]
    results.add_frame(
        "mean performance", {"model": name, "fold": fold, "fpr": levels, "performance": reached}
    )
    results.add_frame(
        "operating points",
        {
            "model": [name],
            "fold": fold,
            "performance": performance[best],
            "fpr": rates.fpr_reject[best],
        },
    )
    by_level = performance.max(axis=1)
    accepted = rates.fpr_reject[np.arange(len(by_level)), performance.argmax(axis=1)]
    results.add_frame(
        "by threshold",
        {
            "model": name,
            "fold": fold,
            "step": range(len(by_level)),
            "t_d": np.exp(rates.distances),
            "performance": by_level,
            "fpr": accepted,
        },
    )


def _thresholds(
    sample: RejectCharacteristic, number: list[int], power: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return even thresholds theta on the log odds, and t_d from zero to the largest density.

    The steps of t_d are even in its root of the order `power`.
    """
    known = np.concatenate([sample.target, sample.outlier])
    thetas = np.append(-np.inf, even_thresholds(known[:, 0], number[0] - 1))
    with np.errstate(divide="ignore"):
        return thetas, np.log(
            np.linspace(0, 1, number[1]) ** power * np.exp(sample.target[:, 1].max())
        )


def _add_surface(results: Results, name: str, table: ScoreTable, number: list[int]) -> None:
    """Add the surface of one hold-out, with more levels of t_d near zero, where rates change."""
    sample = _sample(table)
    rates = sample.surface(*_thresholds(sample, number, power=2))
    results.add_frame(
        "surface",
        {
            "model": name,
            "t_d": np.repeat(np.exp(rates.distances), len(rates.thetas)),
            "theta": np.tile(np.arange(len(rates.thetas)), len(rates.distances)),
            "tpr": rates.tpr.ravel(),
            "fpr_o": rates.fpr_outlier.ravel(),
            "fpr_r": rates.fpr_reject.ravel(),
            "mean_performance": rates.mean_performance().ravel(),
        },
    )


def _theta(table: ScoreTable) -> float:
    """Return the classification threshold of least error among targets and known outliers."""
    sample = RejectCharacteristic(pairs(table, TARGET), pairs(table, OUTLIER), np.empty((0, 2)))
    sizes = sample.sizes[:2] / sample.sizes.sum()
    return sample.classification_first((1, 1, 0), sizes).theta


def _independent(results: Results, name: str, tests: Tests, level: float, chosen_on: str) -> None:
    """Add the errors on the independent sets with and without rejection (Eq. 5.16)."""
    for number, part in enumerate(sorted(key for key in tests if key.startswith("independent"))):
        sample = _sample(tests[part])
        theta = _theta(tests["train" if chosen_on == "train" else part])
        points = [sample.at(theta, least) for least in (level, -np.inf)]
        known = (1 - points[1].tpr + points[1].fpr_outlier) / 2
        results.add_frame(
            "errors",
            {
                "model": [name],
                "set": number,
                "eps_rej": mean_error(points[0]),
                "eps_norej": mean_error(points[1]),
                "known": known,
                "tpr": points[0].tpr,
                "unseen accepted": points[0].fpr_unseen,
            },
        )


def _boundary(
    results: Results, name: str, objects: FeatureTable, tests: Tests, level: float
) -> None:
    """Add how far inside the target region the points of a grid lie."""
    grid = tests["grid"]
    points = grid_points(objects.X, round(np.sqrt(len(grid.y))))
    margin = target_margin(grid, _theta(tests["train"]), level)
    results.add_frame(
        "boundary", {"model": name, "x": points[:, 0], "y": points[:, 1], "margin": margin}
    )


def _lines(results: Results) -> None:
    """Add the lines of Table 5.2 and Figure 5.10."""

    def spread(artefact: str, row: str, column: str, values: pd.Series, unit: str) -> None:
        results.number(
            artefact, row, column, values.mean(), std=values.std(), n=len(values), unit=unit
        )
        keep_repeats(results, artefact, row, column, values)

    for name, part in results.curves["volumes"].groupby("model", sort=False):
        spread("table-5.2", str(name), "VUC", part["vuc"], "fraction")
        spread("table-5.2", str(name), "VUC, Eq. 5.15 over the patch", part["patch"], "fraction")
    for name, part in results.curves["errors"].groupby("model", sort=False):
        for column in ("eps_rej", "eps_norej"):
            spread("table-5.2", str(name), column, part[column], "fraction")
        spread("text-5.3.3", str(name), "error on known data", part["known"], "fraction")
    for name, part in results.curves["operating points"].groupby("model", sort=False):
        rows = {"MOGC": "MOGC at FPr_r about 25.00%", "LDC": "LDC at the same FPr_r"}
        row = rows.get(str(name), f"{name} at the same FPr_r")
        spread("figure-5.10", row, "p_mean", 100 * part["performance"], "%")
        if name == "MOGC":
            spread("figure-5.10", "MOGC operating point", "FPr_r", 100 * part["fpr"], "%")

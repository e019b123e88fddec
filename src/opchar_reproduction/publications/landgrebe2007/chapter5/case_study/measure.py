"""Three classifiers with a reject option on generated data (Sec. 5.3.3)."""

from collections.abc import Mapping
from functools import partial

import numpy as np

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
    rates_frame,
    target_margin,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results
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
    where = {"model": [name], "fold": fold}
    results.add_frame("volumes", where | {"vuc": vuc(sample), "patch": patch.vuc})
    rates = sample.surface(*_thresholds(sample, [200, 100]))
    performance = rates.mean_performance()
    allowed = np.where(rates.fpr_reject <= at_fpr, performance, -np.inf)
    best = np.unravel_index(int(np.argmax(allowed)), allowed.shape)
    levels = np.linspace(0.05, 1.0, 20)
    reached = [performance[rates.fpr_reject <= level].max(initial=0.0) for level in levels]
    results.add_frame(
        "mean performance", {"model": name, "fold": fold, "fpr": levels, "performance": reached}
    )
    at_best = {"performance": performance[best], "fpr": rates.fpr_reject[best]}
    results.add_frame("operating points", where | at_best)
    by_level = performance.max(axis=1)
    accepted = rates.fpr_reject[np.arange(len(by_level)), performance.argmax(axis=1)]
    steps = {"step": range(len(by_level)), "t_d": np.exp(rates.distances)}
    columns = {"performance": by_level, "fpr": accepted}
    results.add_frame("by threshold", {"model": name, "fold": fold} | steps | columns)


def _thresholds(
    sample: RejectCharacteristic, number: list[int], power: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return even thresholds theta on the log odds, and t_d from zero to the largest density.

    The steps of t_d are even in its root of the order `power`.
    """
    known = np.concatenate([sample.target, sample.outlier])
    thetas = np.append(-np.inf, even_thresholds(known[:, 0], number[0] - 1))
    densities = np.linspace(0, 1, number[1]) ** power * np.exp(sample.target[:, 1].max())
    with np.errstate(divide="ignore"):
        return thetas, np.log(densities)


def _add_surface(results: Results, name: str, table: ScoreTable, number: list[int]) -> None:
    """Add the surface of one hold-out, with more levels of t_d near zero, where rates change."""
    sample = _sample(table)
    rates = sample.surface(*_thresholds(sample, number, power=2))
    surface = rates_frame(rates, np.exp(rates.distances), np.arange(len(rates.thetas)))
    results.add_frame("surface", {"model": name} | surface)


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
        errors = {"eps_rej": mean_error(points[0]), "eps_norej": mean_error(points[1])}
        accepted = {"tpr": points[0].tpr, "unseen accepted": points[0].fpr_unseen}
        where = {"model": [name], "set": number}
        results.add_frame("errors", where | errors | {"known": known} | accepted)


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
    add = partial(add_mean, results, unit="fraction")
    for name, part in results.curves["volumes"].groupby("model", sort=False):
        add("table-5.2", str(name), "VUC", part["vuc"])
        add("table-5.2", str(name), "VUC, Eq. 5.15 over the patch", part["patch"])
    for name, part in results.curves["errors"].groupby("model", sort=False):
        for column in ("eps_rej", "eps_norej"):
            add("table-5.2", str(name), column, part[column])
        add("text-5.3.3", str(name), "error on known data", part["known"])
    for name, part in results.curves["operating points"].groupby("model", sort=False):
        is_mixture = name == "MOGC"
        row = "MOGC at FPr_r about 25.00%" if is_mixture else f"{name} at the same FPr_r"
        add("figure-5.10", row, "p_mean", 100 * part["performance"], unit="%")
        if is_mixture:
            add("figure-5.10", "MOGC operating point", "FPr_r", 100 * part["fpr"], unit="%")

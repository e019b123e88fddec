"""Means over folds, their deviation over test sets, their least values (mullick2020, Sec. 5)."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pandas as pd

from opchar.metrics.conditions import MatrixIndex
from opchar.models.splits.representatives import TEST_SETS
from opchar_reproduction.publications.mullick2020.problems import FORMS, Problem
from opchar_reproduction.results import Results

KEYS = ["problem", "classes", "index"]
AVERAGING = ("pooled", "per classifier")
LEAST_OF = ("mean performances", "single folds", "test sets", "classifiers")


def performances(problems: list[Problem], indices: Mapping[str, MatrixIndex]) -> pd.DataFrame:
    """Return the value of each index on each test set of each fold."""
    rows = []
    for problem in problems:
        for classifier, matrices in problem.matrices.items():
            for name, index in indices.items():
                values = np.asarray(index(matrices))
                folds, sets = np.indices(values.shape)
                columns = {
                    "problem": problem.name,
                    "classes": problem.about["classes"],
                    "classifier": classifier,
                    "index": name,
                    "fold": folds.ravel(),
                    "test set": np.array(TEST_SETS)[sets.ravel()],
                    "value": values.ravel(),
                }
                rows.append(pd.DataFrame(columns))
    return pd.concat(rows, ignore_index=True)


def mean_performances(single: pd.DataFrame) -> pd.DataFrame:
    """Return the means of `performances` over folds, by problem, classifier and test set."""
    keys = ["problem", "classes", "classifier", "index", "test set"]
    return single.groupby(keys, sort=False)["value"].mean().reset_index()


def with_threshold(table: pd.DataFrame, threshold: str) -> pd.DataFrame:
    """Keep one of the two forms of NBSVM, so that there are as many classifiers as in the work."""
    left_out = [name for form, name in FORMS.items() if form != threshold]
    return table[~table["classifier"].isin(left_out)]


def deviations(means: pd.DataFrame, *, averaging: str, divisor: str) -> pd.DataFrame:
    """Return the deviation of the mean performance, by problem and index."""
    ddof = {"n - 1": 1, "n": 0}[divisor]
    if averaging == "pooled":
        found = means.groupby(KEYS, sort=False)["value"].std(ddof=ddof)
    elif averaging == "per classifier":
        single = means.groupby([*KEYS, "classifier"], sort=False)["value"].std(ddof=ddof)
        found = single.groupby(KEYS, sort=False).mean()
    else:
        raise ValueError(f"averaging is one of {', '.join(AVERAGING)}, not '{averaging}'")
    return found.rename("deviation").reset_index()


def least_values(means: pd.DataFrame, single: pd.DataFrame, *, least_of: str) -> pd.DataFrame:
    """Return the least value of each index, by problem."""
    if least_of not in LEAST_OF:
        raise ValueError(f"least_of is one of {', '.join(LEAST_OF)}, not '{least_of}'")
    table = single if least_of == "single folds" else means
    within = {"test sets": "test set", "classifiers": "classifier"}
    if least_of in within:
        keys = [*KEYS, within[least_of]]
        table = table.groupby(keys, sort=False)["value"].mean().reset_index()
    found = table.groupby(KEYS, sort=False)["value"].min()
    return found.rename("minimum").reset_index()


def record_deviations(
    results: Results, artefact: str, found: pd.DataFrame, row: str = "mean deviation"
) -> None:
    """Record the mean of `deviations` over the problems, a column for each index."""
    for index, part in found.groupby("index", sort=False)["deviation"]:
        std = float(part.std(ddof=1)) if len(part) > 1 else None
        results.number(artefact, row, str(index), float(part.mean()), std=std, n=len(part))


def record_order(results: Results, artefact: str, found: pd.DataFrame) -> None:
    """Record the share of problems on which the index of a row varies more than that of a column.

    And in a last column the share on which it varies more than all others.
    """
    table = found.pivot_table(
        index="problem", columns="index", values="deviation", dropna=False, sort=False
    )
    for first, second in permutations(table.columns, 2):
        share = (table[first] > table[second]).mean()
        results.number(artefact, str(first), str(second), share, n=len(table))
    for name in table.columns:
        largest = table.drop(columns=name).lt(table[name], axis=0).all(axis=1)
        results.number(artefact, str(name), "all others", largest.mean(), n=len(table))


def record_least(results: Results, found: pd.DataFrame, data: Mapping[str, str]) -> None:
    """Record the `least_values` of each problem, and that of GMean over ten classes (Fig. 5)."""
    for line in found.to_dict("records"):
        name = line["problem"]
        results.number("figure-5", name, line["index"], line["minimum"], data=data[name])
    ten = found[(found["classes"] == 10) & (found["index"] == "GMean")]
    if len(ten):
        lowest = ten.sort_values("minimum").iloc[0]
        row, column, value = "one ten-class dataset", "minimum GMean", lowest["minimum"]
        given = data[lowest["problem"]]
        results.number("figure-5", row, column, value, n=len(ten), data=given)


def keep_least(results: Results, found: pd.DataFrame) -> None:
    """Keep `least_values` as frames: all problems, and those of few and of ten classes apart.

    The last two give each problem its own name, so that it can be drawn alone.
    """
    results.add_frame("minima", found)
    ten = found["classes"] == 10
    for frame, unit, part in (
        ("minima, few classes", "few-class problem", found[~ten]),
        ("minima, ten classes", "ten-class problem", found[ten]),
    ):
        results.add_frame(frame, part.rename(columns={"problem": unit}))

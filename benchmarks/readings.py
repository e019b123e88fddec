"""How often a wrong reading is taken, and the true one is found, where cells depend on each other.

Tables of models by measures are made by a protocol that none of the readings describes, by the
primary reading, or by one of the others. Readings move single cells or whole models, by some
standard errors; the errors of the cells of a model, or of all cells, are correlated; in *folds*
both the printed table and the repeats are resampled from folds of real data. The reproduction keeps
ten repeats, or none. The least factor is found for each table as for a published one.

    python benchmarks/readings.py              # the grid of docs/readings.md
    python benchmarks/readings.py --tables 60  # a look
    python benchmarks/readings.py --moves cells
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from time import process_time

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from opchar.statistics.chance_readings import chance_factors, least_factor
from opchar.statistics.joint_likelihood import common_error, correlation_of_repeats
from opchar.statistics.readings import LEAST_FACTOR, Readings, explaining, factors

FOLDS, DRAWS, MEASURES = 10, 400, 4
SPREAD, UNIT = 0.02, 0.001
NOISES = ("0", "0.5", "0.9", "common 0.9", "folds")
# Models of four measures each, other readings, and how far these move in standard errors.
SIZES = tuple((*size, distance) for distance in (1.0, 3.0) for size in ((3, 5), (5, 15), (11, 15)))
Setting = tuple[str, bool]


@cache
def folds() -> np.ndarray:
    """Return four measures of five classifiers in 40 splits of real data, standardised."""
    X, y = load_breast_cancer(return_X_y=True)
    models = (
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(reg_param=0.01),
        GaussianNB(),
        KNeighborsClassifier(5),
        DecisionTreeClassifier(max_depth=3, random_state=0),
    )
    rows = []
    for train, test in StratifiedShuffleSplit(40, test_size=0.2, random_state=0).split(X, y):
        row: list[float] = []
        for model in models:
            score = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
            called = score > 0.5
            row += [roc_auc_score(y[test], score), average_precision_score(y[test], score)]
            row += [accuracy_score(y[test], called), f1_score(y[test], called)]
        rows.append(row)
    found = np.array(rows)
    return (found - found.mean(axis=0)) / found.std(axis=0, ddof=1)


def errors(noise: str, models: int, number: int, rng: np.random.Generator) -> np.ndarray:
    """Return errors of variance one of all cells, a row a repeat."""
    cells = models * MEASURES
    if noise == "folds":
        real = folds()
        kept = np.arange(cells) % real.shape[1]
        shared = real[rng.integers(len(real), size=number)][:, kept]
        return shared
    own = rng.normal(size=(number, cells))
    if noise.startswith("common"):
        shared = np.repeat(rng.normal(size=(number, 1)), cells, axis=1)
        share = float(noise.split()[1])
    else:
        shared = np.repeat(rng.normal(size=(number, models)), MEASURES, axis=1)
        share = float(noise)
    return np.sqrt(share) * shared + np.sqrt(1 - share) * own


def readings(
    models: int,
    others: int,
    distance: float,
    moves: str,
    kept: bool,
    noise: str,
    rng: np.random.Generator,
) -> tuple[Readings, np.ndarray]:
    """Return readings, and the values of a protocol that is none of them."""  # fmt: skip
    cells = models * MEASURES
    primary = rng.uniform(0.5, 0.95, cells)
    if moves == "models":
        moved = np.repeat(rng.normal(0, distance, (others + 1, models)), MEASURES, axis=1)
    else:
        moved = rng.normal(0, distance, (others + 1, cells))
    values = np.vstack([primary, primary + SPREAD * moved])
    repeats = errors(noise, models, FOLDS, rng)
    given = Readings(
        published=primary,
        unit=np.full(cells, UNIT),
        values=values[:-1],
        spread=np.full(values[:-1].shape, SPREAD),
        correlation=correlation_of_repeats(repeats) if kept else common_error(cells),
        block=np.repeat(np.arange(models), MEASURES),
    )
    return given, values[-1]


def printed(
    source: np.ndarray, models: int, noise: str, number: int, rng: np.random.Generator
) -> np.ndarray:
    """Return tables that a protocol with these values prints."""
    if noise == "folds":  # A mean over folds has the dependence of the folds.
        error = errors(noise, models, number * FOLDS, rng).reshape(number, FOLDS, -1)
        error = error.sum(axis=1) / np.sqrt(FOLDS)
    else:
        error = errors(noise, models, number, rng)
    return np.asarray(np.round((source + SPREAD * error) / UNIT) * UNIT)


def taken(given: Readings, tables: np.ndarray, rng: np.random.Generator) -> list[int]:
    """Return the readings to which tables are attributed, each with a least factor of its own."""
    found = []
    for table, ahead in zip(tables, factors(tables, given), strict=True):
        if ahead < np.log(LEAST_FACTOR):
            continue
        one = replace(given, published=table)
        attributed = explaining(one, least_factor(chance_factors(one, rng, DRAWS)))
        found += [] if attributed is None else [attributed]
    return found


def shares(moves: str, tables: int, seed: int) -> Iterator[tuple[Setting, dict[str, float]]]:
    """Yield each setting, and the shares of its tables that are attributed wrongly or rightly."""
    for setting in product(NOISES, (True, False)):
        noise, kept = setting
        number = dict.fromkeys(("none", "primary"), tables) | {"found": max(tables // 20, 10)}
        counted = dict.fromkeys(number, 0)
        for part in range(len(SIZES)):
            place = [NOISES.index(noise), moves == "models", kept]
            rng = np.random.default_rng([seed, part, *place])
            models, others, distance = SIZES[part]
            given, wrong = readings(models, others, distance, moves, kept, noise, rng)
            sources = {"none": wrong, "primary": given.values[0], "found": given.values[1]}
            for made, source in sources.items():
                few = number[made] // len(SIZES) + (part < number[made] % len(SIZES))
                attributed = taken(given, printed(source, models, noise, few, rng), rng)
                right = sum(each == 1 for each in attributed)
                counted[made] += right if made == "found" else len(attributed)
        yield setting, {made: counted[made] / number[made] for made in number}


def main() -> None:
    """Print a Markdown table, a row a setting."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=400, help="tables of each setting")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--moves", choices=("models", "cells"), default="models")
    given = parser.parse_args()
    start, largest = process_time(), 0.0
    print("| correlation | readings move | repeats | none | primary | found |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (noise, kept), found in shares(given.moves, given.tables, given.seed):
        largest = max(largest, found["none"], found["primary"])
        print(
            f"| {noise} | {given.moves} | {FOLDS if kept else 'none'} "
            f"| {found['none']:.2%} | {found['primary']:.2%} | {found['found']:.0%} |",
            flush=True,
        )
    print(f"\nat most {largest:.2%} false; {process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()

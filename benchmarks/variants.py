"""How often a wrong variant is taken, and the true one is found, where cells depend on each other.

Tables of models by measures are made by a protocol that none of the variants describes, by the
primary variant, or by one of the others; each table has variants of its own. Variants move single
cells or whole models, by some standard errors; the errors of the cells of a model, or of all cells,
are correlated; in *folds* both the printed table and the repeats are resampled from folds of real
data. The reproduction keeps ten repeats, or none. Each table is weighed as a published one.

    python benchmarks/variants.py              # the grid of docs/variants.md
    python benchmarks/variants.py --tables 60  # a look
    python benchmarks/variants.py --moves cells
    python benchmarks/variants.py --moves table --tables 300  # one factor for the whole table
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from time import process_time

import numpy as np
from scipy.stats import beta
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from opchar.statistics.chance_variants import CHANCE, chance_factors
from opchar.statistics.joint_likelihood import common_error, correlation_of_repeats
from opchar.statistics.variants import LEAST_FACTOR, Variants, factors, log_likelihoods

FOLDS, MEASURES = 10, 4
# Tables that chance makes, in parts: what it explains too often in the first is not attributed.
PARTS = (100, 400, 500)
SPREAD, UNIT = 0.02, 0.001
NOISES = ("0", "0.5", "0.9", "common 0.9", "folds")
# Models of four measures each, other variants, and how far these move in standard errors.
SIZES = tuple((*size, distance) for distance in (1.0, 3.0) for size in ((3, 5), (5, 15), (11, 15)))
WIDE = ((3, 5, 3.0), (5, 15, 3.0), (10, 20, 3.0))
# Errors and repeats that are kept: of tables whose variants move models or cells, or all at once.
GRID = tuple(product(NOISES, (FOLDS, 0)))
GRID_WIDE = (("0.5", FOLDS), ("0.9", FOLDS), ("tails 0.5", FOLDS), ("0.5", 5), ("tails 0.5", 5))
Setting = tuple[str, int]
Counted = dict[str, tuple[int, int]]


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
        return real[rng.integers(len(real), size=number)][:, np.arange(cells) % real.shape[1]]
    own = rng.normal(size=(number, cells))
    if noise.startswith("tails"):
        own = rng.standard_t(3, size=(number, cells)) / np.sqrt(3)
    together = cells if noise.startswith("common") else MEASURES
    shared = np.repeat(rng.normal(size=(number, cells // together)), together, axis=1)
    share = float(noise.split()[-1])
    return np.sqrt(share) * shared + np.sqrt(1 - share) * own


def variants(
    models: int,
    others: int,
    distance: float,
    moves: str,
    kept: int,
    noise: str,
    rng: np.random.Generator,
) -> tuple[Variants, np.ndarray]:
    """Return variants, and the values of a protocol that is none of them."""  # fmt: skip
    cells = models * MEASURES
    primary = rng.uniform(0.5, 0.95, cells)
    steps = {"models": models, "table": 1, "cells": cells}[moves]
    moved = np.repeat(rng.normal(0, distance, (others + 1, steps)), cells // steps, axis=1)
    if moves == "table":
        moved *= 1 + 0.3 * rng.normal(size=(others + 1, cells))
    values = np.vstack([primary, primary + SPREAD * moved])
    repeats = errors(noise, models, kept or FOLDS, rng)
    # Spreads of five repeats are estimates; those of ten and none are taken as known.
    spread = SPREAD * (repeats.std(axis=0, ddof=1) if 0 < kept < FOLDS else np.ones(cells))
    given = Variants(
        published=primary,
        unit=np.full(cells, UNIT),
        values=values[:-1],
        spread=np.tile(spread, (others + 1, 1)),
        correlation=correlation_of_repeats(repeats) if kept else common_error(cells),
        block=np.repeat(np.arange(models), MEASURES),
    )
    return given, values[-1]


def printed(source: np.ndarray, models: int, noise: str, rng: np.random.Generator) -> np.ndarray:
    """Return the table that a protocol with these values prints."""
    # A mean over folds has the dependence of the folds.
    number = FOLDS if noise == "folds" else 1
    error = errors(noise, models, number, rng).sum(axis=0) / np.sqrt(number)
    return np.asarray(np.round((source + SPREAD * error) / UNIT) * UNIT)


def attributed(given: Variants, rng: np.random.Generator) -> int | None:
    """Return the variant to which a table is attributed, by the rule of published ones."""
    ahead = factors(given.published[None], given)[0]
    if ahead < np.log(LEAST_FACTOR):
        return None
    reached = 0.0
    for draws in PARTS:
        reached = reached + (chance_factors(given, rng, draws) >= ahead).sum(axis=1)
        if reached.max() >= CHANCE * sum(PARTS):
            return None
    return int(np.argmax(log_likelihoods(given)))


def counts(moves: str, tables: int, seed: int) -> Iterator[tuple[Setting, Counted]]:
    """Yield each setting, and how many of its tables are attributed: wrongly, and rightly."""
    sizes, grid = (WIDE, GRID_WIDE) if moves == "table" else (SIZES, GRID)
    for at, setting in enumerate(grid):
        noise, kept = setting
        number = {"none": tables, "primary": tables}
        number |= dict.fromkeys(map(named, sizes), max(1, tables // 4 // len(sizes)))
        found = dict.fromkeys(number, 0)
        rng = np.random.default_rng([seed, at, ("cells", "models", "table").index(moves)])
        for made, tried in number.items():
            source = {"none": -1, "primary": 0}.get(made, 1)
            of_size = [size for size in sizes if named(size) == made] or sizes
            for table in range(tried):
                models, others, distance = of_size[table % len(of_size)]
                given, wrong = variants(models, others, distance, moves, kept, noise, rng)
                values = wrong if source < 0 else given.values[source]
                one = replace(given, published=printed(values, models, noise, rng))
                taken = attributed(one, rng)
                found[made] += taken == 1 if source == 1 else taken is not None
        yield setting, {made: (found[made], number[made]) for made in number}


def named(size: tuple[int, int, float]) -> str:
    """Return a size in words."""
    return f"{size[0] * MEASURES} cells, {size[2]:g} errors apart"


def said(false: int, tables: int) -> str:
    """Return a share of false attributions, and the most that it may be."""
    return f"{false} of {tables}, at most {upper(false, tables):.2%}"


def upper(false: int, tables: int) -> float:
    """Return the bound of Clopper and Pearson that a share exceeds with a confidence of 5 %."""
    return float(beta.ppf(0.95, false + 1, tables - false)) if false < tables else 1.0


def main() -> None:
    """Print a Markdown table, a row a setting."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=600, help="tables of each setting")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--moves", choices=("models", "cells", "table"), default="models")
    given = parser.parse_args()
    start, largest = process_time(), 0.0
    wrong, power, asked = np.zeros((2, 2), dtype=int), Counter[str](), Counter[str]()
    print("| correlation | variants move | repeats | none | primary |")
    print("| --- | --- | --- | --- | --- |")
    for (noise, kept), found in counts(given.moves, given.tables, given.seed):
        none, primary = found.pop("none"), found.pop("primary")
        largest = max(largest, upper(*none), upper(*primary))
        wrong += np.array([none, primary])
        for size, (right, tried) in found.items():
            power.update({size: right})
            asked.update({size: tried})
        row = f"| {noise} | {given.moves} | {kept or 'none'} | {said(*none)} | {said(*primary)} |"
        print(row, flush=True)
    print(f"\nnone: {said(*wrong[0])}; primary: {said(*wrong[1])}; rows at most {largest:.2%}")
    for size, tried in asked.items():
        print(f"found, {size}: {power[size] / tried:.0%} of {tried}")
    print(f"{process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()

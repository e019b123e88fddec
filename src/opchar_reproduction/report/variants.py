"""Comparison of variants: which choices that a work leaves open explain its printed values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.seeds import Spawn
from opchar.statistics.chance_variants import chance_factors, least_factor
from opchar.statistics.joint_likelihood import (
    LEAST_REPEATS,
    Floats,
    common_error,
    correlation_of_repeats,
)
from opchar.statistics.variants import (
    LEAST_FACTOR,
    Variants,
    cells_within,
    certain,
    deviations,
    explaining_variant,
    fits,
    log_likelihoods,
    weights,
)
from opchar_reproduction.report.comparison.samples import samples_of
from opchar_reproduction.report.comparison.verdicts import scale
from opchar_reproduction.report.specification import PRIMARY
from opchar_reproduction.report.variant_tables import CELLS, WEIGHTS
from opchar_reproduction.results import CONFIRMING

KEY = ["artefact", "row", "column"]
DRAWS = 4000
BY_SET = "set"
STAND_IN, ILLUSTRATION = "stand-in", "illustration"
# What is weighed and explains nothing, in the order in which it is taken.
OTHERS = (STAND_IN, ILLUSTRATION)


class _Number(NamedTuple):
    """What a variant gives for a cell: fields of a result line."""

    value: float
    std: float
    n: int | None
    tolerance: float
    unit: str


NOTHING = _Number(math.nan, math.nan, None, math.nan, "")
PRINTED = ("value_published", "std_published", "unit_published")


@dataclass(frozen=True)
class Artefact:
    """The printed cells of a label and what each variant gives for them.

    Shapes: `std` (R, k).
    """

    label: str
    lines: pd.DataFrame
    experiments: list[str]
    names: list[str]
    variants: Variants
    std: Floats
    basis: str
    blocks: list[str]
    dependence: str

    def distinct(self) -> tuple[Artefact, list[int]]:
        """Return the variants that give different cells, and the place of each variant in them."""
        given, spreads = self.variants.values, self.variants.spread  # noqa: PD011
        seen: dict[bytes, int] = {}
        places = [
            seen.setdefault(cells.tobytes() + spread.tobytes(), len(seen))
            for cells, spread in zip(given, spreads, strict=True)
        ]
        first = [places.index(place) for place in range(len(seen))]
        kept = replace(self.variants, values=given[first], spread=spreads[first])
        chosen = replace(
            self,
            experiments=[self.experiments[place] for place in first],
            names=[self.names[place] for place in first],
            variants=kept,
            std=self.std[first],
        )
        return chosen, places


def artefacts(
    published: pd.DataFrame,
    results: Mapping[str, pd.DataFrame],
    others: Mapping[str, pd.DataFrame],
    declared: Mapping[str, Sequence[str]],
    contradicted: Sequence[str] = (),
    *,
    repeats: Mapping[str, pd.DataFrame | None] | None = None,
    blocks: Mapping[str, Mapping[str, Any]] | None = None,
) -> Iterator[Artefact]:
    """Yield the labels of a work on whose cells its variants differ."""
    ours = pd.concat(list(results.values()), ignore_index=True).drop_duplicates(KEY)
    ours = ours[(ours["kind"] == "number") & ours["basis"].isin([*CONFIRMING, *OTHERS])]
    numbers = published[(published["kind"] == "number") & ~published["id"].isin(contradicted)]
    numbers = numbers[np.isfinite(numbers["value"].astype(float))]
    joined = numbers.merge(ours, on=KEY, suffixes=("_published", ""), validate="one_to_one")
    joined["data_used"] = joined["data"]
    reached = {name: set(frame["artefact"]) for name, frame in others.items()}
    for label, lines in joined.groupby("artefact", sort=False):
        named = [name for name, labels in reached.items() if label in labels]
        groups = [
            lines["basis"].isin(bases) for bases in (CONFIRMING, *([name] for name in OTHERS))
        ]
        used = lines[next(group for group in groups if group.any())]
        if named:
            kept = {name: others[name][others[name]["artefact"] == label] for name in named}
            names = {name: declared[name] for name in named}
            found = _artefact(str(label), used.reset_index(drop=True), kept, names)
            if len(found.distinct()[0].names) > 1:
                kept_repeats = [(repeats or {}).get(name) for name in named]
                declared_blocks = [(blocks or {}).get(name, {}) for name in named]
                yield _dependent(_in_blocks(found, declared_blocks), kept_repeats)


def _artefact(
    label: str,
    lines: pd.DataFrame,
    others: Mapping[str, pd.DataFrame],
    declared: Mapping[str, Sequence[str]],
) -> Artefact:
    """Lay the cells of every variant over those of the primary one."""
    where = list(zip(lines["row"], lines["column"], strict=True))
    ours = _numbers(lines.assign(variant=PRIMARY))[PRIMARY]
    rows, experiments, names = [list(ours.values())], [next(iter(declared))], [PRIMARY]
    for experiment, known in declared.items():
        found = _numbers(others[experiment])
        its_own = {key for numbers in found.values() for key in numbers}
        for name in known[1:]:
            laid = {key: NOTHING if key in its_own else ours[key] for key in where} | found[name]
            rows.append([laid[key] for key in where])
            experiments.append(experiment)
            names.append(name)
    scale_of = cache(_scale)
    cells = [zip(lines[list(PRINTED)].itertuples(index=False), row, strict=True) for row in rows]
    scales = np.array([[scale_of(*printed, ours) for printed, ours in row] for row in cells])
    variants = Variants(
        published=lines["value_published"].to_numpy(dtype=np.float64),
        unit=scales[0, :, 0],
        values=np.array([[number.value for number in row] for row in rows]),
        spread=scales[:, :, 1],
    )
    first = str(lines["basis"].iloc[0])
    std = np.array([[number.std for number in row] for row in rows])
    basis = first if first in OTHERS else "data"
    return Artefact(label, lines, experiments, names, variants, std, basis, [], "")


def _in_blocks(found: Artefact, declared: Sequence[Mapping[str, Any]]) -> Artefact:
    """Lay the declared blocks over the cells."""
    by = next((one["blocks"] for one in declared if "blocks" in one), BY_SET)
    names = found.lines["row" if by == BY_SET else by]
    names = names.str.partition(" / ")[0] if by == BY_SET else names
    block, labels = pd.factorize(names)
    contradicted = {name for one in declared for name in one.get("contradicted", {})}
    numbers = tuple(place for place, name in enumerate(labels) if name in contradicted)
    variants = replace(found.variants, block=block.astype(np.intp), contradicted=numbers)
    return replace(found, variants=variants, blocks=[str(name) for name in labels])


def _dependent(found: Artefact, repeats: Sequence[pd.DataFrame | None]) -> Artefact:
    """Lay the correlation of the cells over them: of repeats on the same data, or one assumed."""
    cells = len(found.lines)
    correlation, sources = np.eye(cells), []
    where = pd.MultiIndex.from_frame(found.lines[["row", "column"]])
    measured = [
        frame[frame["artefact"] == found.label].pivot_table(
            "measured", "repeat", ["row", "column"], sort=False
        )
        for frame in repeats
        if frame is not None
    ]
    wide = pd.concat(measured, axis=1) if measured else pd.DataFrame()
    kept = wide.T.groupby(level=[0, 1], sort=False).first().T if len(wide) else wide
    random = (found.variants.spread > 0).any(axis=0)
    for _, group in found.lines[random].groupby("data_used", sort=False):
        places = group.index.to_numpy()
        known = [place for place in places if where[place] in kept.columns]
        rows = kept[[where[place] for place in known]].dropna() if known else kept
        enough = bool(known) and len(rows) >= LEAST_REPEATS
        if len(known) == len(places) and enough:
            correlation[np.ix_(places, places)] = correlation_of_repeats(rows.to_numpy())
            sources.append(f"{len(rows)} repeats")
        else:
            correlation[np.ix_(places, places)] = common_error(len(places))
            sources.append("common error assumed")
    variants = replace(found.variants, correlation=correlation)
    return replace(found, variants=variants, dependence=", ".join(dict.fromkeys(sources)))


def _numbers(lines: pd.DataFrame) -> dict[str, dict[tuple[str, str], _Number]]:
    """Return what each variant gives by row and column; cells without a number are left out."""
    found: dict[str, dict[tuple[str, str], _Number]] = {}
    names = ("variant", "row", "column", "kind", *_Number._fields)
    for variant, row, column, kind, value, std, n, tolerance, unit in zip(
        *(lines[name] for name in names), strict=True
    ):
        number = _Number(value, std, None if pd.isna(n) else int(n), tolerance, unit)
        found.setdefault(variant, {})[row, column] = number if kind == "number" else NOTHING
    return found


def _scale(printed: str, printed_std: str, printed_unit: str, ours: _Number) -> tuple[float, float]:
    """Return unit and standard error of a cell."""
    return scale(
        printed,
        ours.value,
        printed_std=printed_std,
        std=ours.std,
        n=ours.n,
        tolerance=ours.tolerance,
        samples=samples_of(printed_unit, ours.unit),
    )


def weigh(artefact: Artefact, spawn: Spawn) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Weigh the variants of an artefact.

    ``log10_least_factor`` is the likelihood ratio over the primary variant, at least 100, that
    fewer than 0.25 % of the tables reach which no other variant has made (`chance_factors`);
    ``chance_rate`` is the share that reaches it, ``chance`` the share that reaches the factor of
    the variant (NaN below 100), ``moved`` the share of the blocks that a variant
    moves (`_share_of_moved_blocks`).
    """
    found, places = artefact.distinct()
    variants = found.variants
    by_chance = chance_factors(variants, spawn(artefact.label), DRAWS, LEAST_FACTOR)
    least = least_factor(by_chance)
    likely = log_likelihoods(variants)
    best = explaining_variant(variants, least) if artefact.basis not in OTHERS else None
    fit = fits(variants)
    rows = pd.DataFrame(
        {
            "artefact": artefact.label,
            "experiment": found.experiments,
            "variant": found.names,
            "is_primary": np.arange(len(likely)) == 0,
            "same_as": "",
            "variants": len(likely),
            "cells": len(variants.published),
            "basis": artefact.basis,
            "log_likelihood": likely,
            "weight": weights(likely),
            "log10_factor": (likely - likely[0]) / math.log(10),
            "within": cells_within(variants),
            "certain": certain(variants),
            "fits": fit.fits,
            "explains": np.arange(len(likely)) == (-1 if best is None else best),
            "log10_least_factor": math.log10(least),
            "chance_rate": float((by_chance >= math.log(least)).mean(axis=1).max()),
            "chance": [_chance(by_chance, factor) for factor in likely - likely[0]],
            "moved": _share_of_moved_blocks(variants),
            "left_out": fit.left_out.sum(axis=1),
            "blocks_left_out": [
                ", ".join(found.blocks[block] for block in np.unique(variants.blocks[left]))
                for left in fit.left_out
            ],
            "dependence": found.dependence,
        }
    )
    whole = rows.iloc[places].reset_index(drop=True)
    same = whole["variant"].ne(pd.Series(artefact.names))
    whole["same_as"] = whole["variant"].where(same, "")
    whole["variant"], whole["experiment"] = artefact.names, artefact.experiments
    whole["explains"] &= ~same
    return whole[WEIGHTS], _cells(found, fit.left_out)


def _chance(by_chance: Floats, factor: float) -> float:
    """Return the largest share of made tables of one kind that reach a log factor."""
    known = factor >= math.log(LEAST_FACTOR)
    return float((by_chance >= factor).mean(axis=1).max()) if known else math.nan


def _share_of_moved_blocks(variants: Variants) -> Floats:
    """Return the share of the blocks whose cells move by more than one standard error on average.

    Shapes: returned (R,).
    """
    error = np.sqrt((variants.spread**2).mean(axis=0) + variants.unit**2 / 12)
    values = variants.values  # noqa: PD011
    squares = pd.DataFrame((((values - values[0]) / error) ** 2).T)
    by_block = squares.groupby(variants.blocks).mean()
    return np.asarray((by_block > 1).mean(), dtype=np.float64)


def _cells(found: Artefact, left_out: NDArray[np.bool_]) -> pd.DataFrame:
    values = found.variants.values  # noqa: PD011
    count, size = values.shape
    lines = pd.concat([found.lines] * count, ignore_index=True)
    return pd.DataFrame(
        {
            "artefact": found.label,
            "id": lines["id"],
            "row": lines["row"],
            "column": lines["column"],
            "variant": np.repeat(found.names, size),
            "published": lines["value_published"],
            "value": values.ravel(),
            "std": found.std.ravel(),
            "z": deviations(found.variants).ravel(),
            "left_out": left_out.ravel(),
        }
    )[CELLS]

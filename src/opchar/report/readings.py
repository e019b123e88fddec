"""Readings weighed: which choices that a work leaves open explain what it prints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.functions import imported
from opchar.report.comparison.samples import samples_of
from opchar.report.comparison.verdicts import scale
from opchar.results import CONFIRMING
from opchar.seeds import Spawn
from opchar.statements.measurements import Measurements
from opchar.statistics.readings import (
    Floats,
    Readings,
    certain,
    chance_factors,
    deviations,
    explaining,
    fits,
    least_factor,
    log_likelihoods,
    weights,
    within,
)

PRIMARY = "primary"
KEY = ["artefact", "row", "column"]
WEIGHTS = [
    *("artefact", "experiment", "reading", "is_primary", "same_as", "readings", "cells", "basis"),
    *("log_likelihood", "weight", "log10_factor", "within", "certain", "fits", "explains"),
    *("log10_least_factor", "chance_rate"),
]
CELLS = ["artefact", "id", "row", "column", "reading", "published", "value", "std", "z"]
SPECIFICATION = ["id", "experiment", "reading", "holds", "evidence"]
NOT_KEPT = "not measured under this reading"
DRAWS = 2000
STAND_IN, ILLUSTRATION = "stand-in", "illustration"
# What is weighed and explains nothing, in the order in which it is taken.
OTHERS = (STAND_IN, ILLUSTRATION)


@dataclass(frozen=True)
class Artefact:
    """The printed cells of a label and what each reading gives for them.

    Attributes
    ----------
    label : str
        Published label.
    lines : pandas.DataFrame
        Published lines, a row a cell.
    experiments, names : list of str
        Experiment and name of each reading; the first is the primary one.
    readings : Readings
    std : ndarray of float, shape (R, k)
        Standard deviation over repeats of each value; NaN without one.
    basis : str
        ``stand-in`` if the cells rest on substitute data, ``illustration`` if on an example whose
        parameters are not stated, else ``data``.
    """

    label: str
    lines: pd.DataFrame
    experiments: list[str]
    names: list[str]
    readings: Readings
    std: Floats
    basis: str

    def distinct(self) -> tuple[Artefact, list[int]]:
        """Return the readings that give different cells, and the place of each reading in them."""
        given, spreads = self.readings.values, self.readings.spread  # noqa: PD011
        seen: dict[bytes, int] = {}
        places = [
            seen.setdefault(cells.tobytes() + spread.tobytes(), len(seen))
            for cells, spread in zip(given, spreads, strict=True)
        ]
        first = [places.index(place) for place in range(len(seen))]
        kept = replace(self.readings, values=given[first], spread=spreads[first])
        chosen = replace(
            self,
            experiments=[self.experiments[place] for place in first],
            names=[self.names[place] for place in first],
            readings=kept,
            std=self.std[first],
        )
        return chosen, places


def artefacts(
    published: pd.DataFrame,
    results: Mapping[str, pd.DataFrame],
    others: Mapping[str, pd.DataFrame],
    declared: Mapping[str, Sequence[str]],
    contradicted: Sequence[str] = (),
) -> Iterator[Artefact]:
    """Yield the labels of a work on whose cells its readings differ.

    Parameters
    ----------
    published : pandas.DataFrame
        Published lines of the work.
    results : mapping of str to pandas.DataFrame
        Result lines of each experiment of the work under the primary reading.
    others : mapping of str to pandas.DataFrame
        Result lines of experiments with readings, under all others.
    declared : mapping of str to sequence of str
        Names of the readings of each of these, the primary one first.
    contradicted : sequence of str
        Ids of lines that contradict the work itself, and take no part.

    Yields
    ------
    Artefact
        Of cells that rest on data, definitions or stated distributions; where a label has none,
        of cells that rest on stand-ins, and else of those of an illustration.
    """
    ours = pd.concat(list(results.values()), ignore_index=True).drop_duplicates(KEY)
    ours = ours[(ours["kind"] == "number") & ours["basis"].isin([*CONFIRMING, *OTHERS])]
    numbers = published[(published["kind"] == "number") & ~published["id"].isin(contradicted)]
    numbers = numbers[np.isfinite(numbers["value"].astype(float))]
    joined = numbers.merge(ours, on=KEY, suffixes=("_published", ""), validate="one_to_one")
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
                yield found


def _artefact(
    label: str,
    lines: pd.DataFrame,
    others: Mapping[str, pd.DataFrame],
    declared: Mapping[str, Sequence[str]],
) -> Artefact:
    """Lay the cells of every reading over those of the primary one."""
    ours = lines[["value", "std", "n", "tolerance", "unit"]]
    rows, experiments, names = [ours], [next(iter(declared))], [PRIMARY]
    where = pd.MultiIndex.from_frame(lines[["row", "column"]])
    for experiment, known in declared.items():
        found = dict(iter(others[experiment].groupby("reading", sort=False)))
        given = pd.concat(list(found.values())).set_index(["row", "column"]).index
        its_own = where.isin(given)
        for name in known[1:]:
            cells = found[name][found[name]["kind"] == "number"].set_index(["row", "column"])
            laid = cells.reindex(where)[list(ours)].reset_index(drop=True)
            rows.append(laid.where(pd.Series(its_own), ours))
            experiments.append(experiment)
            names.append(name)
    scales = np.array([_scales(lines, row) for row in rows])
    readings = Readings(
        published=lines["value_published"].to_numpy(dtype=np.float64),
        unit=scales[0, :, 0],
        values=np.array([row["value"].astype(float) for row in rows]),
        spread=scales[:, :, 1],
    )
    first = str(lines["basis"].iloc[0])
    std = np.array([row["std"].astype(float) for row in rows])
    basis = first if first in OTHERS else "data"
    return Artefact(label, lines, experiments, names, readings, std, basis)


def _scales(lines: pd.DataFrame, row: pd.DataFrame) -> list[tuple[float, float]]:
    """Return unit and standard error of every cell."""
    return [
        scale(
            line["value_published"],
            float(ours["value"]),
            printed_std=line["std_published"],
            std=float(ours["std"]),
            n=None if pd.isna(ours["n"]) else int(ours["n"]),
            tolerance=float(ours["tolerance"]),
            samples=samples_of(
                line["unit_published"], "" if pd.isna(ours["unit"]) else ours["unit"]
            ),
        )
        for line, ours in zip(lines.to_dict("records"), row.to_dict("records"), strict=True)
    ]


def weigh(artefact: Artefact, spawn: Spawn) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Weigh the readings of an artefact.

    Parameters
    ----------
    artefact : Artefact
    spawn : callable
        Generators by name, for the tables that chance makes.

    Returns
    -------
    weights : pandas.DataFrame
        `WEIGHTS`, a row a reading. Readings that give the same cells are weighed as one: all but
        the first name it in ``same_as`` and repeat its row.
    cells : pandas.DataFrame
        `CELLS`, a row a cell and reading, without those that are the same as another.

    Notes
    -----
    ``log10_least_factor`` is the likelihood ratio over the primary reading that fewer than 1 % of
    the tables reach which none of the readings has made (`chance_factors`), at least 100;
    ``chance_rate`` is the share that reaches it.
    """
    found, places = artefact.distinct()
    readings = found.readings
    by_chance = chance_factors(readings, spawn(artefact.label), DRAWS)
    least = least_factor(by_chance)
    likely = log_likelihoods(readings)
    best = explaining(readings, least) if artefact.basis not in OTHERS else None
    rows = pd.DataFrame(
        {
            "artefact": artefact.label,
            "experiment": found.experiments,
            "reading": found.names,
            "is_primary": np.arange(len(likely)) == 0,
            "same_as": "",
            "readings": len(likely),
            "cells": len(readings.published),
            "basis": artefact.basis,
            "log_likelihood": likely,
            "weight": weights(likely),
            "log10_factor": (likely - likely[0]) / math.log(10),
            "within": within(readings),
            "certain": certain(readings),
            "fits": fits(readings),
            "explains": np.arange(len(likely)) == (-1 if best is None else best),
            "log10_least_factor": math.log10(least),
            "chance_rate": float((by_chance >= math.log(least)).mean()),
        }
    )
    whole = rows.iloc[places].reset_index(drop=True)
    same = whole["reading"].ne(pd.Series(artefact.names))
    whole["same_as"] = whole["reading"].where(same, "")
    whole["reading"], whole["experiment"] = artefact.names, artefact.experiments
    whole["explains"] &= ~same
    return whole[WEIGHTS], _cells(found)


def _cells(found: Artefact) -> pd.DataFrame:
    values = found.readings.values  # noqa: PD011
    count, size = values.shape
    lines = pd.concat([found.lines] * count, ignore_index=True)
    return pd.DataFrame(
        {
            "artefact": found.label,
            "id": lines["id"],
            "row": lines["row"],
            "column": lines["column"],
            "reading": np.repeat(found.names, size),
            "published": lines["value_published"],
            "value": values.ravel(),
            "std": found.std.ravel(),
            "z": deviations(found.readings).ravel(),
        }
    )[CELLS]


def specification(
    entries: Mapping[str, Mapping[str, Any]],
    primary: Mapping[str, Measurements],
    others: Mapping[str, Mapping[str, Measurements]],
) -> pd.DataFrame:
    """Tell in which readings each statement holds.

    Parameters
    ----------
    entries : mapping of str to mapping
        Statements by the id of the published line.
    primary : mapping of str to Measurements
        Of each experiment under the primary reading.
    others : mapping of str to mapping of str to Measurements
        Of each experiment with readings, by reading.

    Returns
    -------
    pandas.DataFrame
        `SPECIFICATION`; a row a statement and reading of one of the experiments that it reads, or
        on which it is judged also, the primary reading of each first. ``holds`` is ``holds`` or
        ``fails``; it is empty where the statement reads a frame that is not kept for the reading.
    """
    rows = [
        (identifier, experiment, reading, *_found(entry, merged))
        for identifier, entry in entries.items()
        for experiment, together in _judged_on(entry)
        if experiment in others
        for reading, merged in _laid(experiment, together, primary, others[experiment])
    ]
    return pd.DataFrame(rows, columns=SPECIFICATION)


def _judged_on(entry: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the experiments of a statement, each with those that it is judged together with."""
    for name in entry["reads"]:
        yield name, entry["reads"]
    for name in entry.get("also", []):
        yield name, [name]


def _laid(
    experiment: str,
    reads: Sequence[str],
    primary: Mapping[str, Measurements],
    readings: Mapping[str, Measurements],
) -> Iterator[tuple[str, Measurements]]:
    """Yield each reading of one experiment with the primary measurements of the others."""
    rest = [primary[name] for name in reads if name != experiment]
    for reading, measured in {PRIMARY: primary[experiment], **readings}.items():
        parts = [measured, *rest]
        lines = pd.concat([part.lines for part in parts], ignore_index=True)
        frames = {name: frame for part in parts for name, frame in part.frames.items()}
        yield reading, Measurements(lines, frames)


def _found(entry: Mapping[str, Any], measured: Measurements) -> tuple[str, str]:
    """Judge a statement; empty where it reads what is not there."""
    try:
        found = imported(entry["function"])(measured, **entry.get("parameters", {}))
    except KeyError as error:
        return "", f"{NOT_KEPT}: {error.args[0]}"
    return "holds" if found.holds else "fails", found.evidence


@dataclass(frozen=True)
class Weighed:
    """The weights and the cells of all artefacts of some works, and where statements hold.

    Attributes
    ----------
    weights, cells, statements : pandas.DataFrame
        `WEIGHTS`, `CELLS` and `SPECIFICATION`; the first two with a column ``paper``.
    """

    weights: pd.DataFrame
    cells: pd.DataFrame
    statements: pd.DataFrame

    def explained(self) -> dict[str, Mapping[str, Any]]:
        """Return, by the id of the line, its cell under the most likely reading of its artefact.

        Returns
        -------
        dict of str to mapping
            `CELLS`, and ``explains``, ``readings`` and ``is_primary`` of the reading.
        """
        distinct = self.weights[self.weights["same_as"] == ""]
        best = distinct.loc[distinct.groupby(["paper", "artefact"])["log_likelihood"].idxmax()]
        told = ["paper", "artefact", "reading", "explains", "readings", "is_primary"]
        joined = self.cells.merge(best[told], on=["paper", "artefact", "reading"])
        return {
            str(cell["id"]): {str(k): v for k, v in cell.items()}
            for cell in joined.to_dict("records")
        }


def read_weighed(files: Sequence[Path | str]) -> Weighed:
    """Read the tables of works: of each the weights, the cells and the statements, in this order.

    Without files all tables are empty.
    """
    paths = [Path(file) for file in files]
    texts = ["same_as", "holds", "evidence", "published"]
    parts = [
        pd.read_csv(path, dtype=dict.fromkeys(texts, str)).assign(paper=paths[i - i % 3].stem)
        for i, path in enumerate(paths)
    ]
    columns = (WEIGHTS, CELLS, SPECIFICATION)
    tables = [
        pd.concat(parts[i::3], ignore_index=True)
        if parts
        else pd.DataFrame(columns=[*names, "paper"])
        for i, names in enumerate(columns)
    ]
    for table in tables:
        given = [name for name in texts if name in table]
        table[given] = table[given].fillna("")
    return Weighed(*tables)

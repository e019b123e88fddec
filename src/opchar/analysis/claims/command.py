"""`opchar ask`: files in, what each general claim finds on them out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.analysis.asking import Asked
from opchar.analysis.claims.asking import ask
from opchar.analysis.claims.tables import is_of_a_run, read_tables
from opchar.analysis.command import named_columns
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.reading import Scored, read_models
from opchar.errors import ScoresError
from opchar.files import write_csv
from opchar.statements.judging import read_judged

COLUMNS = ["claim", "says", "holds", "support", "evidence", "there", "there, support", "needs"]


def read_sets(
    paths: Sequence[Path], columns: Columns | None = None, positive: str | None = None
) -> dict[str, Scored]:
    """Read files, those with the same objects as models of one set.

    Score tables of a run say themselves what they are of, unless columns are named.

    Parameters
    ----------
    paths : sequence of path-like
    columns : Columns, optional
    positive : str, optional
        As for `opchar.analysis.tables.reading.read_models`.

    Returns
    -------
    dict of str to Scored
        Named after the models of each set.

    Raises
    ------
    ScoresError
        As `read_models` and `opchar.analysis.claims.tables.read_tables`.
    """
    groups: dict[tuple[Any, ...], list[Path]] = {}
    of_a_run = [] if columns and columns != Columns() else [p for p in paths if is_of_a_run(p)]
    for path in [path for path in paths if path not in of_a_run]:
        single = read_models([path], columns, positive)
        key = (single.classes, len(single.y), np.bincount(single.y).tobytes())
        groups.setdefault(key, []).append(Path(path))
    found = read_tables(of_a_run, positive)
    for members in groups.values():
        try:
            together = [read_models(members, columns, positive)]
        except ScoresError:
            together = [read_models([path], columns, positive) for path in members]
        for scored in together:
            name = "+".join(scored.models)
            found[name if name not in found else f"{name} ({len(found)})"] = scored
    return found


def published_findings(folder: Path) -> pd.DataFrame:
    """Return what the statements found on the publication's own sets, where a run is at hand.

    Parameters
    ----------
    folder : pathlib.Path
        A checkout with results, or anywhere inside it.

    Returns
    -------
    pandas.DataFrame
        Columns ``holds`` and ``support`` by the id of the claim; empty without a run.
    """
    for place in (folder, *folder.parents):
        files = sorted(place.glob("results/*/statements/*.csv"))
        if files:
            found = pd.concat([read_judged(path) for path in files], ignore_index=True)
            return found.drop_duplicates("id").set_index("id")[["holds", "support"]]
    return pd.DataFrame({"holds": [], "support": []})


def run(arguments: argparse.Namespace) -> int:
    """Read the files, ask all claims, print and write what was found."""
    sets = read_sets(arguments.scores, named_columns(arguments), arguments.positive)
    asked = Asked(seed=arguments.seed, folds=arguments.folds)
    found = ask(sets, asked, arguments.resamples)
    there = published_findings(Path.cwd())
    verdicts = {
        str(key): "holds" if str(holds) == "True" else "fails"
        for key, holds in there["holds"].items()
    }
    found["there"] = [verdicts.get(claim, "no run at hand") for claim in found["claim"]]
    found["there, support"] = found["claim"].map(there["support"])
    for name, scored in sets.items():
        print(f"{name}: {len(scored.y)} rows, {len(scored.classes)} classes")
    for row in found.to_dict("records"):
        share = f" (it holds in {row['support']:.0%} of resamples)"
        support = "" if np.isnan(row["support"]) else share
        print(f"\n{row['claim']}  {row['says']}")
        if row["holds"] == "not asked":
            print(f"  not asked: it needs {row['needs']}")
            continue
        print(f"  here: {row['holds']}{support}; {row['evidence']}")
        print(f"  on the publication's sets: {row['there']}")
    if arguments.output:
        write_csv(found[COLUMNS], arguments.output)
        print(f"\nwritten: {arguments.output}")
    return 0

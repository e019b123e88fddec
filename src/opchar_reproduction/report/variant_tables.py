"""The weights, cells and statements of all variants, as they are read back."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

WEIGHTS = [
    *("artefact", "experiment", "variant", "is_primary", "same_as", "variants", "cells", "basis"),
    *("log_likelihood", "weight", "log10_factor", "within", "certain", "fits", "explains"),
    *("log10_least_factor", "chance_rate", "chance", "moved"),
    *("left_out", "blocks_left_out", "dependence"),
]
CELLS = ["artefact", "id", "row", "column", "variant", "published", "value", "std", "z", "left_out"]
SPECIFICATION = ["id", "experiment", "variant", "holds", "evidence"]
YES, NO, LEFT_OUT = "yes", "no", "left out"


@dataclass(frozen=True)
class VariantTables:
    """The weights and the cells of all artefacts of some works, and where statements hold."""

    weights: pd.DataFrame
    cells: pd.DataFrame
    statements: pd.DataFrame

    def cells_of_lines(self, lines: pd.DataFrame | None = None) -> dict[str, Mapping[Any, Any]]:
        """Return, by the id of the line, its cell under the most likely variant of its artefact."""
        distinct = self.weights[self.weights["same_as"] == ""]
        best = distinct.loc[distinct.groupby(["paper", "artefact"])["log_likelihood"].idxmax()]
        columns = ["paper", "artefact", "variant", "explains", "variants", "is_primary"]
        joined = self.cells.merge(best[columns], on=["paper", "artefact", "variant"])
        joined["passes"] = [
            (LEFT_OUT if left else YES) if explains else NO
            for explains, left in zip(joined["explains"], joined["left_out"], strict=True)
        ]
        cells = {str(cell["id"]): cell for cell in joined.to_dict("records")}
        return cells | self._claims(best[best["explains"].astype(bool)], lines)

    def _claims(
        self, passing: pd.DataFrame, lines: pd.DataFrame | None
    ) -> dict[str, Mapping[Any, Any]]:
        """Return what each claim says under the variant that explains its artefact or study."""
        if lines is None or not len(passing):
            return {}
        artefact = dict(zip(lines["id"], lines["artefact"], strict=True))
        found: dict[str, Mapping[Any, Any]] = {}
        for (name, experiment), rows in self.statements.groupby(["id", "experiment"], sort=False):
            of_study = passing[passing["experiment"] == experiment]
            of_artefact = of_study[of_study["artefact"] == artefact.get(name)]
            used = of_artefact if len(of_artefact) else of_study
            judged = rows[rows["variant"].isin(used["variant"].unique()) & (rows["holds"] != "")]
            if len(used["variant"].unique()) == 1 and len(judged):
                line = judged.iloc[0]
                found[str(name)] = {
                    "variants": int(used["variants"].iloc[0]),
                    "variant": str(line["variant"]),
                    "holds": str(line["holds"]),
                    "evidence": str(line["evidence"]),
                    "passes": YES,
                    "is_primary": False,
                    "value": math.nan,
                    "z": math.nan,
                }
        return found


def read_variant_tables(files: Sequence[Path | str]) -> VariantTables:
    """Read the tables of works: of each the weights, the cells and the statements, in this order.

    Without files all tables are empty.
    """
    paths = [Path(file) for file in files]
    texts = ["same_as", "holds", "evidence", "published", "blocks_left_out", "dependence"]
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
    return VariantTables(*tables)

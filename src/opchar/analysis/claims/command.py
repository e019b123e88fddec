"""`opchar ask`: judges general claims on the score tables of a run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from opchar.analysis.asking import Asked
from opchar.analysis.claims.asking import ask, rare_class
from opchar.analysis.claims.listing import packaged_claims
from opchar.analysis.claims.tables import read_tables
from opchar.errors import OpcharError, nearest
from opchar.files import write_csv
from opchar.statements.general import General
from opchar.statements.judging import read_judged

COLUMNS = ["claim", "says", "holds", "support", "evidence", "there", "there, support", "needs"]


def chosen_claims(numbers: Sequence[str]) -> list[General]:
    """Return the general claims of published lines, or all.

    Parameters
    ----------
    numbers : sequence of str
        As in landgrebe2007:0090; none for all.

    Raises
    ------
    OpcharError
        One line, if one is not the number of a general claim.
    """
    claims = packaged_claims()
    known = list(dict.fromkeys(claim.id for claim in claims))
    for number in numbers:
        if number not in known:
            raise OpcharError(
                f"no general claim '{number}'{nearest(number, known)}; there are {', '.join(known)}"
            )
    return [claim for claim in claims if not numbers or claim.id in numbers]


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
    for home in (folder, *folder.parents):
        files = sorted(home.glob("results/*/statements/*.csv"))
        if files:
            found = pd.concat([read_judged(path) for path in files], ignore_index=True)
            return found.drop_duplicates("id").set_index("id")[["holds", "support"]]
    return pd.DataFrame({"holds": [], "support": []})


def run(arguments: argparse.Namespace, tables: Sequence[Path]) -> int:
    """Ask claims of the score tables of a run, print and write what was found."""
    sets = read_tables(tables)
    claims = chosen_claims(arguments.claims)
    found = ask(sets, Asked(seed=arguments.seed), arguments.resamples, claims)
    there = published_findings(Path.cwd())
    verdicts = {
        str(key): "holds" if str(holds) == "True" else "fails"
        for key, holds in there["holds"].items()
    }
    found["there"] = [verdicts.get(claim, "no run at hand") for claim in found["claim"]]
    found["there, support"] = found["claim"].map(there["support"])
    for name, scored in sets.items():
        rare = rare_class(scored)
        left_out = f"; not asked: fewer than two objects of class '{rare}'" if rare else ""
        print(f"{name}: {len(scored.y)} rows, {len(scored.classes)} classes{left_out}")
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

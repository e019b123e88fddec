"""`opchar ask`: general claims of the works, asked of a user's own scores."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.analysis import measuring
from opchar.analysis.asking import Asked
from opchar.analysis.measuring import Sets
from opchar.analysis.reading import Columns, Scored, read_models
from opchar.errors import ScoresError
from opchar.files import write_csv
from opchar.statements.judging import Judged, judge, read_judged
from opchar.statements.measurements import Measurements

RESAMPLES = 200
SEARCHES = "opchar.statements.landgrebe2007.chapter4.cost_searches"
COLUMNS = ["claim", "says", "holds", "support", "evidence", "there", "there, support", "needs"]


@dataclass(frozen=True)
class General:
    """A claim of a work that does not depend on its data sets.

    Attributes
    ----------
    id : str
        Of the published line that it generalises.
    says : str
        The claim.
    needs : str
        Which scores it can be asked of.
    frame : str
        What its statement reads.
    measure : callable
        Gives that frame for a user's sets; empty where their scores do not serve.
    entry : dict
        Statement with parameters, control and units, as in ``config/statements``; the parameter
        ``sets``, where it stands, becomes the user's.
    """

    id: str
    says: str
    needs: str
    frame: str
    measure: Callable[[Sets, Asked], pd.DataFrame]
    entry: dict[str, Any]


def _exchanged(first: str, second: str) -> dict[str, Any]:
    return {
        "function": "opchar.statements.controls:exchange_levels",
        "says": f"{first} and {second} exchanged",
        "parameters": {
            "frame": "scenarios",
            "column": "algorithm",
            "first": first,
            "second": second,
        },
    }


def _above(first: str, second: str) -> dict[str, Any]:
    return {
        "function": f"{SEARCHES}:first_exceeds_second",
        "parameters": {"first": first, "second": second, "sets": []},
        "control": _exchanged(first, second),
        "units": "scenario",
    }


GENERAL = (
    General(
        "mullick2020:0053",
        "Of six indices Precision varies most when the ratio of the classes in the test set does.",
        "two classes",
        "deviations",
        measuring.deviations,
        {
            "function": "opchar.statements.mullick2020.test_sets:varies_most",
            "parameters": {"index": "Precision", "share": 0.5},
            "control": {
                "function": "opchar.statements.controls:flatten",
                "says": "all indices deviate alike",
                "parameters": {"frame": "deviations", "column": "deviation"},
            },
            "units": "problem",
        },
    ),
    General(
        "landgrebe2007:0587",
        "Class weights by pairs gain more than those of the greedy search.",
        "three or more classes, scores that are not negative",
        "scenarios",
        measuring.scenarios,
        _above("Pairs", "Greedy"),
    ),
    General(
        "landgrebe2007:0588",
        "Pairs gain less than the greedy search, and more when it goes on from them.",
        "three or more classes, scores that are not negative",
        "scenarios",
        measuring.scenarios,
        {
            "function": f"{SEARCHES}:greedy_end_turns_pairs_round",
            "parameters": {"sets": []},
            "control": _exchanged("PairsG", "Naive"),
            "units": "scenario",
        },
    ),
    General(
        "soleymani2020:0077",
        "For rare positives a Boolean combination of models has a higher F than their mean score.",
        "two classes, two or more models on the same objects",
        "scenarios",
        measuring.combinations,
        _above("pairwise", "score average"),
    ),
    General(
        "soleymani2020:0077",
        "For rare positives a Boolean combination of models has a higher F than the best of them.",
        "two classes, two or more models on the same objects",
        "scenarios",
        measuring.combinations,
        _above("pairwise", "single member"),
    ),
    General(
        "landgrebe2007:1074",
        "Models with larger errors often have lower volumes, but not all equal errors equal ones.",
        "three or four classes, three or more models on the same objects",
        "measured",
        measuring.volumes,
        {
            "function": "opchar.statements.landgrebe2007.chapter3.real_sets:"
            "worse_errors_often_have_lower_volumes",
            "parameters": {"share": 0.5, "alpha": 0.05},
            "control": {
                "function": "opchar.statements.controls:flatten",
                "says": "the volume of all models is the same",
                "parameters": {"frame": "measured", "column": "VUS"},
            },
            "units": "fold",
        },
    ),
)


def ask(sets: Sets, asked: Asked | None = None, resamples: int = RESAMPLES) -> pd.DataFrame:
    """Ask the general claims of scores.

    Parameters
    ----------
    sets : mapping of str to Scored
        Data sets by name, each with its models.
    asked : Asked, optional
        Folds and seed.
    resamples : int
        How many times the units of a statement are drawn anew for its support.

    Returns
    -------
    pandas.DataFrame
        One row a claim: whether it holds, in what share of resamples, and why; or what it needs.
    """
    given = asked or Asked()
    rows, frames = [], {}
    for claim in GENERAL:
        if claim.measure not in frames:
            frames[claim.measure] = claim.measure(sets, given)
        frame = frames[claim.measure]
        found = _judged(claim, frame, given, resamples) if len(frame) else None
        rows.append(
            {
                "claim": claim.id,
                "says": claim.says,
                "holds": _verdict(found),
                "support": np.nan if found is None else found.support,
                "evidence": "" if found is None else found.evidence,
                "needs": claim.needs,
            }
        )
    return pd.DataFrame(rows)


def _verdict(found: Judged | None) -> str:
    """Return a verdict; a claim that its negative control meets, too, could not have failed."""
    if found is None:
        return "not asked"
    if found.holds and not found.control_fails:
        return "could not fail"
    return "holds" if found.holds else "fails"


def _judged(claim: General, frame: pd.DataFrame, asked: Asked, resamples: int) -> Judged:
    """Judge a claim by the statement of the work, with its control."""
    parameters = dict(claim.entry["parameters"])
    if "sets" in parameters:
        parameters["sets"] = sorted(frame["data set"].unique())
    entry = {
        **claim.entry,
        "parameters": parameters,
        "criterion": claim.says,
        "basis": "data",
        "decided": "after",
    }
    lines = pd.DataFrame({"artefact": [""], "row": [""], "column": [""], "data": ["own scores"]})
    measured = Measurements(lines, {claim.frame: frame})
    return judge(claim.id, entry, measured, asked.spawn, resamples)


def read_sets(
    paths: Sequence[Path], columns: Columns | None = None, positive: str | None = None
) -> dict[str, Scored]:
    """Read files, those with the same objects as models of one set.

    Parameters
    ----------
    paths : sequence of path-like
    columns : Columns, optional
    positive : str, optional
        As for `opchar.analysis.reading.read_models`.

    Returns
    -------
    dict of str to Scored
        Named after the models of each set.

    Raises
    ------
    ScoresError
        As `read_models`.
    """
    groups: dict[tuple[Any, ...], list[Path]] = {}
    for path in paths:
        single = read_models([path], columns, positive)
        key = (single.classes, len(single.y), np.bincount(single.y).tobytes())
        groups.setdefault(key, []).append(Path(path))
    found: dict[str, Scored] = {}
    for members in groups.values():
        try:
            together = [read_models(members, columns, positive)]
        except ScoresError:
            together = [read_models([path], columns, positive) for path in members]
        for scored in together:
            name = "+".join(scored.models)
            found[name if name not in found else f"{name} ({len(found)})"] = scored
    return found


def published(folder: Path) -> pd.DataFrame:
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
    columns = Columns(
        arguments.label,
        arguments.fold,
        arguments.weight,
        arguments.id,
        tuple(arguments.scores_in.split(",")) if arguments.scores_in else (),
    )
    sets = read_sets(arguments.scores, columns, arguments.positive)
    asked = Asked(seed=arguments.seed, folds=arguments.folds)
    found = ask(sets, asked, arguments.resamples)
    there = published(Path.cwd())
    verdicts = {
        str(key): "holds" if str(holds) == "True" else "fails"
        for key, holds in there["holds"].items()
    }
    found["there"] = [verdicts.get(claim, "no run at hand") for claim in found["claim"]]
    found["there, support"] = found["claim"].map(there["support"])
    for name, scored in sets.items():
        print(f"{name}: {len(scored.y)} rows, {len(scored.classes)} classes")
    for row in found.to_dict("records"):
        support = "" if np.isnan(row["support"]) else f" in {row['support']:.0%} of resamples"
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

"""General claims on other data: measured first, then judged by their statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from opchar.analysis.asking import Asked
from opchar.analysis.claims.listing import packaged_claims
from opchar.analysis.claims.several_classes import objects_by_class
from opchar.analysis.claims.two_classes import Sets
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.functions import import_function
from opchar.seeds import Spawn
from opchar.statements.general import General
from opchar.statements.judging import Judged, judge
from opchar.statements.measurements import Measurements

RESAMPLES = 200


def measure_claims(
    sets: Sets, asked: Asked, measures: Iterable[str] | None = None
) -> dict[str, pd.DataFrame]:
    """Measure what general claims are about.

    Parameters
    ----------
    sets : mapping of str to ScoredSample
        Data sets by name, each with its models. Those that have a class of fewer than two
        objects serve no claim and are left out.
    asked : Asked
        Folds and seed.
    measures : iterable of str, optional
        ``"module:function"`` of each; those of the claims that are shipped when not given.

    Returns
    -------
    dict of str to pandas.DataFrame
        By the name of the measure; measures that the scores do not serve are left out.
    """
    names = measures or dict.fromkeys(claim.measure for claim in packaged_claims())
    served = {name: scored for name, scored in sets.items() if not rare_class(scored)}
    found = {name: import_function(name)(served, asked) for name in names}
    return {name: frame for name, frame in found.items() if len(frame)}


def rare_class(scored: ScoredSample) -> str:
    """Return the first class of fewer than two objects, of which no claim can be asked; or none.

    Parameters
    ----------
    scored : ScoredSample
        A data set with its models.

    Returns
    -------
    str
        The name of the class; empty where each has two objects or more.
    """
    rare = zip(scored.classes, objects_by_class(scored), strict=True)
    return next((name for name, number in rare if number < 2), "")


def judge_claims(
    frames: Mapping[str, pd.DataFrame],
    spawn: Spawn,
    resamples: int,
    claims: Sequence[General] | None = None,
) -> pd.DataFrame:
    """Judge general claims on what was measured.

    Parameters
    ----------
    frames : mapping of str to pandas.DataFrame
        As `measure_claims` returns them.
    spawn : callable
        Generators by name.
    resamples : int
        How many times the units of a statement are drawn anew for its support.
    claims : sequence of General, optional
        Those that are shipped when not given.

    Returns
    -------
    pandas.DataFrame
        One row a claim: ``claim``, ``says``, ``holds``, ``support``, ``evidence``, ``needs``.
    """
    rows = []
    for claim in claims or packaged_claims():
        frame = frames.get(claim.measure)
        found = None if frame is None else _judge_claim(claim, frame, spawn, resamples)
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


def ask(
    sets: Sets,
    asked: Asked | None = None,
    resamples: int = RESAMPLES,
    claims: Sequence[General] | None = None,
) -> pd.DataFrame:
    """Judge general claims on given scores.

    Parameters
    ----------
    sets : mapping of str to ScoredSample
        Data sets by name, each with its models.
    asked : Asked, optional
        Folds and seed.
    resamples : int
        How many times the units of a statement are drawn anew for its support.
    claims : sequence of General, optional
        Those that are shipped when not given.

    Returns
    -------
    pandas.DataFrame
        One row a claim: whether it holds, in what share of resamples, and why; or what it needs.
    """
    given, those = asked or Asked(), claims or packaged_claims()
    measures = dict.fromkeys(claim.measure for claim in those)
    return judge_claims(measure_claims(sets, given, measures), given.spawn, resamples, those)


def _verdict(found: Judged | None) -> str:
    """Return the verdict; where the negative control holds too, the claim could not have failed."""
    if found is None:
        return "not asked"
    if found.holds and not found.control_fails:
        return "test cannot fail here"
    return "holds" if found.holds else "fails"


def _judge_claim(claim: General, frame: pd.DataFrame, spawn: Spawn, resamples: int) -> Judged:
    """Judge a claim by the statement of the work, with its control."""
    parameters = dict(claim.parameters)
    if "sets" in parameters:
        parameters["sets"] = sorted(frame["data set"].unique())
    entry = {
        "function": claim.function,
        "parameters": parameters,
        "control": claim.control,
        "units": claim.units,
        "criterion": claim.says,
        "basis": "data",
        "criterion_set": "after",
    }
    lines = pd.DataFrame({"artefact": [""], "row": [""], "column": [""], "data": ["own scores"]})
    given = Measurements(lines, {claim.frame: frame})
    return judge(claim.id, entry, given, spawn, resamples, near=False)

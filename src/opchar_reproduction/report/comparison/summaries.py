"""Summaries of the ledger: by chance, by artefact and by cause of disagreement."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from opchar_reproduction.report.comparison.causes import CAUSE_MARKS
from opchar_reproduction.report.comparison.ledger import NO_EVIDENCE
from opchar_reproduction.report.comparison.totals import could_differ, count_verdicts
from opchar_reproduction.report.comparison.verdicts import LIMIT, MEANINGS, NOT_BUILT, REPRODUCED
from opchar_reproduction.report.meanings import meanings
from opchar_reproduction.results import ANALYTIC

CHANCE = math.erfc(LIMIT / math.sqrt(2))
FAMILY = 0.05
COMPARISONS = [
    *("level", "paper", "artefact", "lines", "expected", "observed", "probability", "largest_z"),
    "certain",
]
CAUSES = meanings("cause")
SATISFIED = (*REPRODUCED, "input")
_UNSTATED = re.compile(
    r"(?:not|never|nowhere) (?:stated|named|given|told|said|specified|printed)|unstated|unnamed"
    r"|does not (?:state|name|give|tell|say|specify|print)|leaves? open"
)
_UNITS = re.compile(r"([\d.]+) units? of the last digit")
_LISTED = {
    "looked for": "tried without success",
    "partly": "cause of a part computed",
    "supported": "cause with a printed input",
    "unproven": "cause not proven",
    "chance": "chance of one split",
    "beside": "cause computed beside",
    "computed": "cause computed",
}
_EXPLAINED = {
    "unavailable": "data not available",
    "erratum": "error in print",
    "inconsistent": "publication inconsistent",
}
_NEAR = 3.0


def multiple_comparisons(ledger: pd.DataFrame) -> pd.DataFrame:
    """Compare the number of random lines outside two standard errors with chance.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `ledger.build` returns it, with texts in all columns.

    Returns
    -------
    pandas.DataFrame
        One row for all lines, one per work and one per artefact with compared random lines, which
        have a ``z`` of the primary variant and an outcome that tells something: ``level`` (``all``,
        ``work``, ``artefact``), ``paper``, ``artefact``, ``lines``, ``expected`` and ``observed``
        number with |z| > 2, binomial ``probability`` of as many or more if all lines were
        independent and all reproductions right, ``largest_z`` (of the largest modulus) and
        ``certain``, the number of lines that differ at the family-wise level of 5 % over the whole
        ledger (Holm 1979), which needs no independence.
    """
    compared = lines_with_z(ledger)
    rows = [_chance(compared, level="all")] if len(compared) else []
    for paper, lines in compared.groupby("paper", sort=False):
        rows.append(_chance(lines, level="work", paper=str(paper)))
    for (work, artefact), lines in compared.groupby(["paper", "artefact"], sort=False):
        rows.append(_chance(lines, level="artefact", paper=str(work), artefact=str(artefact)))
    return pd.DataFrame(rows, columns=COMPARISONS)


def by_artefact(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts of each artefact."""
    keys = ["paper", "artefact"]
    order = pd.MultiIndex.from_frame(ledger[keys].drop_duplicates())
    table = count_verdicts([ledger[key] for key in keys], ledger["verdict"], order)
    table.insert(0, "lines", table.sum(axis="columns"))
    pending, left_out = ledger["verdict"] == "pending", ledger["reason"] != NOT_BUILT
    incomplete = pd.MultiIndex.from_frame(ledger.loc[pending & left_out, keys])
    table["state"] = "built"
    table.loc[table["pending"] > 0, "state"] = "partly built"
    table.loc[table["pending"] == table["lines"], "state"] = "not built"
    table.loc[table.index.isin(incomplete), "state"] = "incomplete"
    return table.reset_index()


def by_cause(ledger: pd.DataFrame) -> pd.DataFrame:
    """Group the lines that neither agree nor hold by cause.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `opchar_reproduction.report.comparison.ledger.build` returns it.

    Returns
    -------
    pandas.DataFrame
        One row a cause and verdict, in the order of `CAUSES`: ``cause``, ``meaning``, ``verdict``,
        ``lines``, and ``artefacts``, the addresses ``<paper>/<label>`` with the number of lines of
        each, joined by semicolons.
    """
    rows = counts_by_cause(ledger)
    for row in rows:
        row["artefacts"] = "; ".join(f"{name} ({n})" for name, n in row["artefacts"].items())
    return pd.DataFrame(rows, columns=["cause", "meaning", "verdict", "lines", "artefacts"])


def counts_by_cause(ledger: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of `by_cause` with the numbers of lines as numbers, by address."""
    lines = ledger.assign(cause=causes(ledger), address=ledger["paper"] + "/" + ledger["artefact"])
    groups = dict(list(lines.groupby(["cause", "verdict"])["address"]))
    return [
        {
            "cause": cause,
            "meaning": meaning,
            "verdict": verdict,
            "lines": len(groups[cause, verdict]),
            "artefacts": dict(Counter(groups[cause, verdict])),
        }
        for cause, meaning in CAUSES.items()
        for verdict in MEANINGS
        if (cause, verdict) in groups
    ]


def causes(ledger: pd.DataFrame) -> pd.Series:
    """Return the cause of each line, a key of `CAUSES`; empty where print is reproduced."""
    certain = _judged_by_z(ledger)["certain"].reindex(ledger.index, fill_value=False)
    lines = zip(ledger.to_dict("records"), certain, strict=True)
    found = [_cause(line, bool(sure)) for line, sure in lines]
    return pd.Series(found, index=ledger.index, dtype=object)


def holm(probabilities: pd.Series, level: float = FAMILY) -> pd.Series:
    """Tell which hypotheses are rejected at a family-wise level, whatever their dependence.

    Shapes: `probabilities` (m,); returned (m,).
    """
    tails = probabilities.to_numpy(dtype=float)
    order, rejected = np.argsort(tails, kind="stable"), np.zeros(len(tails), dtype=bool)
    small = tails[order] <= level / np.arange(len(tails), 0, -1)
    rejected[order] = np.logical_and.accumulate(small)
    return pd.Series(rejected, index=probabilities.index)


def binomial_tail(observed: int, lines: int, chance: float) -> float:
    """Return the probability of `observed` or more successes among `lines`."""
    from scipy.special import bdtrc

    return float(bdtrc(observed - 1, lines, chance)) if observed else 1.0


def lines_with_z(ledger: pd.DataFrame) -> pd.DataFrame:
    """Return the lines whose deviation from print chance can explain, or not."""
    judged = _judged_by_z(ledger)
    return judged[could_differ(judged) & (judged["outcome"] != "not testable")]


def _judged_by_z(ledger: pd.DataFrame) -> pd.DataFrame:
    judged = ledger["verdict"].isin(["agrees", "agrees otherwise", "differs"]) & (ledger["z"] != "")
    lines = ledger[judged].assign(z=ledger.loc[judged, "z"].astype(float))
    tails = (lines["z"].abs() / math.sqrt(2)).map(math.erfc)
    return lines.assign(certain=holm(tails).astype(bool))


def _chance(lines: pd.DataFrame, **named: str) -> dict[str, Any]:
    observed = int((lines["z"].abs() > LIMIT + 1e-9).sum())
    return dict.fromkeys(COMPARISONS, "") | {
        **named,
        "lines": len(lines),
        "expected": round(len(lines) * CHANCE, 2),
        "observed": observed,
        "probability": float(f"{binomial_tail(observed, len(lines), CHANCE):.3g}"),
        "largest_z": max(lines["z"], key=abs),
        "certain": int(lines["certain"].sum()),
    }


def _cause(line: Mapping[Any, Any], certain: bool) -> str:
    verdict = line["verdict"]
    if verdict in SATISFIED:
        return ""
    if verdict == "pending":
        return "not built" if line["reason"] == NOT_BUILT else "line not given"
    if verdict in _EXPLAINED:
        return _EXPLAINED[verdict]
    if verdict == "not comparable" and line["basis"] == "illustration":
        return "illustration"
    if verdict == "not comparable" and line["reason"].startswith(NO_EVIDENCE):
        return "no evidence"
    for kind, cause in _LISTED.items():
        if verdict in ("differs", "fails") and CAUSE_MARKS[kind] in line["reason"]:
            return cause
    if _UNSTATED.search(f"{line['data']}; {line['reason']}"):
        return "not stated in the work"
    if verdict == "not comparable":
        return "stand-in data"
    if verdict == "fails":
        analytic = line["data"] == ANALYTIC
        return "statement contradicted" if analytic else "statement not confirmed"
    return _cause_of_difference(line, certain)


def _cause_of_difference(line: Mapping[Any, Any], certain: bool) -> str:
    if line["z"]:
        return "beyond the random spread" if certain else "random spread"
    if line["kind"] == "text":
        return "text not reproduced"
    units = _UNITS.search(line["reason"])
    near = units is not None and float(units[1]) <= _NEAR
    return "last digits" if near else "number not reproduced"

"""Whether a cause is proven: what its variant brings within, and whether chance does as much."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from opchar_reproduction.report.comparison.published_values import first_fitting
from opchar_reproduction.report.comparison.verdicts import LIMIT

# z of lines under variants, which claims hold under which, which artefact each explains, and
# where one fits that chance rarely does.
Keys = Collection[tuple[str, ...]]
Shown = tuple[Mapping[tuple[str, str], float], Keys, Keys, Keys]
# Least shares: of the lines for a cause and for a part of one, of our own splits for chance.
WHOLE, PART, RARE = 0.8, 0.5, 0.05
# The largest share of draws of the primary variant that are as unlike it as a printed input is.
OF_DRAWS, LARGEST_SHARE = "share of draws as unlike it", 0.001
LOOKED_FOR, CHANCE = "looked for", "chance"
UNLIKE = ("differs", "fails")
PARTLY, UNPROVEN, SUPPORTED = "partly", "unproven", "supported"
CAUSE_MARKS = {
    "computed": "cause: ",
    PARTLY: "cause of a part: ",
    SUPPORTED: "cause, with a printed input: ",
    UNPROVEN: "cause not proven: ",
    CHANCE: "chance: ",
    "beside": "cause, by a computation beside: ",
    LOOKED_FOR: "tried without success: ",
}


def proven(
    causes: Sequence[Mapping[Any, Any]],
    lines: Sequence[Mapping[Any, Any]],
    verdicts: Mapping[str, str],
    cells: Mapping[tuple[str, str], float],
    holding: Keys = (),
    explained: Keys = (),
    likely: Keys = (),
) -> list[dict[Any, Any]]:
    """Return causes with the share of differing lines that their variants bring within.

    A cause is `UNPROVEN` unless its variant explains the artefact of each line that it brings
    within (`explained`: publication, label, variant), since chance may do as much. It is
    `SUPPORTED` where chance rarely does as much (`likely`) and an input that is printed elsewhere
    contradicts the primary variant.
    """
    own: dict[int, list[Mapping[Any, Any]]] = defaultdict(list)
    for line in lines:
        fitting = first_fitting(line, causes)
        own[next((at for at, one in enumerate(causes) if one is fitting), -1)].append(line)
    return [
        _evidence_shown(entry, own[index], verdicts, (cells, holding, explained, likely))
        if entry["kind"] == "computed" and entry["variant"]
        else dict(entry)
        for index, entry in enumerate(causes)
    ]


def _evidence_shown(
    entry: Mapping[Any, Any],
    lines: Sequence[Mapping[Any, Any]],
    verdicts: Mapping[str, str],
    shown: Shown,
) -> dict[Any, Any]:
    cells, holding, explained, likely = shown
    variant, ids = str(entry["variant"]), [line["id"] for line in lines]
    unlike = [name for name in ids if verdicts[name] in UNLIKE]
    if not unlike:
        return dict(entry)
    near = {name for (name, one), z in cells.items() if one == variant and abs(z) <= LIMIT + 1e-9}
    back = {name for name in unlike if name in near or (name, variant) in holding}
    lost = sum(
        verdicts[name] == "agrees" and abs(cells.get((name, variant), 0.0)) > LIMIT + 1e-9
        for name in ids
    )
    share = (len(back) - lost) / len(unlike)
    kind = "computed" if share >= WHOLE else PARTLY if share >= PART else LOOKED_FOR
    found = f"reproduces {len(back)} of {len(unlike)} lines"
    found += f" and loses {lost} that agree" if lost else ""
    if kind == LOOKED_FOR:
        return {**entry, "kind": kind, "cause": f"the variant '{variant}', which {found}"}
    of = {(line["paper"], line["artefact"], variant) for line in lines if line["id"] in back}
    if of.issubset(explained):
        text = f"{entry['cause']}; its variant {found}"
    elif kind == "computed" and entry.get("contradicted") and of.issubset(likely):
        kind = SUPPORTED
        text = f"{entry['cause']}; its variant {found}; chance does so in at most 1 % of tables"
    else:
        kind = UNPROVEN
        text = f"{entry['cause']}; chance is not excluded, although its variant {found}"
    return {**entry, "kind": kind, "cause": text, "reproduced": back}


def with_printed_inputs(
    causes: Sequence[Mapping[Any, Any]], results: pd.DataFrame
) -> list[dict[Any, Any]]:
    """Return causes, and whether the printed input that one names contradicts the primary variant.

    The results have the share of the draws of the primary variant that are as unlike it.
    """
    shares = results[results["column"] == OF_DRAWS]
    small = shares[shares["value"].astype(float) <= LARGEST_SHARE]
    known = set((small["paper"] + "/" + small["artefact"] + " / " + small["row"]).astype(str))
    return [
        {**entry, "contradicted": f"{entry['paper']}/{entry.get('printed_input')}" in known}
        for entry in causes
    ]


def by_chance(causes: Sequence[Mapping[Any, Any]], results: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return causes; those of chance with the numbers of the table of repeats that shows them.

    A cause is left out if less than `RARE` of the splits have as many lines apart as the print.
    """
    told = []
    for entry in causes:
        if entry["kind"] != CHANCE:
            told.append(dict(entry))
            continue
        named = results["artefact"] == str(entry["evidence"]).split(";")[0]
        table = results[named & (results["paper"] == entry["paper"])]
        for total in table[table["row"] == "all splits"].to_dict("records"):
            count, own = float(total["value"]), len(table) - 1
            if count >= RARE * own:
                found = f"{count:g} {total['column']}"
                told.append({**entry, "cause": entry["cause"].format(splits=own, found=found)})
    return told


def shown_by(cells: pd.DataFrame, statements: pd.DataFrame, weights: pd.DataFrame) -> Shown:
    """Return z and the claims that hold, by variant, and what each explains, for `proven`."""
    from opchar.statistics.variants import FALSE_POSITIVES

    z = {
        (str(name), str(variant)): float(value)
        for name, variant, value in zip(cells["id"], cells["variant"], cells["z"], strict=True)
    }
    held = statements[statements["holds"] == "holds"]
    passing = weights.loc[weights["explains"].isin([True]), ["paper", "artefact", "variant"]]
    holding = set(zip(held["id"].astype(str), held["variant"].astype(str), strict=True))
    rare = weights["fits"].isin([True]) & (weights["chance"] <= FALSE_POSITIVES)
    return z, holding, _keys(passing), _keys(weights.loc[rare, ["paper", "artefact", "variant"]])


def _keys(table: pd.DataFrame) -> set[tuple[str, ...]]:
    return set(table.astype(str).itertuples(index=False, name=None))

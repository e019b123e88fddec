"""The same lines in two profiles: which verdicts change with the size of the experiments."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd

from opchar_reproduction.report.comparison.otherwise import join_filled
from opchar_reproduction.report.comparison.query import short
from opchar_reproduction.report.comparison.totals import verdicts_in_words

PENDING = "pending"


def compare_profiles(
    lines: pd.DataFrame, others: pd.DataFrame, profile: str, other: str
) -> tuple[list[str], pd.DataFrame]:
    """Compare the verdicts of two profiles on the lines that both have decided."""
    kept = ["reproduced", "n", "z", "verdict"]
    about = ["id", "paper", "artefact", "row", "column", "published"]
    both = others[others["verdict"] != PENDING][["id", *kept]].merge(
        lines[lines["verdict"] != PENDING][[*about, *kept]],
        on="id",
        suffixes=(f"_{other}", f"_{profile}"),
    )
    both["artefact"] = both.pop("paper") + "/" + both["artefact"]
    then, now = f"verdict_{other}", f"verdict_{profile}"
    columns = [*(name for name in about if name != "paper")]
    columns += [f"{name}_{each}" for name in kept for each in (other, profile)]
    changed = both.loc[both[then] != both[now], columns].reset_index(drop=True)
    listed = [f"{len(both)} lines are decided in both profiles, {len(changed)} of them otherwise"]
    for name, each in ((other, then), (profile, now)):
        listed.append(f"  {name}: {verdicts_in_words(both[each])}")
    steps = Counter(zip(changed[then], changed[now], strict=True))
    listed += [f"  {count} {one} -> {two}" for (one, two), count in steps.most_common()]
    return listed, changed


def change_lines(changed: pd.DataFrame, profile: str, other: str) -> list[str]:
    """Return a line for each changed verdict: place, published value, both values and verdicts."""
    return [
        f"  {line['id']}  {_place(line)}: published {line['published']}; "
        + ", ".join(
            f"{name} {short(line[f'reproduced_{name}'])} {line[f'verdict_{name}']}".replace(
                "  ", " "
            )
            for name in (other, profile)
        )
        for line in changed.to_dict("records")
    ]


def _place(line: Mapping[Any, str]) -> str:
    return join_filled(line["artefact"], line["row"], line["column"], between=" | ")

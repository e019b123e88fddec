"""Write the totals of the README and docs/ledger.md from kept verdicts.

python tools/totals.py                                        # renew the texts
python tools/totals.py results/quick/report/ledger.csv        # renew docs/agreement.csv first
"""

import re
import sys
from pathlib import Path

import pandas as pd

from opchar.files import write_csv
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.outcomes import count_outcomes, tally
from opchar_reproduction.report.comparison.published_values import (
    APART_KINDS,
    read_lines,
    read_papers,
    short_title,
)
from opchar_reproduction.report.comparison.summaries import causes
from opchar_reproduction.report.comparison.totals import fixed_lines_by_kind
from opchar_reproduction.safe_yaml import read_yaml

ROOT = Path(__file__).resolve().parents[1]
KEPT = [
    *("id", "reproduced", "spread", "basis", "criterion_set", "apart", "verdict", "agreement"),
    *("sharpness", "outcome", "detail", "cause"),
]
FILE = "docs/agreement.csv"
CHANGED = "docs/changed-verdicts.csv"
REASONS = ("sentence", "toolbox", "data", "chance", "evidence")


def keep(ledger: pd.DataFrame, root: Path = ROOT) -> None:
    """Write what the totals rest on, a row a published line."""
    write_csv(ledger[KEPT], root / FILE)


def lines(root: Path = ROOT) -> pd.DataFrame:
    """Return the committed lines with what the publications say of each."""
    kept = pd.read_csv(root / FILE, dtype=str, keep_default_na=False)
    published = read_lines(folders())
    published["published"] = published["value"]
    return published.merge(kept, on="id", validate="one_to_one")


def texts(ledger: pd.DataFrame, root: Path = ROOT) -> dict[str, str]:
    """Return what stands between the marks of each document."""
    order = read_yaml(ROOT / "config/config.yaml")["papers"]  # that of the report
    papers = read_papers(folders(*order)).to_dict("records")
    return {
        "README.md": "\n".join([*_said(ledger), "", *_table(ledger, papers)]),
        "docs/ledger.md": "\n".join([*_kinds(ledger), "", *_moves(ledger, root)]),
    }


def changes(ledger: pd.DataFrame, root: Path = ROOT) -> pd.DataFrame:
    """Return the lines of each changed verdict: in 0.2.0, moved in and out by reason, now."""
    moved = pd.read_csv(root / CHANGED, dtype=str, keep_default_na=False)
    found = {}
    for side, column in (("in", "verdict"), ("out", "verdict_0.2.0")):
        for reason, lines in moved.groupby("decided_by"):
            found[f"{side}: {reason}"] = lines[column].value_counts()
    table = pd.DataFrame(found).fillna(0).astype(int)
    table["now"] = ledger["verdict"].value_counts().reindex(table.index, fill_value=0)
    sides = {side: table.filter(regex=f"^{side}: ").sum(axis=1) for side in ("in", "out")}
    table.insert(0, "0.2.0", table["now"] - sides["in"] + sides["out"])
    return table


def renewed(text: str, block: str) -> str:
    """Return a document with the text between its marks replaced."""
    marked = re.compile(r"(<!-- totals -->\n).*?(\n<!-- /totals -->)", re.DOTALL)
    return marked.sub(lambda found: f"{found[1]}{block}{found[2]}", text)


def _said(ledger: pd.DataFrame) -> list[str]:
    found = count_outcomes(tally(ledger), "all")
    verdicts = ledger["verdict"].value_counts()
    return [
        f"The publications print {len(ledger):,} values and claims.",
        f"**{verdicts['erratum']} are wrong in print**, each with a proof;",
        f"{verdicts['inconsistent']} more contradict another passage.",
        f"Of the others {found['matches']} match, {found['compatible']} are too noisy to tell,",
        f"{found['differs']} differ, and {found['not testable']} are not testable.",
    ]


def _table(ledger: pd.DataFrame, papers: list) -> list[str]:
    rows = [
        "| publication | values from experiments | values from formulas | claims |",
        "| --- | --- | --- | --- |",
    ]
    table = tally(ledger)
    for paper in papers:
        cells = [
            _in_words(count_outcomes(table, paper["paper"], evidence, kind))
            for evidence, kind in (("experiment", "values"), ("formula", "values"), ("", "claims"))
        ]
        cells[0] = cells[0] or paper["untestable"]
        rows.append(f"| {short_title(paper)} | {' | '.join(cell or 'none' for cell in cells)} |")
    return rows


def _in_words(found: dict[str, int]) -> str:
    said = {"matches": "match", "compatible": "too noisy to tell", "differs": "differ"}
    said["wrong or contradictory"] = "wrong or contradictory"
    if found["ends"]:
        said["matches"] += f" ({found['ends']} zero or all on both sides)"
    return ", ".join(f"{found[name]} {words}" for name, words in said.items() if found[name])


def _kinds(ledger: pd.DataFrame) -> list[str]:
    found = fixed_lines_by_kind(ledger).items()
    return [f"- {kind}: {n}, {APART_KINDS[kind]}" for kind, n in found]


def _moves(ledger: pd.DataFrame, root: Path) -> list[str]:
    rows = ["| verdict | 0.2.0→now | moved in and out, by |", "| --- | --- | --- |"]
    for verdict, counts in changes(ledger, root).iterrows():
        moved = []
        for reason in REASONS:
            sides = {"+": counts.get(f"in: {reason}"), "-": counts.get(f"out: {reason}")}
            if any(sides.values()):
                moved.append(" ".join([reason, *(f"{sign}{n}" for sign, n in sides.items() if n)]))
        rows.append(f"| {verdict} | {counts['0.2.0']}→{counts['now']} | {', '.join(moved)} |")
    return rows


def main(arguments: list[str]) -> None:
    """Renew the kept lines, if a ledger is named, and the documents."""
    if arguments:
        ledger = pd.read_csv(arguments[0], dtype=str, keep_default_na=False)
        keep(ledger.assign(cause=causes(ledger)))
    for name, block in texts(lines()).items():
        path = ROOT / name
        path.write_text(renewed(path.read_text(encoding="utf-8"), block), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
